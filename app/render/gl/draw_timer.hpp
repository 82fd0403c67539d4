// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"

#include <array>
#include <optional>

namespace lloyd {

/// How long OpenGL itself takes for a frame's drawing. Results are fetched frames later, when they are there
/// anyway, so that nothing waits. All calls need the context current.
class DrawTimer {
public:
  DrawTimer() {
    for (GlQuery& query : queries_)
      query = GlQuery::create();
  }

  void begin() {
    collect();
    // With every query still under way this frame goes untimed.
    running_ = pending_ < queries_.size();
    if (running_) currentGl().glBeginQuery(GL_TIME_ELAPSED, queries_[next_].id());
  }
  void end() {
    if (!running_) return;
    currentGl().glEndQuery(GL_TIME_ELAPSED);
    next_ = (next_ + 1) % queries_.size();
    ++pending_;
    running_ = false;
  }
  /// Of the newest frame whose result has arrived, microseconds.
  [[nodiscard]] std::optional<double> lastUs() const { return lastUs_; }

private:
  void collect() {
    Gl& gl = currentGl();
    while (pending_ > 0) {
      const GLuint oldest = queries_[(next_ + queries_.size() - pending_) % queries_.size()].id();
      GLint ready = GL_FALSE;
      gl.glGetQueryObjectiv(oldest, GL_QUERY_RESULT_AVAILABLE, &ready);
      if (ready == GL_FALSE) return;
      GLuint64 nanoseconds = 0;
      gl.glGetQueryObjectui64v(oldest, GL_QUERY_RESULT, &nanoseconds);
      lastUs_ = static_cast<double>(nanoseconds) / 1000.0;
      --pending_;
    }
  }

  std::array<GlQuery, 4> queries_;
  std::size_t next_ = 0;    ///< the query the next frame uses
  std::size_t pending_ = 0; ///< queries without a result yet, ending before next_
  bool running_ = false;
  std::optional<double> lastUs_;
};

} // namespace lloyd

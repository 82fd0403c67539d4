// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"

#include <array>
#include <optional>

namespace lloyd {

/// How long OpenGL itself takes for a frame's drawing. Results are fetched frames later, when they are there
/// anyway, so that nothing waits. All calls need the context current.
class DrawTimer {
public:
  DrawTimer();

  void begin();
  void end();
  /// Of the newest frame whose result has arrived, microseconds.
  [[nodiscard]] std::optional<double> lastUs() const { return lastUs_; }

private:
  void collect();

  std::array<GlQuery, 4> queries_;
  std::size_t next_ = 0;    ///< the query the next frame uses
  std::size_t pending_ = 0; ///< queries without a result yet, ending before next_
  bool running_ = false;
  std::optional<double> lastUs_;
};

} // namespace lloyd

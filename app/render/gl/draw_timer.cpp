// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/draw_timer.hpp"

namespace lloyd {

DrawTimer::DrawTimer() {
  for (GlQuery& query : queries_)
    query = GlQuery::create();
}

void DrawTimer::collect() {
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

void DrawTimer::begin() {
  collect();
  // With every query still under way this frame goes untimed.
  running_ = pending_ < queries_.size();
  if (running_) currentGl().glBeginQuery(GL_TIME_ELAPSED, queries_[next_].id());
}

void DrawTimer::end() {
  if (!running_) return;
  currentGl().glEndQuery(GL_TIME_ELAPSED);
  next_ = (next_ + 1) % queries_.size();
  ++pending_;
  running_ = false;
}

} // namespace lloyd

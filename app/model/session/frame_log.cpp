// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/frame_log.hpp"

namespace lloyd {

void FrameLog::add(const StageTimes& us, bool wholeFrame) {
  if (wholeFrame != wholeFrames_) clear();
  wholeFrames_ = wholeFrame;
  if (entries_.size() == most) entries_.pop_front();
  entries_.push_back({++count_, us});
}

void FrameLog::clear() {
  entries_.clear();
  count_ = 0;
}

} // namespace lloyd

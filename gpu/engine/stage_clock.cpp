// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/stage_clock.hpp"

namespace lloyd {

void StageClock::time(Stage stage, const std::function<void()>& work) {
  if (!runs_) return work();
  const std::size_t first = 2 * timed_.size();
  while (events_.size() < first + 2)
    events_.push_back(device_.createEvent());
  timed_.push_back(stage);
  device_.record(*events_[first]);
  work();
  device_.record(*events_[first + 1]);
}

StageTimes StageClock::read() const {
  StageTimes times;
  for (std::size_t i = 0; i < timed_.size(); ++i)
    times.set(timed_[i], device_.elapsedUs(*events_[2 * i], *events_[2 * i + 1]));
  return times;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace lloyd {

/// Times stages in a device's order of work, by an event before and one after each. The events are kept for
/// the next round. The device must outlive it.
class StageClock {
public:
  explicit StageClock(Device& device) : device_(device) {}

  /// Begins a round, of which nothing is timed yet.
  void start() {
    timed_.clear();
    runs_ = true;
  }
  /// Work is done and not timed until start() or resume().
  void pause() { runs_ = false; }
  void resume() { runs_ = true; }
  void time(Stage stage, const std::function<void()>& work) {
    if (!runs_) return work();
    const std::size_t first = 2 * timed_.size();
    while (events_.size() < first + 2)
      events_.push_back(device_.createEvent());
    timed_.push_back(stage);
    device_.record(*events_[first]);
    work();
    device_.record(*events_[first + 1]);
  }
  /// What was timed since start(). Waits for the last of it.
  [[nodiscard]] StageTimes read() const {
    StageTimes times;
    for (std::size_t i = 0; i < timed_.size(); ++i)
      times.set(timed_[i], device_.elapsedUs(*events_[2 * i], *events_[2 * i + 1]));
    return times;
  }

private:
  Device& device_;
  bool runs_ = false;
  std::vector<Stage> timed_; ///< in order; stage i lies between events 2 i and 2 i + 1
  std::vector<std::unique_ptr<Event>> events_;
};

} // namespace lloyd

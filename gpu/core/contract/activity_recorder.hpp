// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

namespace lloyd {

/// One copy, fill or kernel, in microseconds of the device's clock from about start() on; may be negative.
struct Activity {
  std::size_t operation = 0; ///< as it was given; one operation may have several
  double begin = 0;
  double end = 0;
};

/// A device's own record of when it does what it is given, which costs the queues nothing: no event stands
/// between two operations. From Device::createActivityRecorder(), whose thread is its own too.
class ActivityRecorder {
public:
  ActivityRecorder() = default;
  ActivityRecorder(const ActivityRecorder&) = delete;
  ActivityRecorder& operator=(const ActivityRecorder&) = delete;
  virtual ~ActivityRecorder() = default;

  /// Forgets what was recorded. All that was given before must be done.
  virtual void start() = 0;
  /// What work gives to the device is of that operation. What work throws passes.
  virtual void give(std::size_t operation, const std::function<void()>& work) = 0;
  /// What was recorded since start(), in no order. All that was given must be done.
  [[nodiscard]] virtual std::vector<Activity> stop() = 0;
};

} // namespace lloyd

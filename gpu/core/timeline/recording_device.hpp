// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/wrapped_device.hpp"
#include "gpu/core/timeline/timeline.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// A device that remembers what its queues do and when, from start() to stop(). A program that is not to be
/// recorded uses the device itself, and pays nothing.
///
/// Times are those of the device's own record, where it keeps one. Else each operation stands between two
/// events of its queue, and their distances from one first event are its times. So an operation begins when
/// its queue has come to it: that a copy waits for the engine, or a kernel for room on the card, is part of
/// its time. What the pair of events itself takes, some microseconds on a card, is too. The simulator has no
/// time: there the moments are put into their order, and counted.
///
/// Lives longer than the queues that it makes, and is used as any device: by one thread at a time.
class RecordingDevice final : public WrappedDevice {
public:
  /// Operations of queues; those beyond are counted and not recorded.
  static constexpr std::size_t mostOperations = 100'000;

  explicit RecordingDevice(Device& inner, std::size_t most = mostOperations)
      : WrappedDevice(inner), most_(most) {}
  ~RecordingDevice() override { releaseWorkMemory(); }

  /// Waits for all work. What was recorded before is forgotten.
  void start();
  /// Waits for all work, and stops recording. Throws DeviceError.
  [[nodiscard]] Timeline stop();

  void synchronize() override;
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override;

private:
  using Clock = std::chrono::steady_clock;
  class RecordingQueue;
  struct Operation {
    TimelineBar bar;               ///< without times
    double given = 0;              ///< when the host gave it
    const Event* before = nullptr; ///< null where the device records
    const Event* after = nullptr;
    /// Of the device's record, where it was given with others at once; nothing: all that its number has.
    std::optional<std::size_t> activities = {};
  };

  void waitForEvent(const Event& event, const CallSite& where) override;
  void submit(std::size_t queue, Queue& to, const std::optional<std::size_t>& set, QueuedOperation operation);
  void submitPrepared(std::size_t queue, Queue& to, const std::optional<std::size_t>& set,
                      Sequence& sequence);
  [[nodiscard]] static TimelineBar barOf(const QueuedOperation& operation, TimelineBar::Kind kind,
                                         std::size_t queue, const std::optional<std::size_t>& set);
  /// Does what the host does, and remembers how long it took.
  void byHost(TimelineBar bar, const std::function<void()>& work);
  [[nodiscard]] bool full() const { return operations_.size() >= most_; }
  [[nodiscard]] Event& nextEvent();
  [[nodiscard]] std::vector<TimelineBar> barsByActivity();
  [[nodiscard]] std::vector<TimelineBar> barsByEvents();
  [[nodiscard]] double usSince(Clock::time_point moment) const {
    return std::chrono::duration<double, std::micro>(moment - zero_).count();
  }

  std::size_t most_;
  bool recording_ = false;
  std::unique_ptr<ActivityRecorder> activity_; ///< null where the device keeps no record
  Buffer<unsigned> unasked_;                   ///< what is done to it is in nobody's timeline
  std::size_t queues_ = 0;
  std::vector<std::unique_ptr<Event>> events_; ///< kept, so that a second record makes none
  std::size_t used_ = 0;
  std::unique_ptr<Event> first_;
  Clock::time_point zero_; ///< the moment from which times are counted
  std::vector<Operation> operations_;
  std::vector<TimelineBar> calls_; ///< of the host
  std::size_t missing_ = 0;
};

} // namespace lloyd

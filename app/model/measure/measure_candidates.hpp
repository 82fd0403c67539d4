// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/race_protocol.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

/// Something that is timed on a device: a candidate's kernel, or a copy.
struct TimedOperation {
  std::function<void()> prepare; ///< before a sample, not timed
  std::function<void()> launch;
  double parts = 1; ///< equal ones that a launch consists of: a sample is the time of one
};

/// Takes samples with a device's own events. The device must outlive it; one thread at a time.
class KernelTimer : public SampleSource {
public:
  KernelTimer(Device& device, double sampleUs, CacheState cache);

  /// Runs it a few times, so that its code and data are where they will be, and finds how many launches fill
  /// a sample; its number is the count of those added before. A cold sample has one launch, because a second
  /// would find the caches as the first left them.
  std::size_t add(TimedOperation operation);
  [[nodiscard]] std::size_t launches(std::size_t operation) const { return launches_[operation]; }
  /// How memory is placed anew; returns false where it could not be.
  void setPlacing(std::function<bool()> placing) { placing_ = std::move(placing); }

  [[nodiscard]] double sample(std::size_t operation) override;
  [[nodiscard]] double clockMhz() override { return device_.clockMhz(); }
  [[nodiscard]] double seconds() override;
  void pause(double seconds) override;
  [[nodiscard]] bool placeAnew() override { return placing_ && placing_(); }

  /// How long a copy takes when both ends together are this many bytes, in the same state of the caches: the
  /// median of so many samples.
  [[nodiscard]] double copyUs(std::size_t footprint, std::size_t samples = 15);
  /// Bytes a microsecond that such a copy moves, reads and writes counted.
  [[nodiscard]] double copyRate(std::size_t footprint, std::size_t samples = 15);

private:
  /// warmed: a launch that is not timed comes first.
  [[nodiscard]] double time(const TimedOperation& operation, std::size_t launches, bool warmed);
  void holdQueue(std::size_t launches);
  void emptyCaches();
  std::byte* scratch(std::size_t bytes);

  Device& device_;
  double sampleUs_;
  CacheState cache_;
  std::unique_ptr<Event> from_;
  std::unique_ptr<Event> to_;
  Buffer<std::byte> scratch_;
  std::vector<TimedOperation> operations_;
  std::vector<std::size_t> launches_;
  std::vector<bool> warmed_; ///< by operation
  std::function<bool()> placing_;
};

/// Verifies each candidate on the bench's problem, then races those that can run: RaceResult::rows has one
/// row for every candidate, in their order. analysed is called with what there is after each interim analysis
/// of the verdicts. Where options.record is set, schedules of sets are recorded once the race is over. when
/// cancelled in the middle (the device's flag, or progress throws Cancelled) what was
/// measured so far is returned, not finished; before the first complete round Cancelled is thrown. Throws
/// DeviceError.
[[nodiscard]] RaceResult measure(StageHarness& bench, std::span<const Candidate> candidates,
                                 const RaceOptions& options,
                                 const std::function<void(const RaceProgress&)>& progress = {},
                                 const std::function<void(RaceResultPtr)>& analysed = {});

} // namespace lloyd

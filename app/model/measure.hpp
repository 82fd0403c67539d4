// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure_stage.hpp"
#include "gpu/core/statistics.hpp"

#include <functional>
#include <span>

namespace lloyd {

/// What was measured of one candidate on one problem. A candidate that was skipped has no samples.
struct Measurement {
  Candidate candidate;
  Problem problem;
  Summary times;         ///< microseconds of one launch
  std::size_t bytes = 0; ///< leastBytes()
  double limitUs = 0; ///< no faster than this, by the device's copy rate at that footprint or its arithmetic
  std::optional<KernelResources> resources;
  bool verified = false;  ///< only a verified one may be ranked
  std::string difference; ///< why it is not verified
  std::string skipped;    ///< why it was not run; empty when it was

  [[nodiscard]] double gigabytesPerSecond() const;
  /// 1 at the limit, less when slower; never above 1.
  [[nodiscard]] double ofLimit() const;
};

struct MeasureOptions {
  std::size_t samples = 30;
  double sampleUs = 200;  ///< a sample repeats a shorter kernel until it takes at least this long
  std::uint64_t seed = 1; ///< of the order in which candidates take turns
};

/// Measures candidates against each other on the bench's problem: each is verified, then warmed up, then all
/// take turns, one sample each, in an order that changes from round to round, so that a clock that drifts is
/// unfair to none of them. A sample is one pair of events around as many launches as it needs, divided by
/// their number. progress is told rounds done and rounds in all. Throws DeviceError and Cancelled.
[[nodiscard]] std::vector<Measurement>
measure(StageBench& bench, std::span<const Candidate> candidates, const MeasureOptions& options,
        const std::function<void(std::size_t, std::size_t)>& progress = {});

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/tuning/tune_problem.hpp"
#include "gpu/core/contract/device.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lloyd {

/// What a table of measured defaults is made from.
struct TuneOptions {
  std::vector<std::uint64_t> n{1U << 14, 1U << 17, 1U << 20, 1U << 22, 1U << 24};
  std::vector<int> d{1, 2, 3, 8, 32};
  std::vector<int> k{4, 16, 64, 256};
  double budgetSeconds = 300; ///< for all problems together; what does not fit is left out
  std::uint64_t seed = 1;
  std::string date;                           ///< of today, for the choices
  std::function<bool(const Variant&)> wanted; ///< which variants may be chosen; none: all
};

/// Where tuning is.
struct TuneProgress {
  std::size_t done = 0;
  std::size_t problems = 0;
  Problem problem;        ///< the one at hand
  double secondsLeft = 0; ///< until all is done, or the budget is spent where that is sooner
};

/// What tuning found, filled in while it goes on.
struct TuneResult {
  /// A problem without a choice, or a candidate that is not right, with the reason in words.
  struct Remark {
    Problem problem;
    std::string text;
  };
  std::vector<TuningEntry> entries;
  std::vector<Remark> leftOut;
  std::vector<Remark> wrong;
  std::size_t problems = 0;
  bool finished = false; ///< neither cancelled nor failed
};

/// Measures every combination of the options' sizes on uniform random points, the smaller sets of points
/// first, so that an early end has the whole grid of small ones. A variant that was far behind on fewer
/// points is not tried on more, and a problem that would take longer than what is left of the budget is left
/// out. Everything found so far is in result when this throws: Cancelled (cancel, the device's flag, or a
/// callback), or DeviceError of a lost device.
void tune(Device& device, const TuneOptions& options, const std::atomic<bool>* cancel, TuneResult& result,
          const std::function<void(const TuneProgress&)>& progress = {});

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/read_control.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <atomic>
#include <cstddef>
#include <thread>

namespace lloyd {

/// Calls work(begin, end) on all of oneTBB's threads until the ranges, none longer than `grain`, cover
/// 0 ... n - 1, in no fixed order. Progress is reported by the calling thread. Returns false when it was
/// cancelled before the end. What work throws first is thrown here, when no range is worked on any more.
template <typename Work>
bool parallelRanges(std::size_t n, const ReadControl& control, const Work& work,
                    std::size_t grain = std::size_t{1} << 13) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<std::size_t> done{0};
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<std::size_t>(0, n, grain),
      [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
        if (control.cancelled()) return;
        if (std::this_thread::get_id() == caller)
          control.report(done, static_cast<double>(done) / static_cast<double>(n));
        work(range.begin(), range.end());
        done += range.size();
      },
      oneapi::tbb::simple_partitioner());
  return !control.cancelled();
}

} // namespace lloyd

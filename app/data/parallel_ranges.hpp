// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/read_control.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace lloyd {

/// Calls work(begin, end) on all cores until the ranges cover 0 ... n - 1, in no fixed order. Progress is
/// reported by the calling thread. Returns false when it was cancelled before the end. work must not throw.
template <typename Work>
bool parallelRanges(std::size_t n, const ReadControl& control, const Work& work) {
  constexpr std::size_t grain = std::size_t{1} << 13;
  std::atomic<std::size_t> next{0};
  const auto loop = [&](bool reports) {
    while (!control.cancelled()) {
      const std::size_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      if (begin >= n) return;
      if (reports) control.report(begin, static_cast<double>(begin) / static_cast<double>(n));
      work(begin, std::min(begin + grain, n));
    }
  };
  std::vector<std::jthread> helpers;
  const std::size_t useful = std::min<std::size_t>(std::thread::hardware_concurrency(), n / grain + 1);
  try {
    while (helpers.size() + 1 < useful)
      helpers.emplace_back(loop, false);
  } catch (const std::system_error&) {
    // No more threads to be had: those that run, or this one alone, do all of it.
  }
  loop(true);
  helpers.clear();
  return !control.cancelled();
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/parallel_ranges.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/data/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// Calls work(i) for 0 to n - 1. Throws Cancelled within milliseconds.
template <class Work>
void forEachPoint(std::size_t n, const ReadControl& control, const Work& work) {
  constexpr std::size_t often = std::size_t{1} << 18;
  for (std::size_t begin = 0; begin < n; begin += often) {
    if (control.cancelled()) throw Cancelled();
    for (std::size_t i = begin; i < std::min(n, begin + often); ++i)
      work(i);
  }
}

/// Calls work(i) for 0 to count - 1, on all threads. Throws Cancelled.
template <class Work>
void forEachOnAllThreads(std::size_t count, const ReadControl& control, const Work& work) {
  const ReadControl quiet{.progress = {}, .cancel = control.cancel}; // it takes no time worth telling of
  const bool whole = parallelRanges(
      count, quiet,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          work(i);
      },
      1);
  if (!whole) throw Cancelled();
}

/// Points that have a cluster, cluster after cluster, each cluster's in the order of the data.
struct ClusterOrder {
  std::vector<std::uint32_t> points;
  std::vector<std::size_t> begins; ///< [k + 1]: cluster c has begins[c] to begins[c + 1] - 1

  /// A label below 0 or from k on is of no cluster. Throws Cancelled.
  ClusterOrder(std::span<const Label> labels, int k, const ReadControl& control = {});

  [[nodiscard]] int k() const { return static_cast<int>(begins.size()) - 1; }
  [[nodiscard]] std::size_t size(int cluster) const {
    const auto at = static_cast<std::size_t>(cluster);
    return begins[at + 1] - begins[at];
  }
  /// Clusters that have points.
  [[nodiscard]] int filled() const;
  /// Whether scores that hold clusters against one another have a meaning: two clusters at least, and fewer
  /// than points.
  [[nodiscard]] bool comparable() const {
    return filled() >= 2 && static_cast<std::size_t>(filled()) < points.size();
  }
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// Points cluster after cluster, each cluster's in the order of the data.
struct ClusterOrder {
  std::vector<std::uint32_t> points; ///< [n]
  std::vector<std::size_t> begins;   ///< [k + 1]: cluster c has begins[c] to begins[c + 1] - 1

  /// labels: 0 to k - 1 each.
  ClusterOrder(std::span<const Label> labels, int k);

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

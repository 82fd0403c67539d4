// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cpu/parallel.hpp"

#include <algorithm>
#include <cstddef>

namespace lloyd {

/// Points that vector code takes at a time: few enough for their labels and coordinates to stay in the
/// first-level cache between classification and sums, and for a cancelled run to end at once.
[[nodiscard]] inline Chunks blocksOf(const Problem& problem, std::size_t n) {
  return {n, problem.centroidValues() > 4096 ? std::size_t{256} : std::size_t{1024}};
}

/// Products of points' and clusters' coordinates that are worth waking a thread for: of differences that are
/// squared, and of tiles in registers, which are as many times faster.
inline constexpr std::size_t worthOfSquares = std::size_t{1} << 24;
inline constexpr std::size_t worthOfTiles = std::size_t{1} << 22;

/// The part of a problem whose sums are kept apart until all are merged: large enough for a thread to be
/// worth waking, and not so many that their sums outgrow 16 MiB, unless even four do.
[[nodiscard]] inline Chunks partsOf(const Problem& problem, std::size_t worth = worthOfSquares) {
  const std::size_t values = std::max<std::size_t>(1, problem.centroidValues());
  const std::size_t most = std::clamp<std::size_t>((std::size_t{16} << 20) / (values * 12), 4, 1024);
  const std::size_t worthwhile = std::clamp<std::size_t>(worth / values, 1024, 16384);
  const std::size_t needed = (problem.n + most - 1) / most;
  return {problem.n, (std::max(worthwhile, needed) + 1023) / 1024 * 1024, true};
}

} // namespace lloyd

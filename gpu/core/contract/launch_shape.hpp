// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <cstddef>

namespace lloyd {

/// Blocks, threads in a block, and bytes of dynamic shared memory of one launch.
struct LaunchShape {
  std::size_t blocks = 0;
  int threads = 0;
  std::size_t sharedBytes = 0;
  bool together = false; ///< all blocks run at the same time, which waitForGrid() needs
};

/// Blocks that cover count items at perBlock items each; at least one, so that an empty problem still
/// launches.
[[nodiscard]] constexpr std::size_t blocksFor(std::size_t count, std::size_t perBlock) {
  return count == 0 ? 1 : (count + perBlock - 1) / perBlock;
}

/// Floats from the first coordinate of the first point to the last of the last, in a structure of arrays.
[[nodiscard]] constexpr std::size_t pointExtent(const Problem& problem, std::size_t stride) {
  return problem.n == 0 ? 0 : static_cast<std::size_t>(problem.d - 1) * stride + problem.n;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Types that kernels and the host share. Plain data, for compilers that know nothing of the standard library
// but its integers.
#include "gpu/core/data/problem.hpp"

#include <cstddef>
#include <cstdint>

namespace lloyd {

/// How V1 to V6 of the papers square a difference: as a product; by pow(x, 2), which g++ hosts evaluate in
/// double; or by powf(x, 2), in single precision, with a rounding of its own.
enum class Arithmetic { multiply = 0, pow = 1, powf = 2 };

/// What one update says of itself, in device memory.
struct UpdateOutcome {
  float shift = 0; ///< largest distance a centroid moved
  std::uint32_t emptyClusters = 0;
};

/// Parameters of a replay of whole iterations, in device memory: it can be replayed with others.
struct LoopParams {
  /// It ends when no label changed, or, above 0, when no centroid moved farther. Below 0 only most ends it.
  double tolerance = 0;
  std::uint32_t most = 1; ///< iterations; at least 1
  /// Not 0: the labels that the first iteration meets are no iteration's, so that it ends nothing when none
  /// of them changes.
  std::uint32_t fresh = 0;
};

/// What a replay says of its last iteration, in device memory.
struct LoopOutcome {
  std::uint32_t iterations = 0;
  std::uint32_t changed = 0; ///< as the fused variant counts
  UpdateOutcome update;
  std::uint32_t settled = 0; ///< 1: it ended for another reason than most
};

/// Blocks that cover count items at perBlock items each; at least one, so that an empty problem still
/// launches.
[[nodiscard]] constexpr std::size_t blocksFor(std::size_t count, std::size_t perBlock) {
  return count == 0 ? 1 : (count + perBlock - 1) / perBlock;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the parts of Clustering share and nobody else needs.
#include "gpu/engine/clustering.hpp"

#include <algorithm>
#include <cstring>

namespace lloyd {

/// Where the accumulators lie in their block; every part on a 256-byte line of its own.
struct BlockLayout {
  explicit BlockLayout(const Problem& problem) {
    const auto k = static_cast<std::size_t>(problem.k);
    const auto take = [&](std::size_t size) {
      const std::size_t at = bytes;
      bytes += (size + 255) / 256 * 256;
      return at;
    };
    changed = take(sizeof(std::uint32_t));
    outcome = take(sizeof(UpdateOutcome));
    inertia = take(sizeof(double));
    counts = take(k * sizeof(std::uint32_t));
    read = bytes;
    sums = take(problem.centroidValues() * sizeof(double));
  }
  std::size_t changed = 0, outcome = 0, inertia = 0, counts = 0, sums = 0;
  std::size_t read = 0; ///< bytes that the host reads after an iteration: all but the sums
  std::size_t bytes = 0;
};

template <class T>
[[nodiscard]] T* at(Buffer<std::byte>& block, std::size_t offset) {
  return reinterpret_cast<T*>(block.data() + offset);
}

template <class T>
[[nodiscard]] T valueAt(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The points as they are classified: where they have moved to, when they move.
[[nodiscard]] inline PointView present(const PointMemory& memory) {
  return {memory.nextPositions ? memory.nextPositions : memory.positions, memory.stride, memory.box};
}

[[nodiscard]] inline std::uint32_t emptyOf(const std::vector<std::uint32_t>& sizes) {
  return static_cast<std::uint32_t>(std::count(sizes.begin(), sizes.end(), 0u));
}

} // namespace lloyd

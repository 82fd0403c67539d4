// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"
#include "gpu/cpu/blocks.hpp"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace lloyd::cpu {

/// Clusters are padded to what every instruction set's groups divide: of products and of chains.
inline constexpr std::size_t productClusters = 12;
inline constexpr std::size_t chainClusters = 64;
/// Clusters that one thread prepares at a time: a multiple of both.
inline constexpr std::size_t preparedClusters = 192;

/// Points of a tile at most; a block has whole tiles, and rows of points are padded to as many.
inline constexpr std::size_t tilePoints = 32;

/// D u below 0.001, which the bound of scores asks for.
inline constexpr int mostProductDimensions = 16384;

[[nodiscard]] constexpr std::size_t roundedUp(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// Points that are turned, labelled and added up at a time: their coordinates, shifted and as they are, stay
/// in the second-level cache beside the centroids.
[[nodiscard]] constexpr std::size_t productBlock(int d) {
  constexpr std::size_t values = 4096;
  constexpr std::size_t mostPoints = 512;
  return std::clamp<std::size_t>(values / static_cast<std::size_t>(d) / tilePoints * tilePoints, tilePoints,
                                 mostPoints);
}

/// What a launch makes of the centroids before it looks at a point. Groups and panels are as wide as the
/// instruction set likes them.
struct ProductMemory {
  float* shift = nullptr;   ///< [d] the point that all is shifted by
  float* start = nullptr;   ///< [clusters] minus half the squared norm of the shifted centroid
  float* factors = nullptr; ///< [group][d][cluster of the group] the shifted centroids
  float* chains = nullptr;  ///< [panel][d][cluster of the panel] the centroids as they are
  std::size_t words = 0;    ///< of four bytes, all together

  /// memory: null, where only words is asked for.
  ProductMemory(std::byte* memory, const Problem& problem) {
    const auto d = static_cast<std::size_t>(problem.d);
    const auto k = static_cast<std::size_t>(problem.k);
    auto* const floats = reinterpret_cast<float*>(memory);
    const auto take = [&](std::size_t count) {
      float* const at = memory ? floats + words : nullptr;
      words += roundedUp(count, 64); // 256 bytes, as memory is aligned
      return at;
    };
    shift = take(d);
    start = take(roundedUp(k, productClusters));
    factors = take(roundedUp(k, productClusters) * d);
    chains = take(roundedUp(k, chainClusters) * d);
  }
};

/// What became of a block.
struct BlockCounts {
  std::size_t changed = 0;   ///< new labels
  std::size_t rechecked = 0; ///< points that scores could not tell about
};

/// Memory of one thread for one block of points.
class ProductBlock {
public:
  explicit ProductBlock(int d)
      : points_(productBlock(d)), record_(roundedUp(static_cast<std::size_t>(d), 4)),
        floats_(hwy::AllocateAligned<float>(points_ * (static_cast<std::size_t>(d) + record_ + 5))) {
    if (!floats_) throw std::bad_alloc();
    tiles = floats_.get();
    norms = tiles + points_ * static_cast<std::size_t>(d);
    best = norms + points_;
    second = best + points_;
    found = reinterpret_cast<Label*>(second + points_);
    doubts = reinterpret_cast<std::uint32_t*>(second + 2 * points_);
    records = second + 3 * points_;
  }
  /// Floats from one record to the next.
  [[nodiscard]] std::size_t record() const { return record_; }

  float* tiles = nullptr;          ///< [tile][d][point of the tile] shifted
  float* norms = nullptr;          ///< squared, of the shifted points
  float* best = nullptr;           ///< the greatest score of each point
  float* second = nullptr;         ///< the next after it
  Label* found = nullptr;          ///< whose the greatest is
  std::uint32_t* doubts = nullptr; ///< the points that scores cannot tell about
  float* records = nullptr;        ///< [point][record()] as they are

private:
  std::size_t points_;
  std::size_t record_;
  hwy::AlignedFreeUniquePtr<float[]> floats_;
};

} // namespace lloyd::cpu

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The points of a tile in the order of their clusters, sorted once for all coordinates: a counting sort in
// shared memory. Points of one cluster are a run; a run longer than longestRun is cut into several. Runs are
// listed by length, the longest first, so that those that a warp adds up together are about equally long.
#include "gpu/kernels/ladder.hpp"

namespace lloyd::reduce {

/// A run as one word: its cluster, whether it is one of several of a cluster, how many points it has, and
/// where in the tile's order it begins.
constexpr unsigned clusterBits = 13;
constexpr unsigned lengthBits = 6;
constexpr unsigned longestRun = 32;
constexpr unsigned mostTilePoints = 1u << (32 - clusterBits - 1 - lengthBits);
static_assert(longestRun < 1u << lengthBits);

LLOYD_DEVICE unsigned packedRun(unsigned cluster, bool isPart, unsigned length, unsigned first) {
  return cluster | (isPart ? 1u << clusterBits : 0) | length << (clusterBits + 1) |
         first << (clusterBits + 1 + lengthBits);
}
LLOYD_DEVICE unsigned clusterOf(unsigned run) { return run & ((1u << clusterBits) - 1); }
LLOYD_DEVICE bool isPart(unsigned run) { return (run >> clusterBits & 1) != 0; }
LLOYD_DEVICE unsigned lengthOf(unsigned run) { return run >> (clusterBits + 1) & ((1u << lengthBits) - 1); }
LLOYD_DEVICE unsigned firstOf(unsigned run) { return run >> (clusterBits + 1 + lengthBits); }

/// What is known of all tiles, in the memory that a launch works in.
struct SortedTiles {
  std::size_t tiles = 1;
  std::size_t points = 0; ///< of a tile; a multiple of 32
  std::size_t runs = 0;   ///< for which a tile has room; a multiple of 32, the rest are 0

  static SortedTiles of(const Problem& problem, std::size_t points) {
    const std::size_t most = std::min(static_cast<std::size_t>(problem.k), points) + points / longestRun;
    return {std::max<std::size_t>(1, blocksFor(problem.n, points)), points, blocksFor(most, 32) * 32};
  }
  [[nodiscard]] std::size_t runBytes() const { return tiles * runs * sizeof(unsigned); }
  [[nodiscard]] std::size_t orderBytes() const { return tiles * points * sizeof(std::uint16_t); }
  [[nodiscard]] std::size_t bytes() const { return runBytes() + orderBytes() + 2 * tiles * sizeof(unsigned); }
};

/// A block sorts one tile. orders gets two places a word; heads how many runs there are and in how many parts
/// the largest cluster is.
template <unsigned Points, unsigned Threads>
LLOYD_KERNEL_UP_TO(512)
reduce_sorted_runs(LLOYD_GLOBAL(const Label) labels, LLOYD_GLOBAL(unsigned) orders,
                   LLOYD_GLOBAL(unsigned) runs, LLOYD_GLOBAL(unsigned) heads, std::size_t n, unsigned k,
                   unsigned roomForRuns) {
  constexpr unsigned everyLane = 0xffffffffu;
  constexpr unsigned perThread = Points / Threads;
  constexpr unsigned warps = Threads / 32;
  static_assert(warps <= 32 && longestRun == 32, "a warp goes through each");
  LLOYD_DYNAMIC_SHARED(unsigned, order, 0, Points);
  LLOYD_DYNAMIC_SHARED(unsigned, run, Points * sizeof(unsigned), roomForRuns);
  // Of a cluster: its points, and from the second barrier on where they begin.
  LLOYD_DYNAMIC_SHARED(unsigned, start, (Points + roomForRuns) * sizeof(unsigned), k);
  LLOYD_SHARED(unsigned, ofLength, longestRun + 1); // runs, and later where the next of them goes
  LLOYD_SHARED(unsigned, warpPoints, warps);
  LLOYD_SHARED(unsigned, warpMost, warps);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * Points;
  unsigned present = 0; // points of this tile
  if (first < n) present = n - first < Points ? static_cast<unsigned>(n - first) : Points;

  Label label[perThread];
  unsigned rank[perThread];
  LLOYD_UNROLL
  for (unsigned q = 0; q < perThread; ++q) {
    const unsigned p = q * Threads + threadIdx.x;
    label[q] = -1;
    if (p < present) label[q] = labels[first + p];
  }
  for (unsigned c = threadIdx.x; c < k; c += Threads)
    start[c] = 0;
  for (unsigned r = threadIdx.x; r < roomForRuns; r += Threads)
    run[r] = 0;
  if (threadIdx.x <= longestRun) ofLength[threadIdx.x] = 0;
  if (threadIdx.x == 0 && present % 2 != 0) order[present] = 0; // the other half of the last word
  __syncthreads();
  LLOYD_UNROLL
  for (unsigned q = 0; q < perThread; ++q) {
    rank[q] = 0;
    if (label[q] >= 0) rank[q] = atomicAdd(&start[static_cast<unsigned>(label[q])], 1u);
  }
  __syncthreads();

  // A thread takes neighbouring clusters, so that where they begin is a sum over the threads before it.
  const unsigned each = (k + Threads - 1) / Threads;
  const unsigned firstCluster = threadIdx.x * each < k ? threadIdx.x * each : k;
  const unsigned lastCluster = firstCluster + each < k ? firstCluster + each : k;
  unsigned own = 0;
  unsigned most = 0;
  for (unsigned c = firstCluster; c < lastCluster; ++c) {
    const unsigned size = start[c];
    own += size;
    most = size > most ? size : most;
    if (size >= longestRun) atomicAdd(&ofLength[longestRun], size / longestRun);
    if (size % longestRun != 0) atomicAdd(&ofLength[size % longestRun], 1u);
  }
  unsigned upTo = own;
  LLOYD_UNROLL
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(everyLane, upTo, distance);
    if (lane >= distance) upTo += before;
  }
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const unsigned other = __shfl_xor_sync(everyLane, most, static_cast<int>(distance));
    most = other > most ? other : most;
  }
  if (lane == 31) {
    warpPoints[warp] = upTo;
    warpMost[warp] = most;
  }
  __syncthreads();
  unsigned at = upTo - own;
  for (unsigned w = 0; w < warp; ++w)
    at += warpPoints[w];
  if (warp == 0) {
    const unsigned runsOfLength = ofLength[longestRun - lane];
    unsigned longer = runsOfLength;
    LLOYD_UNROLL
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned before = __shfl_up_sync(everyLane, longer, distance);
      if (lane >= distance) longer += before;
    }
    ofLength[longestRun - lane] = longer - runsOfLength;
    if (lane == 31) {
      for (unsigned w = 0; w < warps; ++w) {
        const unsigned other = warpMost[w];
        most = other > most ? other : most;
      }
      heads[2 * blockIdx.x] = longer;
      heads[2 * blockIdx.x + 1] = (most + longestRun - 1) / longestRun;
    }
  }
  __syncthreads();

  for (unsigned c = firstCluster; c < lastCluster; ++c) {
    const unsigned size = start[c];
    start[c] = at;
    for (unsigned done = 0; done < size; done += longestRun) {
      const unsigned length = size - done < longestRun ? size - done : longestRun;
      const unsigned place = atomicAdd(&ofLength[length], 1u);
      run[place] = packedRun(c, size > longestRun, length, at + done);
    }
    at += size;
  }
  __syncthreads();
  LLOYD_UNROLL
  for (unsigned q = 0; q < perThread; ++q) {
    if (label[q] < 0) continue;
    const unsigned begin = start[static_cast<unsigned>(label[q])];
    order[begin + rank[q]] = q * Threads + threadIdx.x;
  }
  __syncthreads();

  const std::size_t tile = blockIdx.x;
  for (unsigned v = threadIdx.x; v < (present + 1) / 2; v += Threads) {
    const unsigned even = order[2 * v];
    const unsigned odd = order[2 * v + 1];
    orders[tile * (Points / 2) + v] = even | odd << 16;
  }
  for (unsigned r = threadIdx.x; r < roomForRuns; r += Threads) {
    const unsigned packed = run[r];
    runs[tile * roomForRuns + r] = packed;
  }
}

} // namespace lloyd::reduce

// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.columns: a block adds up 32 coordinates of a run of points in one table of clusters in shared
// memory, and needs no atomics for it. Clusters are dealt out to its warps, so that no two of them meet in
// the table; a warp takes the points of its own clusters one after another, a lane for each coordinate, so
// that no two of its lanes do.
//
// Points come in tiles of 128, loaded along the rows as they lie in memory and stored turned over, and while
// one is added up the next one's loads are under way. A warp votes which points of 32 are its own. It takes
// four of them at once where they are of four clusters, because one after another would wait for each other.
//
// What it costs: the labels are read again for every 32 coordinates, and every point's pivot comes from a
// cache. Few clusters are few warps' work. What to look at: the time beside reduce.general's from D = 32 on,
// and against what the points' bytes take.
#include "gpu/kernels/ladder.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr unsigned lanes = 32;
constexpr unsigned warps = 8;
constexpr unsigned threads = lanes * warps;
constexpr unsigned tilePoints = 128;
constexpr unsigned tileRow =
    lanes + 1; // a word is free behind each point, so that turning it over meets in no bank
/// So many values are added in float before the sum goes on in double: more would make it stand still.
constexpr unsigned addedInFloat = 128;
constexpr unsigned perThread = lanes * tilePoints / threads;

/// Bytes of shared memory of a block: a table of sums, and one of counts.
std::size_t tableBytes(int k) { return static_cast<std::size_t>(k) * (lanes + 1) * sizeof(float); }

LLOYD_KERNEL_UP_TO(512)
reduce_columns(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
               LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
               std::size_t n, unsigned d, unsigned k, unsigned groups, std::size_t pointsPerBlock) {
  LLOYD_DYNAMIC_SHARED(float, table, 0, k* lanes);
  LLOYD_DYNAMIC_SHARED(unsigned, tableCount, k* lanes * sizeof(float), k);
  LLOYD_SHARED(float, tile, tilePoints* tileRow); // [point][coordinate]
  LLOYD_SHARED(Label, tileLabel, tilePoints);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned warp = threadIdx.x / lanes;
  const unsigned group = blockIdx.x % groups;
  const unsigned firstRow = group * lanes;
  const unsigned row = firstRow + lane < d ? firstRow + lane : d - 1; // a lane past the end adds for nobody
  const std::size_t begin = static_cast<std::size_t>(blockIdx.x / groups) * pointsPerBlock;
  const std::size_t end = begin + pointsPerBlock < n ? begin + pointsPerBlock : n;

  for (unsigned v = threadIdx.x; v < k * lanes; v += threads)
    table[v] = 0;
  for (unsigned c = threadIdx.x; c < k; c += threads)
    tableCount[c] = 0;

  // A thread loads the same point of every tile, of each second coordinate.
  const unsigned ownPoint = threadIdx.x % tilePoints;
  const unsigned ownRow = threadIdx.x / tilePoints;
  float next[perThread];
  Label nextLabel = -1;
  const auto load = [&](std::size_t first) {
    const std::size_t i = first + ownPoint;
    nextLabel = -1;
    if (i < end) nextLabel = labels[i];
    LLOYD_UNROLL
    for (unsigned part = 0; part < perThread; ++part) {
      const unsigned j = firstRow + part * (threads / tilePoints) + ownRow;
      float x = 0;
      if (i < end && j < d) x = points[j * stride + i];
      next[part] = x;
    }
  };

  load(begin);
  for (std::size_t first = begin; first < end; first += tilePoints) {
    __syncthreads();
    LLOYD_UNROLL
    for (unsigned part = 0; part < perThread; ++part)
      tile[ownPoint * tileRow + part * (threads / tilePoints) + ownRow] = next[part];
    if (ownRow == 0) tileLabel[ownPoint] = nextLabel;
    __syncthreads();
    if (first + tilePoints < end) load(first + tilePoints);

    for (unsigned from = 0; from < tilePoints; from += lanes) {
      const Label own = tileLabel[from + lane];
      unsigned mine = __ballot_sync(0xffffffffu, own >= 0 && static_cast<unsigned>(own) % warps == warp);
      while (mine != 0) {
        constexpr unsigned together = 4;
        unsigned cluster[together];
        float deviation[together];
        unsigned taken = 0;
        LLOYD_UNROLL
        for (unsigned t = 0; t < together; ++t) {
          cluster[t] = 0;
          deviation[t] = 0;
          if (mine == 0) continue;
          const unsigned p = from + static_cast<unsigned>(__ffs(mine)) - 1;
          mine &= mine - 1;
          const Label label = tileLabel[p];
          cluster[t] = static_cast<unsigned>(label);
          const float x = tile[p * tileRow + lane];
          const float pivot = pivots[static_cast<std::size_t>(cluster[t]) * d + row];
          deviation[t] = x - pivot;
          taken = t + 1;
        }
        // All lanes have the same clusters, so that all go the same way.
        const bool apart = taken == together && cluster[0] != cluster[1] && cluster[0] != cluster[2] &&
                           cluster[0] != cluster[3] && cluster[1] != cluster[2] && cluster[1] != cluster[3] &&
                           cluster[2] != cluster[3];
        if (apart) {
          float sum[together];
          LLOYD_UNROLL
          for (unsigned t = 0; t < together; ++t) {
            const float before = table[cluster[t] * lanes + lane];
            sum[t] = before + deviation[t];
          }
          LLOYD_UNROLL
          for (unsigned t = 0; t < together; ++t)
            table[cluster[t] * lanes + lane] = sum[t];
        } else {
          LLOYD_UNROLL
          for (unsigned t = 0; t < together; ++t) {
            if (t >= taken) continue;
            const float before = table[cluster[t] * lanes + lane];
            table[cluster[t] * lanes + lane] = before + deviation[t];
          }
        }
        LLOYD_UNROLL
        for (unsigned t = 0; t < together; ++t) {
          if (t >= taken) continue;
          const unsigned before = tableCount[cluster[t]];
          __syncwarp();
          if (lane == 0) tableCount[cluster[t]] = before + 1;
          __syncwarp();
          if (before % addedInFloat != addedInFloat - 1) continue;
          const float sum = table[cluster[t] * lanes + lane];
          table[cluster[t] * lanes + lane] = 0;
          if (firstRow + lane < d)
            atomicAdd(&sums[static_cast<std::size_t>(cluster[t]) * d + row], static_cast<double>(sum));
        }
      }
    }
  }
  __syncthreads();

  for (unsigned v = threadIdx.x; v < k * lanes; v += threads) {
    const float sum = table[v];
    const unsigned j = firstRow + v % lanes;
    if (j < d && sum != 0)
      atomicAdd(&sums[static_cast<std::size_t>(v / lanes) * d + j], static_cast<double>(sum));
  }
  if (group != 0) return;
  for (unsigned c = threadIdx.x; c < k; c += threads) {
    const unsigned count = tableCount[c];
    if (count > 0) atomicAdd(&counts[c], count);
  }
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t groups = blocksFor(static_cast<std::size_t>(problem.d), lanes);
  const std::size_t bytes = tableBytes(problem.k);
  // Blocks enough to fill the card, and runs long enough that adding up outweighs emptying the table.
  const std::size_t atOnce = blocksAtOnce(context, reduce_columns, static_cast<int>(threads), bytes);
  const std::size_t runs = std::max<std::size_t>(1, 2 * atOnce / groups);
  const std::size_t least = std::max<std::size_t>(1024, 4 * static_cast<std::size_t>(problem.k));
  const std::size_t pointsPerBlock =
      std::clamp<std::size_t>(blocksFor(problem.n, runs), least, std::max<std::size_t>(least, 65536));
  const LaunchShape shape{blocksFor(problem.n, pointsPerBlock) * groups, static_cast<int>(threads), bytes};
  launchReduce(args, context, shape, reduce_columns, problem.d, problem.k, groups, pointsPerBlock);
}

Reason tableLimit(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  const std::size_t others = (tilePoints * tileRow + tilePoints) * sizeof(float) + staticSharedBytes;
  return sharedLimit(variant, "reduce.general", "a sum for each cluster and 32 coordinates",
                     tableBytes(problem.k) + others, device);
}

} // namespace

LLOYD_REGISTER(
    reduce_columns,
    {.family = "reduce",
     .tag = "columns",
     .name = "a lane a coordinate",
     .idea = "Warps have clusters of their own and lanes coordinates, so that a table in shared memory "
             "needs no atomics.",
     .canRun = tableLimit},
    {.reduce = launch})

} // namespace lloyd

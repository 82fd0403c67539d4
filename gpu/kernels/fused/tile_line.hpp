// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tiles on a line. Sorted points need no search for what belongs to a cluster: it is a stretch of the order,
// whose sum is the difference of the prefix sums at its two ends. So a lane takes a run of tiles at once,
// from the lowest value of the first to the highest of the last, and only the few runs with a border between
// two clusters in them are looked at tile by tile, and of their tiles only those on the border point by
// point. There are about as many of these as there are clusters, however many points, so that their warp does
// them at once instead of handing them to a second kernel.
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/tile_points.hpp"

namespace lloyd::fused {

/// Points side by side in the order: where they begin and end, and the sums of all before either place.
struct Stretch {
  unsigned begin;
  unsigned end;
  Sum before;
  Sum through;
};
template <class Prefix>
LLOYD_DEVICE Stretch stretchOf(const Prefix& prefix, unsigned firstTile, unsigned endTile, unsigned size,
                               std::size_t n) {
  const std::size_t end = static_cast<std::size_t>(endTile) * size;
  const long long before = prefix[firstTile];
  const long long through = prefix[endTile];
  return {firstTile * size, static_cast<unsigned>(end < n ? end : n), static_cast<Sum>(before),
          static_cast<Sum>(through)};
}

/// By one warp, whose lanes have stretches side by side: gives those of the lanes that add to their clusters.
/// Neighbours with one cluster are one stretch.
template <class Halves>
LLOYD_DEVICE void addStretches(const Halves& halves, bool adds, unsigned cluster, const Stretch& own) {
  unsigned left = __ballot_sync(0xffffffffu, adds ? 1 : 0);
  while (left != 0) {
    const int first = __ffs(left) - 1;
    const unsigned owner = __shfl_sync(0xffffffffu, cluster, first);
    const unsigned others = ~__ballot_sync(0xffffffffu, adds && cluster == owner ? 1 : 0) >> first << first;
    const int end = others == 0 ? 32 : __ffs(others) - 1;
    const Sum sum =
        __shfl_sync(0xffffffffu, own.through, end - 1) - __shfl_sync(0xffffffffu, own.before, first);
    const unsigned points =
        __shfl_sync(0xffffffffu, own.end, end - 1) - __shfl_sync(0xffffffffu, own.begin, first);
    if (threadIdx.x % 32 == 0) {
      addTo(halves, owner * 2, sum);
      addTo(halves, owner * 2 + 1, points);
    }
    left &= end == 32 ? 0 : ~0u << end;
  }
}

/// Labels of eight tiles, two in a word.
LLOYD_DEVICE unsigned labelIn(const uint4& labels, unsigned tile) {
  const unsigned low = tile < 2 ? labels.x : labels.y;
  const unsigned high = tile < 6 ? labels.z : labels.w;
  return (tile < 4 ? low : high) >> (16 * (tile % 2)) & 0xffffu;
}

/// A run of tiles, as one of the lanes has it.
struct Run {
  unsigned first; ///< tile
  uint4 old;      ///< labels
};
LLOYD_DEVICE Run runOfLane(const Run& run, int lane) {
  return {__shfl_sync(0xffffffffu, run.first, lane),
          uint4{__shfl_sync(0xffffffffu, run.old.x, lane), __shfl_sync(0xffffffffu, run.old.y, lane),
                __shfl_sync(0xffffffffu, run.old.z, lane), __shfl_sync(0xffffffffu, run.old.w, lane)}};
}

/// perWarp: runs that a warp takes at once, up to 32. A block that has few leaves the others their share.
/// handsOver: the points of no other launch are to be added first.
LLOYD_KERNEL_UP_TO(512)
fused_v3_line(LLOYD_GLOBAL(const float) lows, LLOYD_GLOBAL(const float) highs,
              LLOYD_GLOBAL(const long long) prefix, LLOYD_GLOBAL(const long long) tileSums,
              LLOYD_GLOBAL(const float4) vectors, LLOYD_GLOBAL_TWICE(const uint4) oldRuns,
              LLOYD_GLOBAL_TWICE(uint4) runLabels, LLOYD_GLOBAL_TWICE(std::uint16_t) tileLabels,
              LLOYD_GLOBAL_TWICE(const unsigned) oldWords, LLOYD_GLOBAL_TWICE(unsigned) words,
              LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) sums,
              LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) ticket, LLOYD_GLOBAL(Sum) totals,
              std::size_t n, unsigned k, unsigned tiles, unsigned parts, unsigned perWarp, bool handsOver,
              FixedPoint fixed) {
  LLOYD_DYNAMIC_SHARED(Sum, blockSums, 0, totalsWidth(1, k));
  LLOYD_DYNAMIC_SHARED(unsigned, halves, 0, 2 * totalsWidth(1, k)); // of the same sums
  LLOYD_DYNAMIC_SHARED(float, centers, totalsWidth(1, k) * sizeof(Sum), k);
  LLOYD_DYNAMIC_SHARED(unsigned, list, totalsWidth(1, k) * sizeof(Sum) + k * sizeof(float),
                       blockDim.x / 32 * k);
  LLOYD_SHARED(unsigned, last, 1);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  const unsigned size = parts * inPart<1>;
  const auto runs = static_cast<unsigned>(runsOfTiles(tiles));
  beginBlock<1>(blockSums, centers, centroids, k);

  unsigned newLabels = 0;
  // Among the tiles of run, with count candidates in the warp's list.
  const auto passRun = [&](const Run& run, unsigned count) {
    const unsigned place = lane % tilesInRun;
    const bool here = lane < tilesInRun && run.first + place < tiles;
    const unsigned tile = here ? run.first + place : run.first;
    const unsigned old = labelIn(run.old, place);
    Ruled<1> box{};
    box.low[0] = lows[tile];
    box.high[0] = highs[tile];
    const Stretch own = stretchOf(prefix, tile, tile + 1, size, n);
    const TileList candidates = candidatesAmong(box, centers, list, warp * k, count);
    const unsigned label = firstOf(candidates);
    const bool isOne = numberOf(candidates) == 1;
    // A tile that was mixed must say how many of its points change.
    const bool mixed = here && (!isOne || old == mixedTile);
    const bool adds = here && !mixed;
    if (here) tileLabels[tile] = isOne ? static_cast<std::uint16_t>(label) : mixedTile;
    if (adds && old != label) newLabels += own.end - own.begin;
    addStretches(halves, adds, label, own);
    for (unsigned left = __ballot_sync(0xffffffffu, mixed ? 1 : 0); left != 0; left &= left - 1) {
      const int source = __ffs(left) - 1;
      TilePart part{run.first + static_cast<unsigned>(source), 0,
                    __shfl_sync(0xffffffffu, candidates, source),
                    static_cast<std::uint16_t>(__shfl_sync(0xffffffffu, old, source))};
      for (; part.part < parts; ++part.part)
        newLabels += passPart<1, 1>(part, tileSums, vectors, oldWords, words, centers, fixed, halves, parts,
                                    tiles, n, k);
    }
  };

  for (unsigned first = (blockIdx.x + gridDim.x * warp) * perWarp; first < runs;
       first += gridDim.x * warps * perWarp) {
    const bool here = lane < perWarp && first + lane < runs;
    const unsigned at = here ? first + lane : first;
    const unsigned firstTile = at * tilesInRun;
    const unsigned endTile = firstTile + tilesInRun < tiles ? firstTile + tilesInRun : tiles;
    Ruled<1> box{};
    box.low[0] = lows[firstTile];
    box.high[0] = highs[endTile - 1];
    const Stretch own = stretchOf(prefix, firstTile, endTile, size, n);
    const Run run{firstTile, oldRuns[at]};
    const unsigned count = listCandidates(commonBox(box), centers, list, warp * k, k);
    const TileList candidates = candidatesAmong(box, centers, list, warp * k, count);
    const unsigned label = firstOf(candidates);
    bool isWhole = here && numberOf(candidates) == 1;
    unsigned others = 0; // points whose label was another
    LLOYD_UNROLL
    for (unsigned i = 0; i < tilesInRun; ++i) {
      if (firstTile + i >= endTile) continue;
      const unsigned old = labelIn(run.old, i);
      if (old == mixedTile) isWhole = false;
      if (old != label) others += pointsOfTile(firstTile + i, size, n);
    }
    const unsigned both = label * 0x00010001u;
    if (isWhole) {
      runLabels[at] = make_uint4(both, both, both, both);
      newLabels += others;
    }
    addStretches(halves, isWhole, label, own);
    for (unsigned left = __ballot_sync(0xffffffffu, here && !isWhole ? 1 : 0); left != 0; left &= left - 1)
      passRun(runOfLane(run, __ffs(left) - 1), count);
    __syncwarp(); // the list is written anew
  }
  addChanges(halves, 2 * (totalsWidth(1, k) - 1), newLabels);
  __syncthreads();
  addToTotals<1>(blockSums, totals, counts, changed, k);
  if (!isLastBlock(ticket, last)) return;
  if (handsOver) handOverTotals<1>(centers, fixed, totals, sums, counts, k);
}

static void launchTileLine(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const TileView& view = args.tiles.view;
  const std::size_t tiles = view.count;
  const std::size_t runs = runsOfTiles(tiles);
  const std::size_t places = tiles * view.size;
  const auto k = static_cast<std::size_t>(problem.k);
  const auto warps = static_cast<std::size_t>(args.tuning.block) / 32;
  const std::size_t sharedBytes = listBytes(problem, args.tuning.block);
  const std::size_t blocks = blocksAtOnce(context, fused_v3_line, args.tuning.block, sharedBytes);
  // Few runs go to as many warps as there are: a border takes much longer than a run without one.
  const std::size_t perWarp = std::min<std::size_t>(32, blocksFor(runs, blocks * warps));
  auto* const tickets = reinterpret_cast<unsigned*>(args.work.cleared);
  const TileLabelView& old = args.tiles.oldLabels;
  const TileLabelSpan& labels = args.tiles.labels;
  static_assert(sizeof(uint4) == tilesInRun * sizeof(std::uint16_t));
  launchKernel(context, {std::min(blocksFor(runs, perWarp * warps), blocks), args.tuning.block, sharedBytes},
               fused_v3_line, global(view.low, tiles), global(view.high, tiles),
               global(reinterpret_cast<const long long*>(view.prefix), tiles + 1),
               global(reinterpret_cast<const long long*>(view.sums), tiles),
               global(reinterpret_cast<const float4*>(view.points), places / perVector),
               global(reinterpret_cast<const uint4*>(old.tiles), runs),
               global(reinterpret_cast<uint4*>(labels.tiles), runs), global(labels.tiles, tiles),
               global(reinterpret_cast<const unsigned*>(old.points), places / perVector),
               global(reinterpret_cast<unsigned*>(labels.points), places / perVector),
               global(args.centroids, k), global(args.changed, 1), global(args.sums, args.sums ? k : 0),
               global(args.counts, k), global(tickets, 1),
               global(reinterpret_cast<Sum*>(args.work.cleared + ticketBytes), k), problem.n, problem.k,
               tiles, view.size / inPart<1>, perWarp, args.sums != nullptr, view.fixed);
}

} // namespace lloyd::fused

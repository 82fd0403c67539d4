// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whole iterations over few tiles in one launch, for schedules: a block for each multiprocessor, which wait
// for one another between iterations instead of for launches. A block keeps its tiles for many iterations, so
// that few points stay in the caches nearest to it. Every block moves the centroids itself, all to the same
// bits, because sums are exact.
//
// What an iteration costs where there are few points: finding what each tile's candidates are, the points of
// mixed tiles, and one meeting of all blocks, about 1.5 µs on an H200. A launch in a graph that repeats
// itself costs about 4 µs there, before it has done anything.
#include "gpu/kernels/decide.hpp"
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/tile_points.hpp"
#include "gpu/kernels/fused/tile_shares.hpp"
#include "gpu/kernels/update/moves.hpp"

namespace lloyd::fused {

/// As many threads of a block as find room for their registers.
inline constexpr unsigned loopThreads = 512;
inline constexpr unsigned loopWarps = loopThreads / 32;
/// Tiles of a block that it takes at once, a group of lanes each.
inline constexpr unsigned inSweep = loopThreads / inGroup;

/// Sets of totals: those of one iteration are added to while some block may still read those of the one
/// before, and while those of the one after are being cleared.
inline constexpr unsigned sets = 3;

[[nodiscard]] inline std::size_t loopTotals(const Problem& problem) {
  return std::size_t{sets} * totalsWidth(static_cast<unsigned>(problem.d), static_cast<unsigned>(problem.k));
}
/// Cleared work memory: tickets, then the totals. The launch leaves it zero.
[[nodiscard]] inline std::size_t loopBytes(const Problem& problem) {
  return ticketBytes + loopTotals(problem) * sizeof(Sum);
}

/// A block's own totals, those of all blocks, and centroids before and after.
[[nodiscard]] inline std::size_t loopSharedBytes(const Problem& problem) {
  const std::size_t width = totalsWidth(static_cast<unsigned>(problem.d), static_cast<unsigned>(problem.k));
  return 2 * width * sizeof(Sum) + 2 * problem.centroidValues() * sizeof(float);
}

/// tickets: of blocks that have ended, and of those that have come to a meeting. order, wasMixed:
/// of tiles, as beginShares() has them; mixedWords: wasMixed as shareTiles() reads it. lanes: to a cluster,
/// as in update.v1.
template <unsigned D, unsigned Vectors>
LLOYD_KERNEL_UP_TO(loopThreads)
fused_v3_loop(LLOYD_GLOBAL(const float) lows, LLOYD_GLOBAL(const float) highs,
              LLOYD_GLOBAL(const long long) tileSums, LLOYD_GLOBAL(const float4) vectors,
              LLOYD_GLOBAL(std::uint16_t) tileLabels, LLOYD_GLOBAL(unsigned) words,
              LLOYD_GLOBAL(float) centroids, LLOYD_GLOBAL(float) used, LLOYD_GLOBAL(unsigned) sizes,
              LLOYD_GLOBAL(const LoopParams) params, LLOYD_GLOBAL(LoopOutcome) outcome,
              LLOYD_GLOBAL(unsigned) tickets, LLOYD_GLOBAL(Sum) totals, LLOYD_GLOBAL(unsigned) order,
              LLOYD_GLOBAL_TWICE(std::uint8_t) wasMixed, LLOYD_GLOBAL_TWICE(const unsigned) mixedWords,
              std::uint64_t loop, std::size_t n, unsigned k, unsigned tiles, unsigned parts, unsigned lanes,
              FixedPoint fixed) {
  const unsigned width = totalsWidth(D, k);
  std::size_t at = 0;
  LLOYD_DYNAMIC_SHARED(Sum, blockTotals, at, width);
  LLOYD_DYNAMIC_SHARED(unsigned, halves, at, 2 * width); // of the same totals
  at += width * sizeof(Sum);
  LLOYD_DYNAMIC_SHARED(Sum, allTotals, at, width);
  at += width * sizeof(Sum);
  LLOYD_DYNAMIC_SHARED(float, centers, at, k* D);
  at += k * D * sizeof(float);
  LLOYD_DYNAMIC_SHARED(float, before, at, k* D);
  LLOYD_SHARED(double, warpMove, loopWarps);
  LLOYD_SHARED(unsigned, warpEmpty, loopWarps);
  LLOYD_SHARED(unsigned, warpMixed, loopWarps);
  LLOYD_SHARED(TileList, waitingLists, inSweep);
  LLOYD_SHARED(unsigned, waiting, inSweep);
  LLOYD_SHARED(unsigned, waitingOld, inSweep);
  LLOYD_SHARED(unsigned, wait, 2); // how many do, in this sweep; zero for the next one
  LLOYD_SHARED(unsigned, last, 1);
  const unsigned member = threadIdx.x % inGroup;
  const unsigned warp = threadIdx.x / 32;
  const unsigned j = threadIdx.x % lanes; // the thread's coordinate when centroids move
  const Measure measure = measureOf<D>(fixed, j);
  const LoopParams told = params[0];
  // On a line or a plane so few tiles are mixed that sharing them takes longer than it gains.
  constexpr bool shares = D == 3;
  if (threadIdx.x < 2) wait[threadIdx.x] = 0;
  for (unsigned v = threadIdx.x; v < width; v += blockDim.x)
    blockTotals[v] = 0;
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centers[v] = centroids[v];
  if (shares) beginShares(order, wasMixed, tiles);
  __syncthreads();

  const auto passOne = [&](const TilePart& part) {
    return passPart<D, Vectors>(part, tileSums, vectors, words, words, centers, fixed, halves, parts, tiles,
                                n, k);
  };
  const auto tileAt = [&](unsigned place) {
    unsigned tile = 0; // also of lanes that have none
    if (place < tiles) tile = shares ? order[place] : place;
    return tile;
  };
  const unsigned ownPlace = blockIdx.x + gridDim.x * (threadIdx.x / inGroup); // in the first sweep
  unsigned ownTile = tileAt(ownPlace);
  unsigned round = 1;
  unsigned sweep = 0; // of two
  schedule::Decision decision{};
  double largestMove = 0; // squared; thread 0 has the whole block's once it is folded, as it has empty
  unsigned empty = 0;
  for (;; ++round) {
    unsigned newLabels = 0;
    for (unsigned first = blockIdx.x; first < tiles; first += gridDim.x * inSweep, sweep ^= 1u) {
      const unsigned place = first + gridDim.x * (threadIdx.x / inGroup);
      const bool here = place < tiles;
      unsigned tile = ownTile;
      if (first != blockIdx.x) tile = tileAt(place);
      Ruled<D> box{};
      LLOYD_UNROLL
      for (unsigned axis = 0; axis < D; ++axis) {
        box.low[axis] = lows[static_cast<std::size_t>(axis) * tiles + tile];
        box.high[axis] = highs[static_cast<std::size_t>(axis) * tiles + tile];
      }
      // One of the tile's sums, or its points: if it has one candidate they are wanted soon, else later.
      const unsigned points = pointsOfTile(tile, parts * inPart<Vectors>, n);
      Sum number = points;
      if (member < D) number = static_cast<Sum>(tileSums[static_cast<std::size_t>(member) * tiles + tile]);
      const std::uint16_t old = tileLabels[tile];
      const TileList candidates = candidatesOfGroup(box, centers, k);
      const bool isOne = numberOf(candidates) == 1;
      const std::uint16_t label = isOne ? static_cast<std::uint16_t>(firstOf(candidates)) : mixedTile;
      // A tile that was mixed must say how many of its points change.
      const bool waits = !isOne || old == mixedTile;
      if (here && !waits && member <= D) addTo(halves, label * (D + 1) + member, number);
      __syncwarp(); // all lanes have the old label
      if (here && member == 0) {
        if (old != label) tileLabels[tile] = label;
        if (shares && sharesAfter(round)) wasMixed[tile] = isOne ? 0 : 1;
        if (waits) {
          const unsigned next = atomicAdd(&wait[sweep], 1u);
          waiting[next] = tile;
          waitingOld[next] = old;
          waitingLists[next] = candidates;
        } else if (old != label) {
          newLabels += points;
        }
      }
      __syncthreads();
      // Mixed tiles lie side by side, and take much longer than others: all warps share them.
      const unsigned waiters = wait[sweep];
      if (threadIdx.x == 0) wait[sweep ^ 1u] = 0;
      for (unsigned w = warp / parts; w < waiters; w += loopWarps / parts)
        newLabels +=
            passOne({waiting[w], warp % parts, waitingLists[w], static_cast<std::uint16_t>(waitingOld[w])});
      if (first + gridDim.x * inSweep < tiles) __syncthreads(); // before others wait there
    }
    addChanges(halves, 2 * (width - 1), newLabels);
    __syncthreads();

    const unsigned set = round % sets * width;
    for (unsigned v = threadIdx.x; v < width; v += blockDim.x) {
      const Sum sum = blockTotals[v];
      blockTotals[v] = 0;
      if (sum != 0) atomicAdd(&totals[set + v], sum);
    }
    waitForGrid(&tickets[1], round * gridDim.x);
    for (unsigned v = threadIdx.x; v < width; v += blockDim.x) {
      allTotals[v] = readAnew(&totals[set + v]);
      // Those of the iteration before, which nobody reads any more, for the one after the next.
      if (blockIdx.x == 0) totals[(round + 2) % sets * width + v] = 0;
    }
    __syncthreads();

    largestMove = 0;
    empty = 0;
    for (unsigned base = 0; base < k; base += blockDim.x / lanes) {
      const unsigned c = base + threadIdx.x / lanes;
      double move = 0;
      if (c < k) {
        const auto count = static_cast<unsigned>(allTotals[c * (D + 1) + D]);
        if (j < D) {
          const float center = centers[c * D + j];
          const double sum = deviationSum(measure, allTotals[c * (D + 1) + j], count, center);
          const float after = count > 0 ? static_cast<float>(center + sum / count) : center;
          before[c * D + j] = center;
          centers[c * D + j] = after;
          const double step = static_cast<double>(after) - center;
          move = fma(step, step, 0.0);
        }
        if (count == 0 && j == 0) ++empty;
      }
      move = moveOfCluster(move, lanes);
      if (move > largestMove) largestMove = move;
    }
    // The largest move decides only where there is a tolerance; else every thread knows by itself.
    float shift = 0;
    if (told.tolerance > 0) {
      double largest = largestMove;
      unsigned none = empty;
      foldMoves(warpMove, warpEmpty, warpsWithClusters(k, lanes), largest, none);
      if (threadIdx.x == 0) warpMove[0] = largest;
      __syncthreads();
      shift = static_cast<float>(sqrt(warpMove[0]));
    }
    decision = schedule::decide(told, round, static_cast<unsigned>(allTotals[width - 1]), shift);
    __syncthreads(); // the centroids are there, and all have read what the next iteration writes
    if (!decision.again) break;
    if (!shares || !sharesAfter(round)) continue;
    shareTiles(mixedWords, order, warpMixed, tiles); // nobody writes wasMixed before all have met again
    ownTile = tileAt(ownPlace);
  }

  const auto changed = static_cast<unsigned>(allTotals[width - 1]);
  foldMoves(warpMove, warpEmpty, warpsWithClusters(k, lanes), largestMove, empty);
  if (!isLastBlock(tickets, last)) return; // so nobody waits, nor reads the centroids it began with
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x) {
    centroids[v] = centers[v];
    used[v] = before[v];
  }
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x)
    sizes[c] = static_cast<unsigned>(allTotals[c * (D + 1) + D]);
  for (unsigned v = threadIdx.x; v < sets * width; v += blockDim.x)
    totals[v] = 0;
  if (threadIdx.x != 0) return;
  tickets[1] = 0;
  const auto shift = static_cast<float>(sqrt(largestMove));
  outcome[0] = LoopOutcome{round, changed, UpdateOutcome{shift, empty}, decision.settled ? 1u : 0u};
  if (loop != 0) repeatLoop(loop, false);
}

/// The blocks are as large as the kernel's registers let them be, whatever the tuning parameter says.
static void launchTileLoop(const IterateArgs& args, LaunchContext& context) {
  const FusedArgs& pass = args.pass;
  const Problem& problem = pass.problem;
  const TileView& view = pass.tiles.view;
  const std::size_t tiles = view.count;
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t places = tiles * view.size;
  auto* const order = reinterpret_cast<unsigned*>(pass.work.scratch);
  const unsigned mixedWords = mixedWordsOf(static_cast<unsigned>(tiles));
  const std::size_t blocks = std::min(blocksFor(tiles, loopWarps), blocksTogether(context));
  const auto launchAs = [&](auto kernel, unsigned parts) {
    launchKernel(context, {blocks, static_cast<int>(loopThreads), loopSharedBytes(problem), true}, kernel,
                 global(view.low, tiles * d), global(view.high, tiles * d),
                 global(reinterpret_cast<const long long*>(view.sums), tiles * d),
                 global(reinterpret_cast<const float4*>(view.points), places * d / perVector),
                 global(pass.tiles.labels.tiles, tiles),
                 global(reinterpret_cast<unsigned*>(pass.tiles.labels.points), places / perVector),
                 global(args.centroids, problem.centroidValues()),
                 global(args.used, problem.centroidValues()), global(args.sizes, k), global(args.params, 1),
                 global(args.outcome, 1), global(reinterpret_cast<unsigned*>(pass.work.cleared), 2),
                 global(reinterpret_cast<Sum*>(pass.work.cleared + ticketBytes), loopTotals(problem)),
                 global(order, tiles),
                 global(reinterpret_cast<std::uint8_t*>(order + tiles), mixedWords * inMixedWord),
                 global(static_cast<const unsigned*>(order + tiles), mixedWords), context.loop, problem.n,
                 problem.k, tiles, parts, lanesOfCluster(problem.d), view.fixed);
  };
  const auto launchFor = [&](auto D) {
    if constexpr (D == 3) { // below, few tiles wait, and two warps a tile are done sooner than one
      if (vectorsFor(view.size) == 2) return launchAs(fused_v3_loop<D, 2>, view.size / inPart<2>);
    }
    launchAs(fused_v3_loop<D, 1>, view.size / inPart<1>);
  };
  dispatch(launchFor, oneOf<1, 2, 3>(problem.d));
}

} // namespace lloyd::fused

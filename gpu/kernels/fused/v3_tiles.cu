// SPDX-License-Identifier: GPL-3.0-or-later
// fused.v3, tiles: most points are never looked at. They have been put in order along a curve once, and cut
// into tiles with boxes and sums (gpu/core/tiles/tiles.hpp). A tile whose box has one candidate adds its sums
// whole and gets one label; only in the others are points read, and those ask the tile's candidates alone.
// Labels are the same to the last bit as if all had been asked, sums are exact integers.
//
// First a warp takes 32 tiles that follow one another, whose common box leaves few candidates for each of
// them to try, even of hundreds of clusters. Tiles with more than one candidate wait for a second kernel:
// they lie side by side along the borders between clusters, so that some blocks find many and others none,
// and only once all are known can they be shared evenly.
//
// Against v2: the bytes are those of tiles and of borders, so that the time falls below what reading every
// point once would take, and a larger K means longer borders. What it costs: ordering the points, once, and
// their memory again; labels stay with the tiles, where drawing looks them up, and writing them for every
// point is a stage of its own. Points that move must be ordered anew. What to look at: time against N beside
// v2's, and how many tiles are mixed, which falls with their size and rises with D. On a line one kernel adds
// clusters up by stretches (tile_line.hpp); where tiles are few, a schedule repeats whole iterations by
// another (tile_loop.hpp).
//
// Points that come in batches (gpu/engine/streamed) have a launch each. Without FusedArgs::sums a launch
// leaves its exact totals in the cleared work memory, where the next one adds to them; the last hands over
// those of all. Without TileView::points only the first kernel runs, which adds the tiles that have one label
// and had one before, and tells the others.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/tile_candidates.hpp"
#include "gpu/kernels/fused/tile_line.hpp"
#include "gpu/kernels/fused/tile_loop.hpp"
#include "gpu/kernels/fused/tile_points.hpp"
#include "gpu/kernels/limits.hpp"

namespace lloyd {
namespace {

using namespace fused;

constexpr unsigned inRun = 32; ///< tiles that a warp takes at once

/// As few registers a thread as such a block would leave: more warps are worth more here.
constexpr unsigned registersFor = 1024;
/// Eight points a lane take more of them: small blocks leave the fewest unused.
constexpr int pointThreads = 128;
template <unsigned Vectors>
constexpr unsigned pointRegistersFor = Vectors == 1 ? registersFor : 640;

/// lists: a second kernel follows for the tiles that wait. waiting: their number. waitingTiles, waitingOld,
/// waitingLists: they, their labels before, their candidates.
template <unsigned D>
LLOYD_KERNEL_UP_TO(registersFor)
fused_v3_tiles(LLOYD_GLOBAL(const float) lows, LLOYD_GLOBAL(const float) highs,
               LLOYD_GLOBAL(const long long) tileSums, LLOYD_GLOBAL_TWICE(const std::uint16_t) oldTiles,
               LLOYD_GLOBAL_TWICE(std::uint16_t) tileLabels, LLOYD_GLOBAL(const float) centroids,
               LLOYD_GLOBAL(unsigned) waiting, LLOYD_GLOBAL(unsigned) waitingTiles,
               LLOYD_GLOBAL(std::uint16_t) waitingOld, LLOYD_GLOBAL(TileList) waitingLists,
               LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(Sum) totals,
               std::size_t n, unsigned k, unsigned tiles, unsigned size, bool lists) {
  LLOYD_DYNAMIC_SHARED(Sum, blockSums, 0, totalsWidth(D, k));
  LLOYD_DYNAMIC_SHARED(unsigned, halves, 0, 2 * totalsWidth(D, k)); // of the same sums
  LLOYD_DYNAMIC_SHARED(float, centers, totalsWidth(D, k) * sizeof(Sum), k * D);
  LLOYD_DYNAMIC_SHARED(unsigned, list, totalsWidth(D, k) * sizeof(Sum) + k * D * sizeof(float),
                       blockDim.x / 32 * k);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  beginBlock<D>(blockSums, centers, centroids, k);

  const unsigned runs = (tiles + inRun - 1) / inRun;
  unsigned newLabels = 0;
  for (unsigned run = blockIdx.x + gridDim.x * warp; run < runs; run += gridDim.x * warps) {
    const bool here = run * inRun + lane < tiles;
    const unsigned tile = here ? run * inRun + lane : tiles - 1;
    Ruled<D> box{};
    Portion<D> whole;
    whole.count = pointsOfTile(tile, size, n);
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const std::size_t at = static_cast<std::size_t>(j) * tiles + tile;
      box.low[j] = lows[at];
      box.high[j] = highs[at];
      whole.sum[j] = tileSums[at];
    }
    const std::uint16_t old = oldTiles[tile];
    const unsigned count = listCandidates(commonBox(box), centers, list, warp * k, k);
    const TileList candidates = candidatesAmong(box, centers, list, warp * k, count);
    const unsigned label = firstOf(candidates);
    const bool isOne = numberOf(candidates) == 1;
    // A tile that was mixed must say how many of its points change.
    const bool waits = here && (!isOne || old == mixedTile);
    const bool adds = here && !waits;
    if (here) tileLabels[tile] = isOne ? static_cast<std::uint16_t>(label) : mixedTile;
    if (adds && old != label) newLabels += whole.count;

    const unsigned waiters = __ballot_sync(0xffffffffu, waits ? 1 : 0);
    if (lists && waiters != 0) {
      unsigned place = 0;
      if (lane == 0) place = atomicAdd(&waiting[0], static_cast<unsigned>(__popc(waiters)));
      place =
          __shfl_sync(0xffffffffu, place, 0) + static_cast<unsigned>(__popc(waiters & ((1u << lane) - 1u)));
      if (waits) {
        waitingTiles[place] = tile;
        waitingOld[place] = old; // where it came from has the new label now, when labels stay in place
        waitingLists[place] = candidates;
      }
    }
    unsigned adders = __ballot_sync(0xffffffffu, adds ? 1 : 0);
    while (adders != 0) {
      const unsigned cluster = __shfl_sync(0xffffffffu, label, __ffs(adders) - 1);
      const bool mine = adds && label == cluster;
      Portion<D> portion{};
      if (mine) portion = whole;
      addSpread<D>(halves, cluster, addUp(portion));
      adders &= ~__ballot_sync(0xffffffffu, mine ? 1 : 0);
    }
    __syncwarp(); // the list is written anew
  }
  addChanges(halves, 2 * (totalsWidth(D, k) - 1), newLabels);
  __syncthreads();
  addToTotals<D>(blockSums, totals, counts, changed, k);
}

/// The points of the tiles that wait; the last block hands over what both kernels have found, unless the
/// points of other launches are to be added first (handsOver).
template <unsigned D, unsigned Vectors>
LLOYD_KERNEL_UP_TO(pointRegistersFor<Vectors>)
fused_v3_points(LLOYD_GLOBAL(const long long) tileSums, LLOYD_GLOBAL(const float4) vectors,
                LLOYD_GLOBAL_TWICE(const unsigned) oldWords, LLOYD_GLOBAL_TWICE(unsigned) words,
                LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(unsigned) waiting,
                LLOYD_GLOBAL(const unsigned) waitingTiles, LLOYD_GLOBAL(const std::uint16_t) waitingOld,
                LLOYD_GLOBAL(const TileList) waitingLists, LLOYD_GLOBAL(unsigned) changed,
                LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) ticket,
                LLOYD_GLOBAL(Sum) totals, std::size_t n, unsigned k, unsigned tiles, unsigned parts,
                bool handsOver, FixedPoint fixed) {
  LLOYD_DYNAMIC_SHARED(Sum, blockSums, 0, totalsWidth(D, k));
  LLOYD_DYNAMIC_SHARED(unsigned, halves, 0, 2 * totalsWidth(D, k)); // of the same sums
  LLOYD_DYNAMIC_SHARED(float, centers, totalsWidth(D, k) * sizeof(Sum), k * D);
  LLOYD_SHARED(unsigned, last, 1);
  const unsigned warps = blockDim.x / 32;
  beginBlock<D>(blockSums, centers, centroids, k);

  const unsigned waiters = waiting[0];
  const unsigned step = gridDim.x * warps / parts;
  const unsigned warp = blockIdx.x * warps + threadIdx.x / 32;
  unsigned newLabels = 0;
  // A block has as many warps as a tile has parts, or a multiple of it: a warp keeps to one of the parts.
  for (unsigned at = warp / parts; at < waiters; at += step) {
    const TilePart part{waitingTiles[at], warp % parts, waitingLists[at], waitingOld[at]};
    newLabels += passPart<D, Vectors>(part, tileSums, vectors, oldWords, words, centers, fixed, halves, parts,
                                      tiles, n, k);
  }
  addChanges(halves, 2 * (totalsWidth(D, k) - 1), newLabels);
  __syncthreads();
  addToTotals<D>(blockSums, totals, counts, changed, k);
  if (!isLastBlock(ticket, last)) return;
  if (handsOver) handOverTotals<D>(centers, fixed, totals, sums, counts, k);
  if (threadIdx.x == 0) waiting[0] = 0; // as the next launch wants to find it
}

/// What all kernels keep in between launches; each leaves it zero.
std::size_t clearedBytes(const Problem& problem) {
  return std::max(totalsBytes(problem), loopBytes(problem));
}

constexpr std::size_t runsOf(std::size_t tiles) { return (tiles + inRun - 1) / inRun; }

void launch(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const TileView& view = args.tiles.view;
  const bool looksOnly = view.points == nullptr && view.count > 0;
  if (problem.d == 1 && !looksOnly) return launchTileLine(args, context);
  const std::size_t tiles = view.count;
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t places = tiles * view.size;
  auto* const lists = reinterpret_cast<TileList*>(args.work.scratch);
  auto* const waitingTiles = reinterpret_cast<unsigned*>(lists + tiles);
  auto* const waitingOld = reinterpret_cast<std::uint16_t*>(waitingTiles + tiles);
  auto* const tickets = reinterpret_cast<unsigned*>(args.work.cleared);
  auto* const totals = reinterpret_cast<Sum*>(args.work.cleared + ticketBytes);
  const auto tileSums = global(reinterpret_cast<const long long*>(view.sums), tiles * d);
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  const int block = args.tuning.block;

  const std::size_t listed = looksOnly ? 0 : tiles;
  const auto launchTiles = [&](auto D) {
    const std::size_t bytes = listBytes(problem, block);
    launchKernel(
        context,
        {std::min(runsOf(tiles), blocksAtOnce(context, fused_v3_tiles<D>, block, bytes)), block, bytes},
        fused_v3_tiles<D>, global(view.low, tiles * d), global(view.high, tiles * d), tileSums,
        global(args.tiles.oldLabels.tiles, tiles), global(args.tiles.labels.tiles, tiles),
        global(args.centroids, k * d), global(tickets + 1, 1), global(waitingTiles, listed),
        global(waitingOld, listed), global(lists, listed), global(args.changed, 1), global(args.counts, k),
        global(totals, k * d), problem.n, problem.k, tiles, view.size, !looksOnly);
  };
  if (looksOnly) {
    dispatch(launchTiles, oneOf<1, 2, 3>(problem.d));
    return;
  }
  const auto launchFor = [&](auto D, auto Vectors) {
    launchTiles(D);
    const unsigned parts = view.size / inPart<Vectors>;
    const std::size_t pointBytes = sumBytes(problem);
    launchKernel(context,
                 {std::min(blocksFor(tiles * parts, std::size_t{pointThreads / 32}),
                           blocksAtOnce(context, fused_v3_points<D, Vectors>, pointThreads, pointBytes)),
                  pointThreads, pointBytes},
                 fused_v3_points<D, Vectors>, tileSums,
                 global(reinterpret_cast<const float4*>(view.points), places * d / perVector),
                 global(reinterpret_cast<const unsigned*>(args.tiles.oldLabels.points), places / perVector),
                 global(reinterpret_cast<unsigned*>(args.tiles.labels.points), places / perVector),
                 global(args.centroids, k * d), global(tickets + 1, 1),
                 global(static_cast<const unsigned*>(waitingTiles), tiles),
                 global(static_cast<const std::uint16_t*>(waitingOld), tiles),
                 global(static_cast<const TileList*>(lists), tiles), global(args.changed, 1),
                 global(args.sums, args.sums ? k * d : 0), global(args.counts, k), global(tickets, 1),
                 global(totals, k * d), problem.n, problem.k, tiles, parts, args.sums != nullptr, view.fixed);
  };
  dispatch(launchFor, oneOf<2, 3>(problem.d), oneOf<1, 2>(vectorsFor(view.size)));
}

std::optional<std::string> canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
                                  const Tuning& tuning) {
  if (const auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  if (problem.k > 256)
    return "fused.v3 names centroids by bytes, so it takes up to 256 clusters, and there are " +
           std::to_string(problem.k) + ": fused.v1 takes more";
  return sharedLimit(variant, "fused.v1", "sums of every cluster",
                     std::max(listBytes(problem, tuning.block), loopSharedBytes(problem)) + staticSharedBytes,
                     device);
}

WorkBytes workBytes(const Problem& problem, const Tuning& tuning) {
  const std::size_t tiles = tilesOf(problem.n, static_cast<std::size_t>(tuning.items));
  return {clearedBytes(problem), tiles * (sizeof(TileList) + sizeof(unsigned) + sizeof(std::uint16_t))};
}

/// Where a warp has few tiles, an iteration is waiting for launches; with many, a run of 32 is the quicker
/// way.
bool repeatsItself(const Problem& problem, const Tuning& tuning) {
  return tilesOf(problem.n, static_cast<std::size_t>(tuning.items)) <= std::size_t{1} << 14;
}

unsigned tileSize(const Problem&, const Tuning& tuning) { return static_cast<unsigned>(tuning.items); }

} // namespace

LLOYD_REGISTER(fused_v3,
               {.family = "fused",
                .tag = "v3",
                .name = "tiles",
                .idea = "Ordered points lie in tiles with sums: only tiles that several centroids share are "
                        "read.",
                .changed = Changed::points,
                .narrowLabels = true,
                .parameters = {{"block", {128, 256, 512}, 256}, {"items", {128, 256, 512}, 256}},
                .canRun = canRun,
                .workBytes = workBytes,
                .tileSize = tileSize,
                .repeatsItself = repeatsItself},
               {.fused = launch, .loop = launchTileLoop})

} // namespace lloyd

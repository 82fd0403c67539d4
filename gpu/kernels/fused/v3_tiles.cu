// SPDX-License-Identifier: GPL-3.0-or-later
// fused.v3, tiles: most points are never looked at. They have been put in order along a curve once, and cut
// into tiles with boxes and sums (gpu/core/tiles.hpp). A tile whose box has one candidate adds its sums whole
// and gets one label; only in the others are points read, and those ask the tile's candidates alone. Labels
// are the same to the last bit as if all had been asked, sums are exact integers.
//
// A warp takes 32 tiles that follow one another, whose common box leaves few candidates for each of them to
// try, even of hundreds of clusters. Tiles with more than one candidate wait for the end of their block's own
// tiles; then its warps share them. Neighbouring runs of 32 go to different blocks, because the tiles that
// wait lie along the borders between clusters, next to one another.
//
// Against v2: the bytes are those of tiles and of borders, so that the time falls below what reading every
// point once would take, and a larger K means longer borders. What it costs: ordering the points, once, and
// their memory again; labels stay with the tiles, where drawing looks them up, and writing them for every
// point is a stage of its own. Points that move must be ordered anew. What to look at: time against N beside
// v2's, and how many tiles are mixed, which falls with their size and rises with D. Where tiles are few, a
// schedule repeats whole iterations by another kernel (tile_loop.hpp).
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/tile_candidates.hpp"
#include "gpu/kernels/fused/tile_loop.hpp"
#include "gpu/kernels/fused/tile_points.hpp"
#include "gpu/kernels/limits.hpp"

namespace lloyd {
namespace {

using namespace fused;

constexpr unsigned inRun = 32; ///< tiles that a warp takes at once

template <unsigned D, unsigned Vectors>
LLOYD_KERNEL_UP_TO(mostThreads(D, Vectors))
fused_v3(LLOYD_GLOBAL(const float) lows, LLOYD_GLOBAL(const float) highs,
         LLOYD_GLOBAL(const long long) tileSums, LLOYD_GLOBAL(const float4) vectors,
         LLOYD_GLOBAL_TWICE(const std::uint16_t) oldTiles, LLOYD_GLOBAL_TWICE(const unsigned) oldWords,
         LLOYD_GLOBAL_TWICE(std::uint16_t) tileLabels, LLOYD_GLOBAL_TWICE(unsigned) words,
         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(unsigned) waiting,
         LLOYD_GLOBAL(std::uint16_t) waitingOld, LLOYD_GLOBAL(TileList) waitingLists,
         LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
         LLOYD_GLOBAL(unsigned) ticket, LLOYD_GLOBAL(unsigned long long) totals, std::size_t n, unsigned k,
         unsigned tiles, FixedPoint fixed) {
  constexpr unsigned size = Vectors * perVector * 32;
  LLOYD_DYNAMIC_SHARED(Sum, blockSums, 0, k * (D + 1));
  LLOYD_DYNAMIC_SHARED(float, centers, k*(D + 1) * sizeof(Sum), k * D);
  LLOYD_DYNAMIC_SHARED(unsigned, list, k*(D + 1) * sizeof(Sum) + k * D * sizeof(float), blockDim.x / 32 * k);
  LLOYD_SHARED(unsigned, wait, 1);
  LLOYD_SHARED(unsigned, last, 1);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  if (threadIdx.x == 0) wait[0] = 0;
  for (unsigned v = threadIdx.x; v < k * (D + 1); v += blockDim.x)
    blockSums[v] = 0;
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centers[v] = centroids[v];
  __syncthreads();

  const std::size_t stride = static_cast<std::size_t>(tiles) * (size / perVector); // of vectors
  const unsigned runs = (tiles + inRun - 1) / inRun;
  const unsigned waitingAt = blockIdx.x * ((runs + gridDim.x - 1) / gridDim.x) * inRun;
  unsigned newLabels = 0;
  for (unsigned run = blockIdx.x + gridDim.x * warp; run < runs; run += gridDim.x * warps) {
    const bool here = run * inRun + lane < tiles;
    const unsigned tile = here ? run * inRun + lane : tiles - 1;
    Ruled<D> box;
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
    if (waiters != 0) {
      unsigned place = 0;
      if (lane == 0) place = atomicAdd(&wait[0], static_cast<unsigned>(__popc(waiters)));
      place = waitingAt + __shfl_sync(0xffffffffu, place, 0) +
              static_cast<unsigned>(__popc(waiters & ((1u << lane) - 1u)));
      if (waits) {
        waiting[place] = tile;
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
      reduce(portion);
      addPortion(blockSums, cluster, portion);
      adders &= ~__ballot_sync(0xffffffffu, mine ? 1 : 0);
    }
    __syncwarp(); // the list is written anew
  }
  __syncthreads();

  const unsigned waiters = wait[0];
  for (unsigned w = warp; w < waiters; w += warps) {
    const unsigned index = waiting[waitingAt + w];
    WarpTile<D> tile = loadTile<D>(tileSums, index, tiles, size, n);
    tile.old = waitingOld[waitingAt + w];
    tile.candidates = waitingLists[waitingAt + w];
    newLabels += passTile<D, Vectors>(tile, vectors, stride, oldWords, words, centers, fixed, blockSums, k);
  }
  addChanges(changed, 0, newLabels);
  __syncthreads();
  handOverPortions<D>(blockSums, centers, fixed, last, ticket, totals, sums, counts, k);
}

std::size_t sharedBytes(const Problem& problem, int block) {
  const auto k = static_cast<std::size_t>(problem.k);
  const auto d = static_cast<std::size_t>(problem.d);
  return k * (d + 1) * sizeof(Sum) + k * d * sizeof(float) +
         static_cast<std::size_t>(block) / 32 * k * sizeof(unsigned);
}

/// What both kernels keep their sums in between launches; each leaves it zero.
std::size_t clearedBytes(const Problem& problem) {
  return std::max(totalsBytes(problem), loopBytes(problem));
}

constexpr std::size_t runsOf(std::size_t tiles) { return (tiles + inRun - 1) / inRun; }
/// Every block has room for all of its tiles to wait: a run more a block than evenly shared ones.
constexpr std::size_t roomToWait(std::size_t tiles) { return 2 * runsOf(tiles) * inRun; }

void launch(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const TileView& view = args.tiles.view;
  const auto size = static_cast<std::size_t>(args.tuning.items);
  const std::size_t tiles = tilesOf(problem.n, size);
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t places = tiles * size;
  const std::size_t room = roomToWait(tiles);
  auto* const lists = reinterpret_cast<TileList*>(args.work.scratch);
  auto* const waiting = reinterpret_cast<unsigned*>(lists + room);
  auto* const waitingOld = reinterpret_cast<std::uint16_t*>(waiting + room);
  auto* const ticket = reinterpret_cast<unsigned*>(args.work.cleared);
  auto* const totals = reinterpret_cast<unsigned long long*>(args.work.cleared + ticketBytes);
  static_assert(sizeof(long long) == sizeof(std::int64_t));
  const int block = args.tuning.block;
  const std::size_t bytes = sharedBytes(problem, block);

  const auto launchAs = [&](auto kernel) {
    // As many blocks as there are runs, even if that is one warp's work each: all of a block's warps share
    // the tiles that wait.
    const std::size_t blocks =
        std::min(std::max<std::size_t>(1, runsOf(tiles)), blocksAtOnce(context, kernel, block, bytes));
    launchKernel(
        context, {blocks, block, bytes}, kernel, global(view.low, tiles * d), global(view.high, tiles * d),
        global(reinterpret_cast<const long long*>(view.sums), tiles * d),
        global(reinterpret_cast<const float4*>(view.points), places * d / perVector),
        global(args.tiles.oldLabels.tiles, tiles),
        global(reinterpret_cast<const unsigned*>(args.tiles.oldLabels.points), places / perVector),
        global(args.tiles.labels.tiles, tiles),
        global(reinterpret_cast<unsigned*>(args.tiles.labels.points), places / perVector),
        global(args.centroids, problem.centroidValues()), global(waiting, room), global(waitingOld, room),
        global(lists, room), global(args.changed, 1), global(args.sums, problem.centroidValues()),
        global(args.counts, static_cast<std::size_t>(problem.k)), global(ticket, 1),
        global(totals, problem.centroidValues()), problem.n, problem.k, tiles, view.fixed);
  };
  dispatch<1, 2, 3>(static_cast<unsigned>(problem.d), [&](auto dimensions) {
    dispatch<128, 256, 512>(static_cast<unsigned>(args.tuning.items), [&](auto items) {
      launchAs(fused_v3<decltype(dimensions)::value, decltype(items)::value / (32 * perVector)>);
    });
  });
}

std::optional<std::string> canRun(const Problem& problem, const DeviceInfo& device, const Tuning& tuning) {
  if (const auto reason = dimensionLimit("fused.v3", "classify.general", problem, 3)) return reason;
  if (problem.k > 256)
    return "fused.v3 names centroids by bytes, so it takes up to 256 clusters, and there are " +
           std::to_string(problem.k) + ": fused.v1 takes more";
  const auto most = static_cast<int>(
      mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items) / (32 * perVector)));
  if (tuning.block > most)
    return "fused.v3 keeps a tile's points in the registers of a warp, and tiles of " +
           std::to_string(tuning.items) + " points of " + std::to_string(problem.d) +
           " coordinates leave too few of them for a block of " + std::to_string(tuning.block) +
           " threads: a block of " + std::to_string(most) + " can";
  return sharedLimit("fused.v3", "fused.v1", "sums of every cluster",
                     std::max(sharedBytes(problem, tuning.block), loopSharedBytes(problem, 32 * mostWarps)) +
                         staticSharedBytes,
                     device);
}

WorkBytes workBytes(const Problem& problem, const Tuning& tuning) {
  const std::size_t room = roomToWait(tilesOf(problem.n, static_cast<std::size_t>(tuning.items)));
  return {clearedBytes(problem), room * (sizeof(TileList) + sizeof(unsigned) + sizeof(std::uint16_t))};
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

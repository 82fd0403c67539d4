// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.sorted: a first kernel sorts each tile of points by label, once for all coordinates. In the second
// one a block loads some coordinates of a tile into shared memory, along the rows as they lie, and a group of
// lanes takes a run of points of one cluster: a lane has a coordinate or two, fetches the pivot once, adds
// the run's deviations up in a register, and adds the sum to the block's table. No two groups have the same
// cluster of a tile, so that the table needs no atomics, except where a run was too long for one group.
//
// Against reduce.columns: no votes, a pivot and an addition to the table for each run instead of each point,
// counts once instead of for every 32 coordinates. Runs that a warp adds up together are about equally long,
// because the list is sorted by length: no lane waits for long.
//
// A block has a share of all tiles of all groups of coordinates, one after another, and gives its table to
// global memory when the group ends. While its copies are under way, the multiprocessor's other block adds.
// Many clusters mean short runs and large tables, so from some hundred on tiles are four times as long, with
// a quarter of the coordinates. What it costs: a launch and about two bytes a point to write and to read for
// each group of coordinates. What to look at: the time against what the points' bytes take.
#include "gpu/kernels/reduce/runs.hpp"

namespace lloyd {
namespace {

using namespace reduce;

constexpr unsigned threads = 512;
constexpr unsigned perVector = 4; // floats of a load
/// So many values are added in float before the sum goes on in double: more would make it stand still.
constexpr unsigned addedInFloat = 128;

/// Lanes of a run, coordinates of a lane, points of a tile.
template <unsigned Lanes, unsigned Rows, unsigned Points>
struct Tile {
  static constexpr unsigned lanes = Lanes;
  static constexpr unsigned perLane = Rows;
  static constexpr unsigned rows = Lanes * Rows;
  static constexpr unsigned points = Points;
  static constexpr unsigned together = 32 / Lanes; // runs that a warp adds up at once
  /// Floats from one coordinate to the next: the lanes of a run meet in no bank, and vectors fit.
  static constexpr unsigned row = Points + together;
  static constexpr unsigned sorters = Points / 4 < 512 ? Points / 4 : 512; // threads that sort a tile
  static constexpr std::size_t orderAt = std::size_t{rows} * row * sizeof(float);
  static constexpr std::size_t runsAt = orderAt + Points * sizeof(std::uint16_t);
  static_assert(row % perVector == 0 && Points % (perVector * 2) == 0 && Points <= mostTilePoints);
  static_assert(Points / longestRun <= addedInFloat, "a tile's parts of one cluster");
};
using WideTile = Tile<8, 2, 1024>;
using LongTile = Tile<4, 1, 4096>;
constexpr unsigned mostClustersOfWide = 320; // with more, two blocks have no room on a multiprocessor

template <class Tile>
LLOYD_KERNEL_UP_TO(1024)
reduce_sorted(LLOYD_GLOBAL_TWICE(const float) points, LLOYD_GLOBAL_TWICE(const float4) vectors,
              std::size_t stride, LLOYD_GLOBAL(const unsigned) orders, LLOYD_GLOBAL(const uint4) runs,
              LLOYD_GLOBAL(const unsigned) heads, LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
              LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned d, unsigned k, unsigned groups,
              unsigned tiles, unsigned roomForRuns) {
  LLOYD_DYNAMIC_SHARED(float, value, 0, Tile::rows* Tile::row); // [coordinate][point]
  LLOYD_DYNAMIC_SHARED(float4, valueVector, 0, Tile::rows * Tile::row / perVector);
  LLOYD_DYNAMIC_SHARED(std::uint16_t, order, Tile::orderAt, Tile::points);
  LLOYD_DYNAMIC_SHARED(unsigned, orderPair, Tile::orderAt, Tile::points / 2);
  LLOYD_DYNAMIC_SHARED(unsigned, run, Tile::runsAt, roomForRuns);
  LLOYD_DYNAMIC_SHARED(uint4, runVector, Tile::runsAt, roomForRuns / 4);
  const std::size_t tableAt = Tile::runsAt + roomForRuns * sizeof(unsigned);
  const unsigned entries = k * Tile::rows;
  LLOYD_DYNAMIC_SHARED(float, table, tableAt, entries); // [cluster][coordinate]
  LLOYD_DYNAMIC_SHARED(float, pivot, tableAt + entries * sizeof(float), entries);
  LLOYD_DYNAMIC_SHARED(unsigned, number, tableAt + 2 * entries * sizeof(float), k);
  constexpr unsigned warps = threads / 32;
  const unsigned lane = threadIdx.x % Tile::lanes;
  const unsigned ofWarp = threadIdx.x % 32 / Tile::lanes; // which of a warp's runs
  const unsigned warp = threadIdx.x / 32;

  const std::size_t all = static_cast<std::size_t>(groups) * tiles;
  const std::size_t begin = all * blockIdx.x / gridDim.x;
  const std::size_t end = all * (blockIdx.x + 1) / gridDim.x;
  auto group = static_cast<unsigned>(begin / tiles);
  auto tile = static_cast<unsigned>(begin % tiles);

  const auto load = [&] {
    const std::size_t first = static_cast<std::size_t>(tile) * Tile::points;
    const unsigned firstRow = group * Tile::rows;
    const unsigned present = n - first < Tile::points ? static_cast<unsigned>(n - first) : Tile::points;
    constexpr unsigned ofRow = Tile::points / perVector;
    if (present == Tile::points) {
      constexpr unsigned each = Tile::rows * ofRow / threads;
      LLOYD_UNROLL
      for (unsigned q = 0; q < each; ++q) {
        const unsigned v = q * threads + threadIdx.x;
        const unsigned j = firstRow + v / ofRow;
        const unsigned place = v / ofRow * (Tile::row / perVector) + v % ofRow;
        if (j < d)
          copyAhead(&valueVector[place], &vectors[(j * stride + first) / perVector + v % ofRow]);
        else
          valueVector[place] = make_float4(0, 0, 0, 0);
      }
    } else {
      for (unsigned r = 0; r < Tile::rows; ++r) {
        for (unsigned p = threadIdx.x; p < present; p += threads) {
          float x = 0;
          if (firstRow + r < d) x = points[(firstRow + r) * stride + first + p];
          value[r * Tile::row + p] = x;
        }
      }
    }
    for (unsigned v = threadIdx.x; v < (present + 1) / 2; v += threads) {
      const unsigned pair = orders[static_cast<std::size_t>(tile) * (Tile::points / 2) + v];
      orderPair[v] = pair;
    }
    for (unsigned v = threadIdx.x; v < roomForRuns / 4; v += threads)
      copyAhead(&runVector[v], &runs[static_cast<std::size_t>(tile) * (roomForRuns / 4) + v]);
  };
  // Each thread clears, hands over and clears again the same entries of the table.
  const auto handOver = [&] {
    for (unsigned v = threadIdx.x; v < entries; v += threads) {
      const unsigned j = group * Tile::rows + v % Tile::rows;
      const float sum = table[v];
      table[v] = 0;
      if (j < d && sum != 0)
        atomicAdd(&sums[static_cast<std::size_t>(v / Tile::rows) * d + j], static_cast<double>(sum));
    }
  };
  const auto add = [&](unsigned packed) {
    const unsigned length = lengthOf(packed);
    const unsigned cluster = clusterOf(packed);
    const unsigned entry = cluster * Tile::rows + lane;
    float sum[Tile::perLane];
    float center[Tile::perLane];
    LLOYD_UNROLL
    for (unsigned r = 0; r < Tile::perLane; ++r) {
      sum[r] = 0;
      center[r] = pivot[entry + r * Tile::lanes];
    }
    unsigned at = firstOf(packed);
    const auto take = [&](auto together) {
      unsigned from[together.value];
      float x[together.value][Tile::perLane];
      LLOYD_UNROLL
      for (unsigned t = 0; t < together.value; ++t) {
        const std::uint16_t place = order[at + t];
        from[t] = lane * Tile::row + place;
      }
      LLOYD_UNROLL
      for (unsigned t = 0; t < together.value; ++t) {
        LLOYD_UNROLL
        for (unsigned r = 0; r < Tile::perLane; ++r)
          x[t][r] = value[from[t] + r * Tile::lanes * Tile::row];
      }
      LLOYD_UNROLL
      for (unsigned t = 0; t < together.value; ++t) {
        LLOYD_UNROLL
        for (unsigned r = 0; r < Tile::perLane; ++r)
          sum[r] += x[t][r] - center[r];
      }
      at += together.value;
    };
    for (unsigned fours = length / 4; fours > 0; --fours)
      take(std::integral_constant<unsigned, 4>{});
    if (length % 4 >= 2) take(std::integral_constant<unsigned, 2>{});
    if (length % 2 != 0) take(std::integral_constant<unsigned, 1>{});

    const bool countsToo = group == 0 && lane == 0;
    if (isPart(packed)) {
      LLOYD_UNROLL
      for (unsigned r = 0; r < Tile::perLane; ++r)
        atomicAdd(&table[entry + r * Tile::lanes], sum[r]);
      if (countsToo) atomicAdd(&number[cluster], length);
    } else {
      LLOYD_UNROLL
      for (unsigned r = 0; r < Tile::perLane; ++r)
        table[entry + r * Tile::lanes] += sum[r];
      if (countsToo) number[cluster] += length;
    }
  };

  bool fresh = true;
  unsigned added = 0; // to any entry since it was clear, at most
  for (std::size_t left = end - begin; left > 0; --left) {
    load();
    const unsigned found = heads[2 * tile];
    const unsigned parts = heads[2 * tile + 1];
    if (fresh) {
      for (unsigned v = threadIdx.x; v < entries; v += threads) {
        const unsigned j = group * Tile::rows + v % Tile::rows;
        float center = 0;
        if (j < d) center = pivots[static_cast<std::size_t>(v / Tile::rows) * d + j];
        pivot[v] = center;
        table[v] = 0;
      }
      for (unsigned c = threadIdx.x; c < k; c += threads)
        number[c] = 0;
      fresh = false;
      added = 0;
    } else if (added + parts > addedInFloat) {
      handOver();
      added = 0;
    }
    added += parts;
    waitForCopies();
    __syncthreads();

    // There and back again: the longest runs come first, and would all be the first warp's.
    const unsigned tasks = (found + Tile::together - 1) / Tile::together;
    for (unsigned turn = 0; turn * warps < tasks; ++turn) {
      const unsigned task = turn * warps + (turn % 2 == 0 ? warp : warps - 1 - warp);
      if (task >= tasks) continue;
      const unsigned packed = run[task * Tile::together + ofWarp];
      if (lengthOf(packed) > 0) add(packed);
    }
    __syncthreads();

    if (tile + 1 == tiles || left == 1) {
      handOver();
      if (group == 0) {
        for (unsigned c = threadIdx.x; c < k; c += threads) {
          const unsigned count = number[c];
          if (count > 0) atomicAdd(&counts[c], count);
        }
      }
      fresh = true;
    }
    if (++tile == tiles) {
      tile = 0;
      ++group;
    }
  }
}

template <class Tile>
std::size_t sharedBytes(const Problem& problem) {
  const std::size_t runs = SortedTiles::of(problem, Tile::points).runs;
  return Tile::runsAt + runs * sizeof(unsigned) +
         static_cast<std::size_t>(problem.k) * (2 * Tile::rows + 1) * sizeof(float);
}

template <class Tile>
void launchWith(const ReduceArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto k = static_cast<std::size_t>(problem.k);
  const SortedTiles sorted = SortedTiles::of(problem, Tile::points);
  auto* const runs = reinterpret_cast<unsigned*>(args.work.scratch);
  auto* const orders = reinterpret_cast<unsigned*>(args.work.scratch + sorted.runBytes());
  auto* const heads =
      reinterpret_cast<unsigned*>(args.work.scratch + sorted.runBytes() + sorted.orderBytes());
  const std::size_t pairs = sorted.orderBytes() / sizeof(unsigned);

  launchKernel(
      context,
      {sorted.tiles, static_cast<int>(Tile::sorters), (Tile::points + sorted.runs + k) * sizeof(unsigned)},
      reduce_sorted_runs<Tile::points, Tile::sorters>, global(args.labels, problem.n), global(orders, pairs),
      global(runs, sorted.tiles * sorted.runs), global(heads, 2 * sorted.tiles), problem.n, problem.k,
      sorted.runs);

  const std::size_t groups = blocksFor(static_cast<std::size_t>(problem.d), Tile::rows);
  const std::size_t bytes = sharedBytes<Tile>(problem);
  const std::size_t blocks = std::min(
      groups * sorted.tiles, blocksAtOnce(context, reduce_sorted<Tile>, static_cast<int>(threads), bytes));
  const std::size_t extent = pointExtent(problem, args.points.stride);
  launchKernel(context, {blocks, static_cast<int>(threads), bytes}, reduce_sorted<Tile>,
               global(args.points.data, extent),
               global(reinterpret_cast<const float4*>(args.points.data), extent / perVector),
               args.points.stride, global(static_cast<const unsigned*>(orders), pairs),
               global(reinterpret_cast<const uint4*>(runs), sorted.tiles * sorted.runs / 4),
               global(static_cast<const unsigned*>(heads), 2 * sorted.tiles),
               global(args.pivots, problem.centroidValues()), global(args.sums, problem.centroidValues()),
               global(args.counts, k), problem.n, problem.d, problem.k, groups, sorted.tiles, sorted.runs);
}

bool isWide(const Problem& problem, std::size_t room) {
  return problem.k <= static_cast<int>(mostClustersOfWide) &&
         sharedBytes<WideTile>(problem) + staticSharedBytes <= room;
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  if (isWide(args.problem, context.sharedBytesPerBlock)) return launchWith<WideTile>(args, context);
  launchWith<LongTile>(args, context);
}

WorkBytes workBytes(const Problem& problem, const Tuning&) {
  return {.cleared = 0,
          .scratch = std::max(SortedTiles::of(problem, WideTile::points).bytes(),
                              SortedTiles::of(problem, LongTile::points).bytes())};
}

Reason tableLimit(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  if (isWide(problem, device.sharedBytesPerBlock)) return std::nullopt;
  return sharedLimit(variant, "reduce.general", "a tile of points, and a sum and a centre for each cluster",
                     sharedBytes<LongTile>(problem) + staticSharedBytes, device);
}

} // namespace

LLOYD_REGISTER(
    reduce_sorted,
    {.family = "reduce",
     .tag = "sorted",
     .name = "sorted tiles",
     .idea = "The points of a tile are sorted by label once, and each run of one cluster is added up in a "
             "register.",
     .canRun = tableLimit,
     .workBytes = workBytes},
    {.reduce = launch})

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/tile_operations.hpp"

#include "gpu/core/tiles/hilbert.hpp"
#include "gpu/cpu/parallel.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace lloyd::cpu {
namespace {

constexpr std::size_t perChunk = 65536;

/// A point's place along the curve, and which point; points in one place stay in their own order.
using Placed = std::pair<std::uint64_t, std::uint32_t>;

template <unsigned D>
void place(const OrderTilesArgs& args, const LaunchContext& context, std::vector<Placed>& placed) {
  const HilbertCurve curve = hilbertCurveOf(args.box, args.d);
  forChunks({args.n, perChunk}, context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      float x[D];
      for (unsigned j = 0; j < D; ++j)
        x[j] = args.points[j * args.stride + i];
      placed[i] = {hilbertPlace<D>(curve, x), static_cast<std::uint32_t>(i)};
    }
  });
}

/// Box and sums of tile t along axis j, whose ordered row is given.
void summarise(const OrderTilesArgs& args, const float* row, std::size_t j, std::size_t t) {
  const std::size_t begin = t * args.size;
  const std::size_t end = std::min<std::size_t>(begin + args.size, args.n);
  float low = row[begin];
  float high = row[begin];
  std::int64_t sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    low = std::min(low, row[i]);
    high = std::max(high, row[i]);
    sum += toFixed(args.fixed.middle[j], args.fixed.scale[j], row[i]);
  }
  args.low[j * args.count + t] = low;
  args.high[j * args.count + t] = high;
  args.sums[j * args.count + t] = sum;
}

Chunks tilesOf(std::size_t count, unsigned size) {
  return {count, std::max<std::size_t>(1, perChunk / size)};
}

/// Squared distances of tile t's points to their centroids, added up.
double inertiaOf(const TileInertiaArgs& args, std::size_t t) {
  const TileView& view = args.view;
  const auto d = static_cast<std::size_t>(args.problem.d);
  const std::size_t begin = t * view.size;
  const std::size_t end = std::min<std::size_t>(begin + view.size, args.problem.n);
  const std::uint16_t label = args.labels.tiles[t];
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const float* row = view.points + j * view.count * view.size;
    for (std::size_t p = begin; p < end; ++p) {
      const std::size_t c = label == mixedTile ? args.labels.points[p] : label;
      const double difference = static_cast<double>(row[p]) - static_cast<double>(args.centroids[c * d + j]);
      sum += difference * difference;
    }
  }
  return sum;
}

} // namespace

void orderTiles(const OrderTilesArgs& args, LaunchContext& context) {
  std::vector<Placed> placed(args.n);
  if (args.d == 1) place<1>(args, context, placed);
  if (args.d == 2) place<2>(args, context, placed);
  if (args.d == 3) place<3>(args, context, placed);
  oneapi::tbb::parallel_sort(placed.begin(), placed.end());
  forChunks(tilesOf(args.count, args.size), context, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t p = first * args.size; p < std::min(args.n, last * args.size); ++p)
      args.place[placed[p].second] = static_cast<std::uint32_t>(p);
    for (std::size_t j = 0; j < static_cast<std::size_t>(args.d); ++j) {
      float* row = args.ordered + j * args.count * args.size;
      for (std::size_t p = first * args.size; p < last * args.size; ++p)
        row[p] = args.points[j * args.stride + placed[std::min(p, args.n - 1)].second];
      for (std::size_t t = first; t < last; ++t)
        summarise(args, row, j, t);
    }
  });
  if (args.d != 1) return;
  args.prefix[0] = 0;
  std::partial_sum(args.sums, args.sums + args.count, args.prefix + 1);
}

void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context) {
  forChunks({args.n, perChunk}, context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t place = args.place[i];
      const std::uint16_t label = args.from.tiles[place / args.size];
      args.to[i] = label == mixedTile ? args.from.points[place] : static_cast<std::uint8_t>(label);
    }
  });
}

void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context) {
  forChunks({args.n, perChunk}, context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      args.to.points[args.place[i]] = args.from[i];
  });
  forChunks(tilesOf(args.count, args.size), context, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t) {
      const std::uint8_t* begin = args.to.points + t * args.size;
      const std::uint8_t* end = args.to.points + std::min(args.n, (t + 1) * args.size);
      const bool isOne = std::all_of(begin, end, [&](std::uint8_t label) { return label == *begin; });
      args.to.tiles[t] = isOne ? std::uint16_t{*begin} : mixedTile;
    }
  });
}

void tileInertia(const TileInertiaArgs& args, LaunchContext& context) {
  const Chunks chunks = tilesOf(args.view.count, args.view.size);
  std::vector<double> partial(chunks.count());
  forChunks(chunks, context, [&](std::size_t chunk, std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; ++t)
      partial[chunk] += inertiaOf(args, t);
  });
  for (const double value : partial)
    *args.inertia += value;
}

} // namespace lloyd::cpu

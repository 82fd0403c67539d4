// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/operations.hpp"

#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/core/tiles/hilbert.hpp"
#include "gpu/cpu/fma.hpp"
#include "gpu/cpu/parallel.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace lloyd::cpu {
namespace {

/// About a millisecond of work a chunk at most, whatever the dimension.
Chunks chunksOf(std::size_t n, int d) {
  return {n, std::max<std::size_t>(1024, 65536 / static_cast<std::size_t>(std::max(d, 1)))};
}

template <class T>
double inertiaOf(const InertiaArgs& args, const T* labels, std::size_t begin, std::size_t end) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const float* row = args.points.data + j * args.points.stride;
    double partial[4] = {}; // four chains, so that one addition need not wait for the last
    for (std::size_t i = begin; i < end; ++i) {
      const auto label = static_cast<std::size_t>(labels[i]);
      const double difference =
          static_cast<double>(row[i]) - static_cast<double>(args.centroids[label * d + j]);
      partial[i % 4] += difference * difference;
    }
    sum += (partial[0] + partial[1]) + (partial[2] + partial[3]);
  }
  return sum;
}

/// The best key among begin .. end - 1.
std::uint64_t raceOf(const SeedArgs& args, std::size_t begin, std::size_t end) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  float bestKey = std::numeric_limits<float>::infinity();
  const SeedRace race(args.seed, args.step);
  const float* centre = args.newest ? args.points.data + (*args.newest & 0xffffffffu) : nullptr;
  for (std::size_t i = begin; i < end; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    if (centre) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance =
            addSquare(distance, args.points.data[j * args.points.stride + i], centre[j * args.points.stride]);
      nearest = args.step > 1 && args.nearest[i] < distance ? args.nearest[i] : distance;
      args.nearest[i] = nearest;
    }

    const auto index = static_cast<std::uint32_t>(i);
    if (race.loses(index, nearest, bestKey)) continue;
    const std::uint64_t key = race.entry(index, nearest);
    if (key < best) {
      best = key;
      bestKey = __builtin_bit_cast(float, static_cast<std::uint32_t>(key >> 32));
    }
  }
  return best;
}

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Chunks chunks = chunksOf(args.problem.n, args.problem.d);
  std::vector<double> partial(chunks.count());
  forChunks(chunks, context, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    withLabels(args.labels,
               [&](const auto* labels) { partial[chunk] = inertiaOf(args, labels, begin, end); });
  });
  for (const double value : partial)
    *args.inertia += value;
}

void seedStep(const SeedArgs& args, LaunchContext& context) {
  const Chunks chunks = chunksOf(args.problem.n, args.problem.d);
  std::vector<std::uint64_t> winners(chunks.count());
  forChunks(chunks, context, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    winners[chunk] = callFused<raceOf>(args, begin, end);
  });
  for (const std::uint64_t winner : winners)
    *args.winner = std::min(*args.winner, winner);
}

void advance(const AdvanceArgs& args, LaunchContext& context) {
  const auto d = static_cast<std::size_t>(args.d);
  forChunks(chunksOf(args.n, args.d), context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < d; ++j) {
      const float* from = args.base + j * args.stride;
      float* to = args.out + j * args.stride;
      for (std::size_t i = begin; i < end; ++i)
        to[i] = from[i] + args.shifts[args.component[i] * d + j];
    }
  });
}

void interleave(const InterleaveArgs& args, LaunchContext& context) {
  const auto d = static_cast<std::size_t>(args.d);
  forChunks(chunksOf(args.n, args.d), context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < d; ++j)
        args.records[i * d + j] = args.points.data[j * args.points.stride + i];
  });
}

void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context) {
  forChunks(chunksOf(args.n, 1), context, [&](std::size_t, std::size_t begin, std::size_t end) {
    withLabels(args.from, [&](const auto* from) {
      withLabels(args.to, [&]<class T>(T* to) {
        std::transform(from + begin, from + end, to + begin,
                       [](auto label) { return static_cast<T>(label); });
      });
    });
  });
}

// Points in tiles.

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

} // namespace

const Operations& operations() noexcept {
  static constexpr Operations table{.inertia = inertia,
                                    .seedStep = seedStep,
                                    .advance = advance,
                                    .interleave = interleave,
                                    .convertLabels = convertLabels,
                                    .orderTiles = orderTiles,
                                    .writeTileLabels = writeTileLabels,
                                    .readTileLabels = readTileLabels,
                                    .tileInertia = tileInertia};
  return table;
}

} // namespace lloyd::cpu

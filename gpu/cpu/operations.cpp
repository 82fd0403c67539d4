// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/operations.hpp"

#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/fma.hpp"
#include "gpu/cpu/parallel.hpp"

#include <limits>
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
  for (std::size_t i = begin; i < end; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    if (args.newest) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance = addSquare(distance, args.points.data[j * args.points.stride + i], args.newest[j]);
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

} // namespace

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

} // namespace lloyd::cpu

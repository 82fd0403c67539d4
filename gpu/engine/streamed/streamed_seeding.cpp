// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/streamed_seeding.hpp"

#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/fma.hpp"
#include "gpu/cpu/parallel.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace lloyd {
namespace {

/// One step among some of the points, which are in rows of stride values.
struct Race {
  const float* rows = nullptr;
  std::size_t stride = 0;
  std::size_t d = 0;
  std::size_t first = 0; ///< index of the first of them
  std::size_t count = 0;
  const float* newest = nullptr; ///< [d], the centre chosen last; null in step 0
  float* nearest = nullptr;      ///< [count], as SeedArgs has it
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
};

/// The best key of them.
std::uint64_t run(const Race& race) {
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  float bestKey = std::numeric_limits<float>::infinity();
  const SeedRace entries(race.seed, race.step);
  for (std::size_t i = 0; i < race.count; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    if (race.newest) {
      float distance = 0;
      for (std::size_t j = 0; j < race.d; ++j)
        distance = addSquare(distance, race.rows[j * race.stride + i], race.newest[j]);
      nearest = race.step > 1 && race.nearest[i] < distance ? race.nearest[i] : distance;
      race.nearest[i] = nearest;
    }
    const auto index = static_cast<std::uint32_t>(race.first + i);
    if (entries.loses(index, nearest, bestKey)) continue;
    const std::uint64_t key = entries.entry(index, nearest);
    if (key >= best) continue;
    best = key;
    bestKey = __builtin_bit_cast(float, static_cast<std::uint32_t>(key >> 32));
  }
  return best;
}

std::vector<float> kmeansPlusPlus(const Problem& problem, const PointSource& points, std::uint64_t seed,
                                  const LaunchContext& context) {
  const auto d = static_cast<std::size_t>(problem.d);
  const Chunks chunks{problem.n, std::max<std::size_t>(1024, 65536 / d)};
  std::vector<float> nearest(problem.n);
  std::vector<std::uint64_t> winners(chunks.count());
  std::vector<float> centroids(problem.centroidValues());
  for (std::size_t step = 0; step < static_cast<std::size_t>(problem.k); ++step) {
    float* centre = centroids.data() + step * d;
    forChunks(chunks, context, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      std::vector<float> rows((end - begin) * d);
      points.read(begin, end - begin, rows.data(), end - begin);
      const Race race{.rows = rows.data(),
                      .stride = end - begin,
                      .d = d,
                      .first = begin,
                      .count = end - begin,
                      .newest = step == 0 ? nullptr : centre - d,
                      .nearest = nearest.data() + begin,
                      .seed = seed,
                      .step = static_cast<std::uint32_t>(step)};
      winners[chunk] = callFused<run>(race);
    });
    points.read(*std::ranges::min_element(winners) & 0xffffffffu, 1, centre, 1);
  }
  return centroids;
}

} // namespace

std::vector<float> seedStreamed(Device& device, const Problem& problem, const PointSource& points,
                                const Init& init, std::uint64_t seed, const std::atomic<bool>* cancel) {
  if (init.kind == InitKind::kmeansPlusPlus && problem.n > 0)
    return kmeansPlusPlus(problem, points, seed, LaunchContext(nullptr, cancel));
  const PointReader read = [&](std::size_t i, float* out) { points.read(i, 1, out, 1); };
  return seedCentroids(device, problem, {}, read, init, seed);
}

} // namespace lloyd

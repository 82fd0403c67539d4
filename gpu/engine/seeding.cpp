// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/seeding.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <array>
#include <numeric>
#include <unordered_map>

namespace lloyd {
namespace {

std::vector<float> gather(const Problem& problem, const PointReader& read,
                          const std::vector<std::size_t>& chosen) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::vector<float> centroids(problem.centroidValues());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    read(chosen[i], centroids.data() + i * d);
  return centroids;
}

/// The first k steps of a Fisher-Yates shuffle of 0 .. n-1, holding only the entries that moved.
std::vector<std::size_t> differentIndices(std::size_t n, int k, std::uint64_t seed) {
  std::unordered_map<std::size_t, std::size_t> moved;
  const auto at = [&](std::size_t i) {
    const auto found = moved.find(i);
    return found == moved.end() ? i : found->second;
  };
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    const std::size_t other = i + randomBits(seed, 0, i) % (n - i);
    chosen.push_back(at(other));
    moved[other] = at(i);
  }
  return chosen;
}

std::vector<float> kmeansPlusPlus(Device& device, const Problem& problem, const PointView& points,
                                  const PointReader& read, std::uint64_t seed) {
  const auto d = static_cast<std::size_t>(problem.d);
  Buffer<float> nearest(device, problem.n);
  Buffer<float> newest(device, d);
  Buffer<std::uint64_t> winner(device, 1);
  std::vector<float> centroids(problem.centroidValues());
  for (int step = 0; step < problem.k; ++step) {
    winner.fill(0xff);
    device.seedStep({.problem = problem,
                     .points = points,
                     .newest = step == 0 ? nullptr : newest.data(),
                     .nearest = nearest.data(),
                     .seed = seed,
                     .step = static_cast<std::uint32_t>(step),
                     .winner = winner.data()});
    const std::uint64_t key = winner.download().front();
    float* centre = centroids.data() + static_cast<std::size_t>(step) * d;
    read(static_cast<std::size_t>(key & 0xffffffffu), centre);
    newest.upload({centre, d});
  }
  return centroids;
}

} // namespace

std::string_view name(InitKind kind) {
  constexpr std::array<std::string_view, 5> names{"kmeans++", "random", "first", "bands", "file"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<float> seedCentroids(Device& device, const Problem& problem, const PointView& points,
                                 const PointReader& read, const Init& init, std::uint64_t seed) {
  switch (init.kind) {
  case InitKind::kmeansPlusPlus:
    return kmeansPlusPlus(device, problem, points, read, seed);
  case InitKind::random:
    return gather(problem, read, differentIndices(problem.n, problem.k, seed));
  case InitKind::first: {
    std::vector<std::size_t> chosen(static_cast<std::size_t>(problem.k));
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return gather(problem, read, chosen);
  }
  case InitKind::bands: {
    std::vector<float> centroids(problem.centroidValues());
    for (std::size_t i = 0; i < centroids.size(); ++i) {
      const std::size_t band = i / static_cast<std::size_t>(problem.d);
      centroids[i] = 100.0f * static_cast<float>(band) + 10.0f;
    }
    return centroids;
  }
  case InitKind::given:
    break;
  }
  if (init.given.size() != problem.centroidValues())
    throw RequestError("the initial centroids" + (init.path.empty() ? "" : " of " + init.path) + " hold " +
                       std::to_string(init.given.size()) + " values; " + std::to_string(problem.k) +
                       " clusters of " + std::to_string(problem.d) + " dimensions need " +
                       std::to_string(problem.centroidValues()));
  return init.given;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/seeding.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <array>
#include <chrono>
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

/// How many steps the device is given before the host waits for them: as many as take a few milliseconds,
/// since waiting for each costs as much as a short one, and centres are told as they are found.
class StepsAtOnce {
public:
  [[nodiscard]] std::size_t count() const { return count_; }
  void took(std::chrono::steady_clock::duration time) {
    if (time < std::chrono::milliseconds(2)) count_ = std::min<std::size_t>(2 * count_, 64);
    if (time > std::chrono::milliseconds(8)) count_ = std::max<std::size_t>(count_ / 2, 1);
  }

private:
  std::size_t count_ = 1;
};

std::vector<float> kmeansPlusPlus(Device& device, const Problem& problem, const PointView& points,
                                  const PointReader& read, std::uint64_t seed) {
  using Clock = std::chrono::steady_clock;
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  Buffer<float> nearest(device, problem.n);
  Buffer<std::uint64_t> winners(device, k);
  winners.fill(0xff);
  std::vector<float> centroids(problem.centroidValues());
  StepsAtOnce atOnce;
  for (std::size_t step = 0; step < k;) {
    const Clock::time_point start = Clock::now();
    const std::size_t first = step;
    for (; step < std::min(k, first + atOnce.count()); ++step)
      device.seedStep({.problem = problem,
                       .points = points,
                       .newest = step == 0 ? nullptr : winners.data() + step - 1,
                       .nearest = nearest.data(),
                       .seed = seed,
                       .step = static_cast<std::uint32_t>(step),
                       .winner = winners.data() + step});
    const std::vector<std::uint64_t> keys = winners.download();
    for (std::size_t i = first; i < step; ++i)
      read(static_cast<std::size_t>(keys[i] & 0xffffffffu), centroids.data() + i * d);
    atOnce.took(Clock::now() - start);
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

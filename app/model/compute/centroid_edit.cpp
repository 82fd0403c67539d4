// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/centroid_edit.hpp"

#include <algorithm>
#include <numeric>

namespace lloyd {
namespace {

/// The state after centroids were set by hand: nothing is known of their clusters yet.
RunState byHand(RunState state, std::size_t d) {
  IterationResult& result = state.result;
  if (result.halfway) {
    --result.iteration;
    state.driftTime = std::max(0.0, state.driftTime - 1); // points that stand still are at 0
  }
  IterationResult now;
  now.iteration = result.iteration;
  now.centroids = now.usedCentroids = std::move(result.centroids);
  now.sizes.assign(now.centroids.size() / d, 0);
  state.usedBefore.clear();
  state.usedLast.clear();
  if (now.iteration > 0) state.usedLast = now.centroids;
  state.byHand = true;
  result = std::move(now);
  return state;
}

} // namespace

RunState withCentroid(RunState state, std::span<const float> position) {
  state.result.centroids.insert(state.result.centroids.end(), position.begin(), position.end());
  return byHand(std::move(state), position.size());
}

RunState withoutCentroid(RunState state, int d, int cluster) {
  const auto first = state.result.centroids.begin() + static_cast<std::ptrdiff_t>(cluster) * d;
  state.result.centroids.erase(first, first + d);
  return byHand(std::move(state), static_cast<std::size_t>(d));
}

RunState withMoves(RunState state, int d, std::span<const std::pair<int, std::vector<float>>> moves) {
  if (moves.empty()) return state;
  for (const auto& [cluster, position] : moves) {
    const std::size_t first = static_cast<std::size_t>(cluster) * static_cast<std::size_t>(d);
    if (cluster < 0 || first + position.size() > state.result.centroids.size()) continue;
    std::ranges::copy(position, state.result.centroids.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return byHand(std::move(state), static_cast<std::size_t>(d));
}

std::vector<int> numbersWithCentroid(int k) {
  std::vector<int> before(static_cast<std::size_t>(k));
  std::iota(before.begin(), before.end(), 0);
  before.push_back(-1);
  return before;
}

std::vector<int> numbersWithoutCentroid(int k, int cluster) {
  std::vector<int> before;
  for (int c = 0; c < k; ++c)
    if (c != cluster) before.push_back(c);
  return before;
}

std::vector<std::size_t> renumberedColours(std::span<const std::size_t> colours,
                                           std::span<const int> before) {
  std::vector<std::size_t> now;
  std::vector<std::size_t> taken(colours.begin(), colours.end());
  for (const int number : before) {
    if (number >= static_cast<int>(colours.size())) return {};
    if (number >= 0) {
      now.push_back(colours[static_cast<std::size_t>(number)]);
      continue;
    }
    std::size_t unused = 0;
    while (std::ranges::find(taken, unused) != taken.end())
      ++unused;
    now.push_back(unused);
    taken.push_back(unused);
  }
  return now;
}

} // namespace lloyd

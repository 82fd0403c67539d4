// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/tile_candidates.hpp"

#include "gpu/kernels/fused/tile_candidates.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd::test {
namespace {

using namespace fused;

template <unsigned D>
Ruled<D> ruledOf(const Box& box) {
  Ruled<D> ruled{};
  std::copy_n(box.low.begin(), D, ruled.low);
  std::copy_n(box.high.begin(), D, ruled.high);
  return ruled;
}

/// What a warp does together, one after the other.
template <unsigned D>
std::vector<unsigned> candidatesOfRun(std::span<const Box> tiles, std::span<const float> centroids) {
  Ruled<D> box = ruledOf<D>(tiles.front());
  for (const Box& tile : tiles)
    for (unsigned j = 0; j < D; ++j) {
      box.low[j] = std::min(box.low[j], tile.low[j]);
      box.high[j] = std::max(box.high[j], tile.high[j]);
    }
  const auto k = static_cast<unsigned>(centroids.size() / D);
  float least = INFINITY;
  unsigned ruler = 0;
  for (unsigned c = 0; c < k; ++c) {
    const float distance = fromMiddle(box, centroids, c);
    if (!(distance < least)) continue;
    least = distance;
    ruler = c;
  }
  rule(box, centroids, ruler);
  std::vector<unsigned> list;
  for (unsigned c = 0; c < k; ++c)
    if (canOwn(box, centroids, c)) list.push_back(c);
  return list;
}

template <unsigned D>
std::vector<TileCandidates> candidatesIn(std::span<const Box> tiles, std::span<const float> centroids) {
  const std::vector<unsigned> list = candidatesOfRun<D>(tiles, centroids);
  std::vector<TileCandidates> found;
  for (const Box& tile : tiles) {
    Ruled<D> box = ruledOf<D>(tile);
    TileList candidates = candidatesAmong(box, centroids, list, 0, static_cast<unsigned>(list.size()));
    TileCandidates own;
    own.all = numberOf(candidates) == tooMany;
    for (unsigned i = numberOf(candidates); !own.all && i > 0; --i, candidates >>= 8)
      own.clusters.push_back(firstOf(candidates));
    found.push_back(std::move(own));
  }
  return found;
}

} // namespace

std::vector<TileCandidates> candidatesOfTiles(std::span<const Box> tiles, int d,
                                              std::span<const float> centroids) {
  if (d == 1) return candidatesIn<1>(tiles, centroids);
  if (d == 2) return candidatesIn<2>(tiles, centroids);
  return candidatesIn<3>(tiles, centroids);
}

} // namespace lloyd::test

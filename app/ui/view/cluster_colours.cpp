// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/cluster_colours.hpp"

#include "app/data/write/recoloured.hpp"
#include "app/render/points/palette.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t mostMatched = 256;

} // namespace

Rgb colourOfCentroid(const float* centroid, const PointSet& data) {
  const Channels colour = channelsOf(centroid, data);
  return {colour[0], colour[1], colour[2]};
}

std::vector<Rgb> ClusterColours::coloursWith(std::span<const std::size_t> assignment,
                                             const IterationResult& result, const PointSet& data,
                                             bool dark) const {
  if (by_ != By::centroid || !data.colours) return coloursOf(dark ? Theme::dark : Theme::light, assignment);
  const auto d = static_cast<std::size_t>(data.d);
  std::vector<Rgb> colours(result.centroids.size() / d);
  for (std::size_t c = 0; c < colours.size(); ++c)
    colours[c] = colourOfCentroid(result.centroids.data() + c * d, data);
  return colours;
}

const std::vector<Rgb>& ClusterColours::take(const IterationResult& result, const PointSet& data, bool dark) {
  const auto d = static_cast<std::size_t>(std::max(1, data.d));
  const std::size_t k = result.centroids.size() / d;
  if (assignment_.size() != k) assignment_ = assignColours(result.centroids, k, d);
  colours_ = coloursWith(assignment_, result, data, dark);
  return colours_;
}

std::vector<std::size_t> coloursByNearest(std::span<const float> others,
                                          std::span<const std::size_t> assignment,
                                          std::span<const float> centroids, int d) {
  const auto columns = static_cast<std::size_t>(std::max(1, d));
  const std::size_t k = centroids.size() / columns;
  if (others.size() != centroids.size() || assignment.size() != k || k > mostMatched)
    return assignColours(centroids, k, columns);
  struct Pair {
    double distance;
    std::size_t other, own;
  };
  std::vector<Pair> pairs;
  pairs.reserve(k * k);
  for (std::size_t other = 0; other < k; ++other)
    for (std::size_t own = 0; own < k; ++own) {
      double sum = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const double difference = static_cast<double>(others[other * columns + j]) -
                                  static_cast<double>(centroids[own * columns + j]);
        sum += difference * difference;
      }
      pairs.push_back({sum, other, own});
    }
  std::ranges::stable_sort(pairs, {}, &Pair::distance);
  constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> colours(k, none);
  std::vector<bool> used(k, false);
  for (const Pair& pair : pairs) {
    if (used[pair.other] || colours[pair.own] != none) continue;
    used[pair.other] = true;
    colours[pair.own] = assignment[pair.other];
  }
  return colours;
}

} // namespace lloyd

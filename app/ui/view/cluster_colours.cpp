// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/cluster_colours.hpp"

#include "app/render/points/palette.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

Rgb colourOfCentroid(const float* centroid, const PointSet& data) {
  std::uint8_t channels[3] = {};
  for (std::size_t j = 0; j < 3; ++j) {
    const ColumnScale scale = j < data.scales.size() ? data.scales[j] : ColumnScale{};
    const double value = static_cast<double>(centroid[j]) * scale.factor + scale.offset;
    channels[j] = static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
  }
  return {channels[0], channels[1], channels[2]};
}

const std::vector<Rgb>& ClusterColours::take(const IterationResult& result, const PointSet& data, bool dark) {
  const auto d = static_cast<std::size_t>(std::max(1, data.d));
  const std::size_t k = result.centroids.size() / d;
  if (by_ == By::centroid && data.colours && data.d == 3) {
    colours_.resize(k);
    for (std::size_t c = 0; c < k; ++c)
      colours_[c] = colourOfCentroid(result.centroids.data() + c * d, data);
    return colours_;
  }
  if (assignment_.size() != k) assignment_ = assignColours(result.centroids, k, d);
  colours_ = coloursOf(dark ? Theme::dark : Theme::light, assignment_);
  return colours_;
}

} // namespace lloyd

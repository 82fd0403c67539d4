// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/point_layouts.hpp"

namespace lloyd {

PointView PointLayouts::view(Layout layout, const PointView& points) {
  if (layout == Layout::soa) return points;
  if (records_.size() == 0) records_ = Buffer<float>(device_, n_ * static_cast<std::size_t>(d_));
  if (!hasRecords_) device_.interleave({.n = n_, .d = d_, .points = points, .records = records_.data()});
  hasRecords_ = true;
  return {records_.data(), points.stride, points.box};
}

void PointLayouts::makeTiles(unsigned size, const PointView& points, StageClock* clock) {
  hasTiles_ = false;
  if (!tiles_ || tiles_->size() != size) tiles_.emplace(device_, n_, d_, size);
  const auto order = [&] { tiles_->order(points); };
  clock ? clock->time(Stage::order, order) : order();
  hasTiles_ = true;
}

} // namespace lloyd

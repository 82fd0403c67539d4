// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/axes_glide.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {

void AxesGlide::start(const PickSource& from, const Bounds& fromBox, const PickSource& to,
                      const Bounds& toBox) {
  stop();
  if (!from.values || !to.values || from.n != to.n || to.n > most || from.d < 2 || to.d < 2) return;
  const int axes = std::min(to.d, 3);
  from_.resize(static_cast<std::size_t>(axes) * to.n);
  for (int axis = 0; axis < axes; ++axis) {
    float* row = from_.data() + static_cast<std::size_t>(axis) * to.n;
    const double low = toBox.low[axis], extent = toBox.extent()[axis], old = fromBox.extent()[axis];
    const bool known = axis < from.d && old > 0;
    for (std::size_t i = 0; i < to.n; ++i) {
      const double share =
          known ? (static_cast<double>(from.values[static_cast<std::size_t>(axis) * from.stride + i]) -
                   fromBox.low[axis]) /
                      old
                : 0.5;
      row[i] = static_cast<float>(low + share * extent);
    }
  }
  to_ = to;
  since_.start();
}

bool AxesGlide::takeEnd() {
  if (from_.empty() || running()) return false;
  stop();
  return true;
}

std::vector<float> AxesGlide::rows() const {
  const double t = std::clamp(static_cast<double>(since_.elapsed()) / milliseconds, 0.0, 1.0);
  const auto eased = static_cast<float>(t * t * (3 - 2 * t));
  std::vector<float> rows(from_.size());
  for (std::size_t axis = 0; axis * to_.n < rows.size(); ++axis) {
    const float* from = from_.data() + axis * to_.n;
    const float* to = to_.values + axis * to_.stride;
    for (std::size_t i = 0; i < to_.n; ++i)
      rows[axis * to_.n + i] = from[i] + eased * (to[i] - from[i]);
  }
  return rows;
}

} // namespace lloyd

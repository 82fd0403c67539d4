// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/cluster_order.hpp"

namespace lloyd {

ClusterOrder::ClusterOrder(std::span<const Label> labels, int k, const ReadControl& control)
    : begins(static_cast<std::size_t>(k) + 1) {
  const auto has = [k](Label label) { return label >= 0 && label < k; };
  forEachPoint(labels.size(), control, [&](std::size_t i) {
    if (has(labels[i])) ++begins[static_cast<std::size_t>(labels[i]) + 1];
  });
  for (std::size_t c = 1; c < begins.size(); ++c)
    begins[c] += begins[c - 1];
  points.resize(begins.back());
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  forEachPoint(labels.size(), control, [&](std::size_t i) {
    if (has(labels[i])) points[next[static_cast<std::size_t>(labels[i])]++] = static_cast<std::uint32_t>(i);
  });
}

int ClusterOrder::filled() const {
  int count = 0;
  for (int cluster = 0; cluster < k(); ++cluster)
    count += size(cluster) > 0 ? 1 : 0;
  return count;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/stratified_sample.hpp"

#include "gpu/core/math/random.hpp"

#include <cstdint>

namespace lloyd {

SharedPointSet spreadSubset(const PointSet& points, std::size_t most, const std::string& remark) {
  constexpr std::uint64_t seed = 1;
  std::vector<std::size_t> chosen(most);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * points.n / most;
    const std::size_t end = (i + 1) * points.n / most;
    chosen[i] = begin + randomBits(seed, 0, i) % (end - begin);
  }

  auto subset = std::make_shared<PointSet>();
  subset->n = most;
  subset->d = points.d;
  subset->values.reserve(most * static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j)
    for (const std::size_t i : chosen)
      subset->values.push_back(points.row(j)[i]);
  subset->columns = points.columns;
  subset->scales = points.scales;
  subset->source = points.source;
  subset->inputRows = points.inputRows;
  subset->dropped = points.dropped;
  subset->rows.reserve(most);
  for (const std::size_t i : chosen)
    subset->rows.push_back(points.inputRow(i));
  subset->remarks = points.remarks;
  subset->remarks.push_back(remark);
  if (points.drift) {
    subset->drift = Drift{.component = {},
                          .components = points.drift->components,
                          .reach = points.drift->reach,
                          .seed = points.drift->seed};
    subset->drift->component.reserve(most);
    for (const std::size_t i : chosen)
      subset->drift->component.push_back(points.drift->component[i]);
  }
  subset->colours = points.colours;
  return subset;
}

} // namespace lloyd

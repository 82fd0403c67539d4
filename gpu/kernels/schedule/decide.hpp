// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"
#include "gpu/core/math/everywhere.hpp"

namespace lloyd::schedule {

/// Whether a replay is over, and whether that is because nothing more would come of it.
struct Decision {
  bool settled;
  bool again;
};

/// After the iteration of that number, 1 for the replay's first. A run without a schedule ends by the same
/// rule: no label is new, or no centroid moved farther than a tolerance above 0.
[[nodiscard]] LLOYD_EVERYWHERE inline Decision decide(const LoopParams& orders, std::uint32_t iteration,
                                                      std::uint32_t newLabels, float shift) {
  const bool same = newLabels == 0 && !(orders.fresh != 0 && iteration == 1);
  const bool near = orders.tolerance > 0 && static_cast<double>(shift) <= orders.tolerance;
  const bool settled = orders.tolerance >= 0 && (same || near);
  return {settled, !settled && iteration < orders.most};
}

} // namespace lloyd::schedule

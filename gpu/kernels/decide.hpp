// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/kernel_types.hpp"
#include "gpu/core/math/everywhere.hpp"

namespace lloyd::schedule {

/// Whether a replay is over, and whether that is because nothing more would come of it.
struct Decision {
  bool settled;
  bool again;
};

/// After the iteration of that number, 1 for the replay's first. A run without a schedule ends by the same
/// rule: no label is new, or no centroid moved farther than a tolerance above 0.
[[nodiscard]] LLOYD_EVERYWHERE inline Decision decide(const LoopParams& params, std::uint32_t iteration,
                                                      std::uint32_t newLabels, float shift) {
  const bool same = newLabels == 0 && !(params.fresh != 0 && iteration == 1);
  const bool near = params.tolerance > 0 && static_cast<double>(shift) <= params.tolerance;
  const bool settled = params.tolerance >= 0 && (same || near);
  return {settled, !settled && iteration < params.most};
}

} // namespace lloyd::schedule

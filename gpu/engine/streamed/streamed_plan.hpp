// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/plan.hpp"

#include <cstddef>

namespace lloyd {

/// How points may be cut into batches whose sums are added up, where the device does not hold all of them.
struct BatchRule {
  bool possible = false; ///< the plan's variants add to the sums that they find
  /// Sums, and with them centroids, are then the same bits as of all points at once: they are exact integers,
  /// or doubles that are added in the order of the points.
  bool exact = false;
  std::size_t unit = 1; ///< points; every batch but the last is a multiple of it
};
[[nodiscard]] BatchRule batchRuleOf(const Plan& plan, const Problem& problem);

/// As makePlan(), for points that go through the device in batches: what a person left open is chosen among
/// variants with exact sums. There are none on a card for more than 3 dimensions or 256 clusters; classify
/// and reduce are chosen then, whose last bits depend on how points are cut. Throws RequestError also for a
/// schedule, which wants all points, and for a named variant that cannot take batches or is not exact where
/// others are.
[[nodiscard]] Plan makeStreamedPlan(const Selection& selection, const Problem& problem,
                                    const DeviceInfo& device);

} // namespace lloyd

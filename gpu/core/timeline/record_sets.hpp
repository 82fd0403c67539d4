// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/core/timeline/timeline.hpp"

#include <span>

namespace lloyd {

/// One run of a schedule, recorded after two others, so that nothing in it happens for the first time. By a
/// card's own record, which takes some microseconds here and there from what it looks at, the shortest of up
/// to nine. The sets hold the results. Takes device memory as prepareSets() does, and throws what that and
/// the run throw.
[[nodiscard]] Timeline recordSets(const Variant& schedule, Device& device, const SetStages& stages,
                                  std::span<ClusteringSet> sets, const SetParams& params);

} // namespace lloyd

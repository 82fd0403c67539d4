// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/rule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// 1 for each point that meets the steps of a rule, as Rule::matches() has it.
[[nodiscard]] std::vector<std::uint8_t> matchingPoints(std::span<const Rule::Step> steps,
                                                       const PointSet& points, std::span<const Label> labels,
                                                       const ReadControl& control);

} // namespace lloyd

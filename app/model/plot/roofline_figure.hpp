// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/roofline.hpp"
#include "app/plot/figure.hpp"

#include <vector>

namespace lloyd {

/// What memory and arithmetic allow, and how near each variant comes, both axes logarithmic. stages: whose
/// variants are shown.
[[nodiscard]] Figure rooflineFigure(const RaceResult& race, const Roofline& roofline,
                                    const std::vector<Stage>& stages);

} // namespace lloyd

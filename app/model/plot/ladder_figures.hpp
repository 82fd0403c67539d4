// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/plot/figure.hpp"

namespace lloyd {

/// Every variant that ran as a bar on one axis from 0, by stage, the fastest first. Of a large sweep each
/// variant stands with its fastest tuning parameters. A row is one unit high; the first begins at y = 0.
[[nodiscard]] Figure ladderFigure(const RaceResult& race);

/// The ratio of every sample to that of the family's first in the same round, in rows of the same kind.
/// Figure::empty where no family has two.
[[nodiscard]] Figure ratiosFigure(const RaceResult& race);

} // namespace lloyd

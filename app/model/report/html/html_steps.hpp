// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"

namespace lloyd {

/// Which steps of the texts still hold, by this race's verdicts; nothing where it has no two neighbours of
/// their ladders, or was not run on an NVIDIA card.
void writeTextSteps(Markup& page, const RaceResult& race);

} // namespace lloyd

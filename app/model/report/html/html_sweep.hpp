// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"

#include <vector>

namespace lloyd {

/// Times over the tuning parameters that were swept; nothing where none was.
void writeParameterSweeps(Markup& page, const RaceResult& race);
/// Times over the sizes of the problems; nothing where there is one problem.
void writeProblemSweeps(Markup& page, const std::vector<RaceResultPtr>& races);

} // namespace lloyd

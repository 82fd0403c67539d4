// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/outputs.hpp"
#include "app/model/report/run_report.hpp"

#include <vector>

namespace lloyd {

/// Adds every file that a clustering was asked to write. labels: of the points, belonging to the report's
/// centroids. Both must last until outputs are written.
void addOutputs(Outputs& outputs, const RunReport& report, const std::vector<Label>& labels);

} // namespace lloyd

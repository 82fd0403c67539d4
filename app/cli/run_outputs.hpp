// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"
#include "app/cli/outputs.hpp"
#include "app/model/report/run_report.hpp"

#include <string>
#include <vector>

namespace lloyd {

/// All files that a clustering was asked to write, checked before it starts. input: the file that points are
/// read from.
[[nodiscard]] Outputs promisedOutputs(const Arguments& arguments, const std::string& input);

/// Fills them in. labels: of the points, belonging to the report's centroids.
void addOutputs(Outputs& outputs, const Arguments& arguments, const RunReport& report,
                const std::vector<Label>& labels);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_outputs.hpp"

#include "app/data/write/write_results.hpp"

namespace lloyd {

void addOutputs(Outputs& outputs, const RunReport& report, const std::vector<Label>& labels) {
  outputs.addWriter("--labels-out", [&](const std::string& path) {
    return labelsFile(path, labelsByInputRow(*report.data, labels));
  });
  outputs.addWriter("--centroids-out", [&](const std::string& path) {
    const std::vector<double> exact = report.centroids();
    return centroidsFile(path, std::vector<float>(exact.begin(), exact.end()), report.data->columns);
  });
  outputs.addReport("--json", [&] { return runJson(report); });
  outputs.addReport("--csv", [&] { return runCsv(report); });
  outputs.addReport("--markdown", [&] { return runMarkdown(report); });
}

} // namespace lloyd

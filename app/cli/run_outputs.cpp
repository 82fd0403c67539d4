// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_outputs.hpp"

#include "app/data/write/write_results.hpp"
#include "gpu/core/contract/request_error.hpp"

#include <algorithm>
#include <string_view>

namespace lloyd {

Outputs promisedOutputs(const Arguments& arguments, const std::string& input) {
  Outputs outputs;
  for (const char* option : {"--labels-out", "--centroids-out", "--json", "--csv", "--markdown"}) {
    if (!arguments.given(option)) continue;
    const std::string path = arguments.text(option);
    if (std::string_view(option).ends_with("-out"))
      if (const std::string why = whyNotWritable(path); !why.empty()) throw RequestError(why);
    outputs.promise(path, input);
  }
  return outputs;
}

void addOutputs(Outputs& outputs, const Arguments& arguments, const RunReport& report,
                const std::vector<Label>& labels) {
  if (arguments.given("--labels-out"))
    outputs.add([path = arguments.text("--labels-out"), rows = labelsByInputRow(*report.data, labels)] {
      return writeLabels(path, rows);
    });
  if (arguments.given("--centroids-out")) {
    const std::vector<double> exact = report.centroids();
    std::vector<float> values(exact.size());
    std::transform(exact.begin(), exact.end(), values.begin(),
                   [](double value) { return static_cast<float>(value); });
    outputs.add([path = arguments.text("--centroids-out"), values,
                 d = static_cast<std::size_t>(report.data->d)] { return writeCentroids(path, values, d); });
  }
  if (arguments.given("--json")) outputs.add(arguments.text("--json"), runJson(report));
  if (arguments.given("--csv")) outputs.add(arguments.text("--csv"), runCsv(report));
  if (arguments.given("--markdown")) outputs.add(arguments.text("--markdown"), runMarkdown(report));
}

} // namespace lloyd

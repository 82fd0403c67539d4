// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_plan.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/number_text.hpp"
#include "app/model/report_bench.hpp"
#include "app/model/report_device.hpp"
#include "gpu/core/request_error.hpp"
#include "gpu/engine/device_choice.hpp"

#include <algorithm>

namespace lloyd {

int benchCommand(const Arguments& arguments) {
  Messages messages(arguments);
  Settings settings = settingsFrom(arguments);
  const std::vector<DataRequest> requests = benchRequests(arguments);
  std::vector<int> clusters = benchClusters(arguments);
  Outputs outputs;
  for (const char* option : {"--json", "--csv", "--markdown"})
    if (arguments.given(option)) outputs.promise(arguments.text(option), requests.front().path);

  const ChosenDevice chosen = chooseDevice(settings.backend);
  chosen.device->setCancel(&cancelOnInterrupt());
  BenchReport report{
      .device = chosen.device->info(), .why = chosen.why, .source = {}, .seed = settings.seed, .results = {}};
  const std::vector<Candidate> candidates = benchCandidates(arguments, report.device);

  const bool kGiven = arguments.given("--k") || arguments.given("--ks");
  for (const DataRequest& request : requests) {
    const SharedPointSet points = loadForCommand(request, messages);
    if (report.source.empty()) report.source = request.path.empty() ? request.generator : request.path;
    readInitialCentroids(settings, *points, false);
    if (settings.init.kind == InitKind::given) {
      if (kGiven && clusters != std::vector<int>{settings.k})
        throw RequestError("k is set by the rows of " + settings.init.path + "; leave --k and --ks out");
      clusters = {settings.k};
    }
    for (const int k : clusters) {
      StageBench bench(*chosen.device, *points, k, settings.init, settings.seed);
      if (report.results.empty()) {
        if (!chosen.why.empty()) messages.info(qtext(chosen.why));
        sayRemarks(*points, messages);
      }
      messages.info(QStringLiteral("measuring %1 points, %2 dimensions, k = %3")
                        .arg(countText(points->n))
                        .arg(points->d)
                        .arg(k));
      auto results =
          measure(bench, candidates, {.seed = settings.seed}, [&](std::size_t done, std::size_t rounds) {
            throwIfInterrupted();
            messages.progress(QStringLiteral("round %1 of %2").arg(done).arg(rounds));
          });
      report.results.insert(report.results.end(), results.begin(), results.end());
    }
  }

  if (arguments.given("--json")) outputs.add(arguments.text("--json"), benchJson(report));
  if (arguments.given("--csv")) outputs.add(arguments.text("--csv"), benchCsv(report));
  if (arguments.given("--markdown")) outputs.add(arguments.text("--markdown"), benchMarkdown(report));
  if (!outputs.toStandardOutput()) outputs.add("-", benchText(report));
  outputs.write();
  const bool allRight = std::all_of(report.results.begin(), report.results.end(),
                                    [](const Measurement& m) { return m.verified || !m.skipped.empty(); });
  return allRight ? exitDone : exitCheckFailed;
}

} // namespace lloyd

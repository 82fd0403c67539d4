// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/report/run_report.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <chrono>

namespace lloyd {
namespace {

/// The shared path lends a window's buffers, and there is no window here.
void refuseSharing(const Settings& settings) {
  if (settings.interop == InteropRequest::shared)
    throw RequestError(
        "--interop shared needs the window, because it shares the buffers that are drawn; 'run' draws "
        "nothing: leave it out",
        RequestError::Kind::absent);
}

/// A tuning parameter at its default value looks like one that was not asked for, so this one is checked by
/// its name.
void requireArithmetic(const Arguments& arguments, const Plan& plan) {
  if (!arguments.given("--arithmetic")) return;
  const auto used = plan.variants();
  if (std::ranges::none_of(used, [](const Variant* variant) { return variant->parameter("arithmetic"); }))
    throw RequestError("none of the chosen variants has the parameter arithmetic");
}

/// All at once, by the plan's schedule.
void repeat(KMeansRunner& computer, RunReport& report, Messages& messages) {
  if (report.settings.iterations == 0) return;
  messages.progress(QStringLiteral("iterations begin, up to %1 of them by %2")
                        .arg(report.settings.iterations)
                        .arg(qtext(report.plan.schedule->id())));
  const IterationResult last = computer.iterateUntil(report.settings.tolerance, report.settings.iterations);
  throwIfInterrupted();
  report.rememberRepeated(last);
  report.converged = converged(last, report.settings.tolerance);
}

void iterate(KMeansRunner& computer, RunReport& report, Messages& messages) {
  if (report.plan.schedule) return repeat(computer, report, messages);
  for (int i = 0; i < report.settings.iterations && !report.converged; ++i) {
    if (computer.device().backend() == Backend::simt) // one alone may take minutes there
      messages.progress(QStringLiteral("iteration %1 begins, thread by thread").arg(i + 1));
    const IterationResult result = computer.iterate(true);
    throwIfInterrupted();
    report.remember(result);
    report.converged = converged(result, report.settings.tolerance);
    messages.progress(
        QStringLiteral("iteration %1: inertia %2, largest shift %3")
            .arg(result.iteration)
            .arg(significantText(result.inertia.value_or(0), 6), significantText(result.shift)));
  }
}

} // namespace

int runCommand(const Arguments& arguments) {
  Messages messages(arguments);
  RunReport report;
  report.settings = settingsFrom(arguments);
  refuseSharing(report.settings);
  const auto request = dataRequest(arguments);
  if (!request) throw RequestError("there are no points: name a FILE, or a generator with --points blobs:");
  report.scaling = request->scaling;
  Outputs outputs(arguments, request->path);

  KMeansRunner computer;
  computer.setCancel(&cancelOnInterrupt());
  computer.chooseDevice(report.settings.backend);
  report.device = computer.device().info();
  report.why = computer.whyDevice();

  const auto start = std::chrono::steady_clock::now();
  report.data = loadForCommand(*request, messages);
  report.addTime(Stage::load,
                 std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  readInitialCentroids(report.settings, *report.data, arguments.given("--k"));
  computer.setData(report.data);
  constexpr bool unseen = true; // labels are looked at once, when the run has ended
  computer.usePrivatePoints(Sharing::none, unseen);
  report.addTime(Stage::upload, computer.uploadUs());
  computer.configure(report.settings);
  report.plan = computer.plan();
  requireArithmetic(arguments, report.plan);
  if (!report.why.empty()) messages.info(qtext(report.why));
  sayRemarks(*report.data, messages);

  iterate(computer, report, messages);
  std::vector<Label> labels;
  report.result = computer.finish(nullptr, &labels);
  throwIfInterrupted();
  if (report.result.emptyClusters > 0)
    messages.warning((report.result.emptyClusters == 1
                          ? QStringLiteral("%1 of %2 clusters has no points; it keeps its centre")
                          : QStringLiteral("%1 of %2 clusters have no points; each keeps its centre"))
                         .arg(report.result.emptyClusters)
                         .arg(report.settings.k));
  if (!report.converged)
    messages.warning(countedText(static_cast<std::uint64_t>(report.iterations),
                                 QStringLiteral("not converged after %1 iteration"),
                                 QStringLiteral("not converged after %1 iterations")));
  addOutputs(outputs, report, labels);
  outputs.addText([&] { return runText(report); });
  outputs.write();
  return exitDone;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/report/k_curve.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/timeline/named_timeline.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/system_memory.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

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

/// Single iterations are in no queue.
void requireSets(const Arguments& arguments, const Plan& plan) {
  if (arguments.given("--timeline") && !plan.runsSets())
    throw RequestError("--timeline records a schedule of sets: name one as well, as in --schedule multi");
}

/// All at once, by the plan's schedule.
void repeat(KMeansRunner& runner, RunReport& report, Messages& messages) {
  if (report.settings.iterations == 0) return;
  messages.progress(QStringLiteral("iterations begin, up to %1 of them by %2")
                        .arg(report.settings.iterations)
                        .arg(qtext(report.plan.schedule->id())));
  const IterationResult last = runner.iterateUntil(report.settings.tolerance, report.settings.iterations);
  throwIfInterrupted();
  report.rememberRepeated(last);
  report.converged = converged(last, report.settings.tolerance);
}

void iterate(KMeansRunner& runner, RunReport& report, Messages& messages) {
  if (report.plan.repeats()) return repeat(runner, report, messages);
  for (int i = 0; i < report.settings.iterations && !report.converged; ++i) {
    if (runner.device().backend() == Backend::simt) // one alone may take minutes there
      messages.progress(QStringLiteral("iteration %1 begins, thread by thread").arg(i + 1));
    const IterationResult result = runner.iterate(true);
    throwIfInterrupted();
    report.remember(result);
    report.converged = converged(result, report.settings.tolerance);
    messages.progress(
        QStringLiteral("iteration %1: inertia %2, largest shift %3")
            .arg(result.iteration)
            .arg(significantText(result.inertia.value_or(0), 6), significantText(result.shift)));
  }
}

/// A run to its end, with the labels of its points.
struct FinishedRun {
  RunReport report;
  std::vector<Label> labels;

  [[nodiscard]] double inertia() const { return report.result.inertia.value_or(0); }
};

/// begun: all that the run has in common with others on the same points. labels: somebody wants them, for
/// which there may not be memory where there is none for points.
FinishedRun runFrom(std::uint64_t seed, const RunReport& begun, bool labels, KMeansRunner& runner,
                    Messages& messages) {
  FinishedRun run{.report = begun, .labels = {}};
  run.report.settings.seed = seed;
  runner.configure(run.report.settings);
  run.report.plan = runner.plan();
  iterate(runner, run.report, messages);
  run.report.result = runner.finish(nullptr, labels ? &run.labels : nullptr);
  if (const StreamFacts* streamed = runner.streamed()) run.report.streamed = *streamed;
  throwIfInterrupted();
  return run;
}

/// All runs as sets, by the plan's schedule; the one of the least inertia, and of equal ones the first.
/// timelines: gets a record of the sets that run at once first; null for none.
FinishedRun bestOfSets(std::uint64_t restarts, const RunReport& begun, KMeansRunner& runner,
                       Messages& messages, NamedTimelines* timelines) {
  FinishedRun best{.report = begun, .labels = {}};
  RunReport& report = best.report;
  if (report.settings.tolerance > 0)
    throw RequestError("--tolerance ends runs that are done one iteration at a time; " +
                       report.settings.selection.schedule + " ends each when no label changes");
  runner.configure(report.settings);
  report.plan = runner.plan();
  std::vector<std::uint64_t> seeds(restarts);
  std::iota(seeds.begin(), seeds.end(), report.settings.seed);
  messages.progress(
      QStringLiteral("%1 by %2, up to %3 iterations each")
          .arg(countedText(restarts, QStringLiteral("%1 set begins"), QStringLiteral("%1 sets begin")),
               qtext(report.plan.schedule->id()))
          .arg(report.settings.iterations));
  const SetsOutcome outcome = runner.runSets(seeds, report.settings.iterations, timelines != nullptr);
  throwIfInterrupted();
  if (timelines) {
    timelines->push_back(
        {QStringLiteral("%1, k = %2").arg(qtext(report.plan.schedule->id())).arg(report.settings.k),
         outcome.timeline});
    if (outcome.recorded < restarts)
      messages.warning(QStringLiteral("the timeline has the first %1 of %2 sets, those that had room at once")
                           .arg(outcome.recorded)
                           .arg(restarts));
  }
  int iterations = 0;
  for (const SetOutcome& set : outcome.sets) {
    iterations += set.iterations;
    if (restarts > 1)
      report.restarts.push_back({.seed = set.seed,
                                 .iterations = set.iterations,
                                 .converged = set.needed > 0,
                                 .inertia = set.result.inertia.value_or(0)});
  }
  report.addTime(Stage::sets, outcome.us / iterations);
  const auto& least = *std::ranges::min_element(
      outcome.sets, {}, [](const SetOutcome& set) { return set.result.inertia.value_or(0); });
  report.settings.seed = least.seed;
  report.iterations = least.iterations;
  report.converged = least.needed > 0;
  report.result = runner.finishFrom(least.result.centroids, &best.labels);
  return best;
}

/// The run of the least inertia; of equal ones, the first.
FinishedRun bestOf(std::uint64_t restarts, const RunReport& begun, bool labels, KMeansRunner& runner,
                   Messages& messages, NamedTimelines* timelines) {
  if (runner.plan().runsSets()) return bestOfSets(restarts, begun, runner, messages, timelines);
  FinishedRun best = runFrom(begun.settings.seed, begun, labels, runner, messages);
  if (restarts == 1) return best;
  std::vector<Restart> all;
  const auto remember = [&](const FinishedRun& run) {
    all.push_back({.seed = run.report.settings.seed,
                   .iterations = run.report.iterations,
                   .converged = run.report.converged,
                   .inertia = run.inertia()});
    messages.progress(QStringLiteral("run %1 of %2: inertia %3")
                          .arg(all.size())
                          .arg(restarts)
                          .arg(significantText(run.inertia(), 6)));
  };
  remember(best);
  while (all.size() < restarts) {
    FinishedRun run = runFrom(begun.settings.seed + all.size(), begun, labels, runner, messages);
    remember(run);
    if (run.inertia() < best.inertia()) best = std::move(run);
  }
  best.report.restarts = std::move(all);
  return best;
}

/// Restarts differ by chance alone, and these first centroids know none.
std::uint64_t restartsFrom(const Arguments& arguments, const Settings& settings) {
  constexpr std::uint64_t most = 100'000;
  const std::uint64_t restarts = arguments.count("--restarts", 1, 1, most);
  const bool chance =
      settings.init.kind == InitKind::kmeansPlusPlus || settings.init.kind == InitKind::random;
  if (restarts > 1 && !chance)
    throw RequestError("--restarts begins anew by chance, and --init " + arguments.text("--init") +
                       " leaves none: use kmeans++ or random");
  return restarts;
}

/// --ks; empty where it was not given.
std::vector<int> clusterCounts(const Arguments& arguments, const Settings& settings) {
  if (!arguments.given("--ks")) return {};
  if (settings.init.kind == InitKind::given)
    throw RequestError("k is set by the rows of " + settings.init.path + "; leave --ks out");
  std::vector<int> ks = benchClusters(arguments);
  for (const std::string_view option : {"--labels-out", "--centroids-out"})
    if (ks.size() > 1 && arguments.given(option))
      throw RequestError(std::string(option) + " writes what one k has found, and --ks names " +
                         std::to_string(ks.size()) + ": choose one");
  return ks;
}

void sayWhatIsMissing(const RunReport& report, Messages& messages) {
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
}

/// The best run of every k. Whether one has empty clusters, or has not converged, stands in the reports.
void addCurve(Outputs& outputs, const std::vector<RunReport>& runs) {
  outputs.addReport("--json", [&] { return kCurveJson(runs); });
  outputs.addReport("--csv", [&] { return kCurveCsv(runs); });
  outputs.addReport("--markdown", [&] { return kCurveMarkdown(runs); });
  outputs.addText([&] { return kCurveText(runs); });
}

/// Memory that points may take on the host, beside what the device has.
double hostRoom(const Device& device) {
  return static_cast<double>(device.backend() == Backend::cuda ? availableMemory() : device.freeMemory());
}

/// Says how points go through the device that it does not hold, and how far they are.
void followBatches(KMeansRunner& runner, const RunReport& report, Messages& messages) {
  if (!runner.streamed()) return;
  messages.info(QStringLiteral("the device has no memory for %1 at once: %2")
                    .arg(pointsText(report.data->n), streamedText(*runner.streamed())));
  runner.onBatch([&messages](std::size_t batch, std::size_t batches) {
    messages.progress(QStringLiteral("batch %1 of %2").arg(countText(batch), countText(batches)));
  });
}

} // namespace

int runCommand(const Arguments& arguments) {
  Messages messages(arguments);
  RunReport report;
  report.settings = settingsFrom(arguments);
  refuseSharing(report.settings);
  const std::uint64_t restarts = restartsFrom(arguments, report.settings);
  const auto request = dataRequest(arguments);
  if (!request) throw RequestError("there are no points: name a FILE, or a generator with --points blobs:");
  report.scaling = request->scaling;
  std::vector<int> ks = clusterCounts(arguments, report.settings);
  requireTimelineName(arguments);
  Outputs outputs(arguments, request->path);

  KMeansRunner runner;
  runner.setCancel(&cancelOnInterrupt());
  runner.chooseDevice(report.settings.backend);
  report.device = runner.device().info();
  report.why = runner.whyDevice();

  const auto start = std::chrono::steady_clock::now();
  const LoadedPoints loaded = loadOrMapForCommand(*request, hostRoom(runner.device()), messages);
  report.data = loaded.points;
  report.addTime(Stage::load,
                 std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  readInitialCentroids(report.settings, *report.data, arguments.given("--k"));
  runner.setData(report.data, loaded.file);
  constexpr bool unseen = true; // labels are looked at once, when the run has ended
  runner.usePrivatePoints(Sharing::none, unseen);
  if (runner.uploadUs() > 0) report.addTime(Stage::upload, runner.uploadUs());
  if (ks.empty()) ks.push_back(report.settings.k);
  report.settings.k = std::ranges::max(ks); // refused now, if at all
  runner.configure(report.settings);
  requireArithmetic(arguments, runner.plan());
  requireSets(arguments, runner.plan());
  if (!report.why.empty()) messages.info(qtext(report.why));
  sayRemarks(*report.data, messages);
  followBatches(runner, report, messages);

  std::vector<RunReport> reports;
  reports.reserve(ks.size());
  std::vector<Label> labels; // of the last k, because those of several are not written
  NamedTimelines timelines;
  for (const int k : ks) {
    report.settings.k = k;
    FinishedRun run = bestOf(restarts, report, arguments.given("--labels-out"), runner, messages,
                             arguments.given("--timeline") ? &timelines : nullptr);
    if (ks.size() > 1)
      messages.progress(QStringLiteral("k = %1: inertia %2").arg(k).arg(significantText(run.inertia(), 6)));
    reports.push_back(std::move(run.report));
    labels = std::move(run.labels);
  }
  if (reports.size() > 1) {
    addCurve(outputs, reports);
  } else {
    sayWhatIsMissing(reports.front(), messages);
    addOutputs(outputs, reports.front(), labels);
    outputs.addText([&] { return runText(reports.front()); });
  }
  addTimelines(outputs, arguments, timelines);
  outputs.write();
  return exitDone;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/best_run.hpp"
#include "app/cli/chosen_rows.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/data/write/recoloured.hpp"
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/projection/projected_points.hpp"
#include "app/model/quality/cluster_scores.hpp"
#include "app/model/report/html/cluster_report.hpp"
#include "app/model/report/k_curve.hpp"
#include "app/model/report/run_files.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/report/several_runs.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/model/timeline/named_timeline.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/system_memory.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
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

bool startsByChance(const Settings& settings) {
  return settings.init.kind == InitKind::kmeansPlusPlus || settings.init.kind == InitKind::random;
}

/// Restarts differ by chance alone, and these first centroids know none.
std::uint64_t restartsFrom(const Arguments& arguments, const Settings& settings) {
  constexpr std::uint64_t most = 100'000;
  const std::uint64_t restarts = arguments.count("--restarts", 1, 1, most);
  if (restarts > 1 && !startsByChance(settings))
    throw RequestError("--restarts begins anew by chance, and --init " + arguments.text("--init") +
                       " leaves none: use kmeans++ or random");
  return restarts;
}

/// --ks; empty where it was not given.
std::vector<int> clusterCounts(const Arguments& arguments, const Settings& settings) {
  if (!arguments.given("--ks")) return {};
  if (settings.init.kind == InitKind::given)
    throw RequestError("k is set by the rows of " + settings.init.path + "; leave --ks out");
  std::vector<int> ks = runClusters(arguments);
  if (ks.size() > 1 && arguments.files().size() > 1)
    throw RequestError("--ks names " + std::to_string(ks.size()) + " numbers of clusters, and there are " +
                       std::to_string(arguments.files().size()) + " FILEs: several of one of them");
  return ks;
}

/// --scores. Whoever asks for several k asks which, so that all of their runs are judged.
ScoredRuns scoredRuns(const Arguments& arguments, bool severalK) {
  const std::string which = arguments.text("--scores", severalK ? "all" : "none");
  if (which == "none") return ScoredRuns::none;
  if (which == "best") return ScoredRuns::best;
  if (which != "all") arguments.refuse("--scores", "none, best or all");
  return ScoredRuns::all;
}

/// Why points have no scores, where somebody wants them.
void sayWhyNoScores(const PointSet& points, Messages& messages) {
  if (canScore(points)) return;
  messages.info(QStringLiteral("%1: no scores, because the points %2")
                    .arg(qtext(points.source),
                         points.drift ? QStringLiteral("move") : QStringLiteral("stay in their file")));
}

/// Labels and centroids are those of one run.
void refuseFilesOfOne(const Arguments& arguments, const std::string& several) {
  for (const std::string_view option :
       {"--labels-out", "--table-out", "--centroids-out", "--picture-out", "--palette-out", "--html"})
    if (arguments.given(option))
      throw RequestError(std::string(option) + " writes what one run has found, and " + several +
                         ": choose one");
}

/// Only what came from a photograph, with all of its pixels, can be put together again.
void requirePhotograph(const Arguments& arguments, const PointSet& points) {
  for (const std::string_view option : {"--picture-out", "--palette-out"})
    if (arguments.given(option) && !isPhotograph(points))
      throw RequestError(std::string(option) + " is of a photograph, and " + points.source + " is none");
}

/// --axes: as what the report draws the points. Nothing where it was not given.
SharedProjection projectionFor(const Arguments& arguments, const SharedPointSet& points) {
  if (!arguments.given("--axes")) return nullptr;
  const auto refuse = [](const std::string& why) { throw RequestError("--axes: " + why); };
  if (const std::string why = whyNoAxes(*points); !why.empty()) refuse(why);
  if (points->values.size() < points->n) refuse("these points stay in their file");
  const auto axes = axesFrom(arguments.text("--axes"), *points);
  if (!axes) refuse(axes.error());
  std::shared_ptr<const PrincipalComponents> components;
  auto projection =
      projectedPoints(points, *axes, components, {.progress = {}, .cancel = &cancelOnInterrupt()});
  if (!projection) refuse(projection.error());
  throwIfInterrupted();
  return *projection;
}

/// What repeats a run, and what its report draws.
QString repeatText(const Arguments& arguments, const DataRequest& request, const Settings& settings) {
  QString text = repeatText(request, settings, arguments.text("--where"));
  if (!arguments.given("--axes")) return text;
  for (const char* option : {"--axes", "--html"})
    text += QStringLiteral(" %1 %2").arg(QLatin1String(option),
                                         shellQuoted(QString::fromStdString(arguments.text(option))));
  return text;
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

/// The best run of each of several. Whether one has empty clusters, or has not converged, stands in the
/// reports.
void addSeveral(Outputs& outputs, const std::vector<RunReport>& runs, bool files) {
  outputs.addReport("--json", [&] { return files ? severalJson(runs) : kCurveJson(runs); });
  outputs.addReport("--csv", [&] { return files ? filesCsv(runs) : kCurveCsv(runs); });
  outputs.addReport("--markdown", [&] { return files ? filesMarkdown(runs) : kCurveMarkdown(runs); });
  outputs.addText([&] { return files ? filesText(runs) : kCurveText(runs); });
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

/// Every file in every k, with its points in memory or mapped.
std::vector<RunSubject> subjectsOf(const Arguments& arguments, const std::vector<DataRequest>& requests,
                                   const std::vector<int>& ks, const RunReport& begun, double room,
                                   Messages& messages) {
  std::vector<RunSubject> subjects;
  for (const DataRequest& request : requests) {
    RunSubject subject{.points = {}, .begun = begun};
    const auto start = std::chrono::steady_clock::now();
    subject.points = chosenRows(arguments, loadOrMapForCommand(request, room, messages));
    RunReport& report = subject.begun;
    report.data = subject.points.points;
    report.addTime(
        Stage::load,
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    readInitialCentroids(report.settings, *report.data, arguments.given("--k"));
    for (const int k : ks) {
      report.settings.k = k;
      subjects.push_back(subject);
    }
    if (ks.empty()) subjects.push_back(std::move(subject));
  }
  return subjects;
}

/// Refuses what cannot be, before the first run begins.
void requireAll(const Arguments& arguments, const std::vector<RunSubject>& subjects, KMeansRunner& runner,
                bool scores, Messages& messages) {
  for (const RunSubject& subject : subjects) {
    subject.giveTo(runner);
    requireArithmetic(arguments, runner.plan());
    requireSets(arguments, runner.plan());
  }
  if (!runner.whyDevice().empty()) messages.info(qtext(runner.whyDevice()));
  const PointSet* said = nullptr;
  for (const RunSubject& subject : subjects) {
    if (subject.begun.data.get() != said) {
      sayRemarks(*subject.begun.data, messages);
      if (scores) sayWhyNoScores(*subject.begun.data, messages);
    }
    said = subject.begun.data.get();
  }
}

std::vector<FinishedRun> bestOfEach(const std::vector<RunSubject>& subjects, const RunOrder& order,
                                    KMeansRunner& runner, Messages& messages) {
  if (runner.plan().runsSets()) return bestSets(subjects, order, runner, messages);
  std::vector<FinishedRun> runs;
  for (const RunSubject& subject : subjects) {
    subject.giveTo(runner);
    followBatches(runner, subject.begun, messages);
    runs.push_back(bestRun(subject, order, runner, messages));
    if (subjects.size() > 1)
      messages.progress(QStringLiteral("%1, k = %2: inertia %3")
                            .arg(qtext(subject.begun.data->title()))
                            .arg(subject.begun.settings.k)
                            .arg(inertiaText(runs.back().inertia())));
  }
  return runs;
}

} // namespace

int runCommand(const Arguments& arguments) {
  Messages messages(arguments);
  RunReport begun;
  begun.settings = settingsFrom(arguments);
  refuseSharing(begun.settings);
  RunOrder order{.restarts = restartsFrom(arguments, begun.settings)};
  const std::vector<DataRequest> requests = dataRequests(arguments);
  if (requests.empty())
    throw RequestError("there are no points: name a FILE, or a generator with --points blobs:");
  begun.scaling = requests.front().scaling;
  begun.startUnasked =
      startsByChance(begun.settings) && !arguments.given("--restarts") && !arguments.given("--ks");
  const std::vector<int> ks = clusterCounts(arguments, begun.settings);
  order.scores = scoredRuns(arguments, ks.size() > 1);
  if (requests.size() > 1)
    refuseFilesOfOne(arguments, "there are " + std::to_string(requests.size()) + " FILEs");
  if (ks.size() > 1) refuseFilesOfOne(arguments, "--ks names " + std::to_string(ks.size()));
  if (arguments.given("--axes") && !arguments.given("--html"))
    throw RequestError("--axes is of the drawing in the report: give --html as well");
  requireTimelineName(arguments);
  std::vector<std::string> inputs;
  inputs.reserve(requests.size());
  for (const DataRequest& request : requests)
    inputs.push_back(request.path);
  Outputs outputs(arguments, std::move(inputs));

  KMeansRunner runner;
  runner.setCancel(&cancelOnInterrupt());
  runner.chooseDevice(begun.settings.backend);
  begun.device = runner.device().info();
  begun.why = runner.whyDevice();
  const std::vector<RunSubject> subjects =
      subjectsOf(arguments, requests, ks, begun, hostRoom(runner.device()), messages);
  requireAll(arguments, subjects, runner, order.scores != ScoredRuns::none, messages);

  NamedTimelines timelines;
  SharedProjection projection;
  if (subjects.size() == 1) {
    requirePhotograph(arguments, *subjects.front().begun.data);
    projection = projectionFor(arguments, subjects.front().begun.data);
  }
  for (const std::string_view option : {"--labels-out", "--table-out", "--picture-out", "--html"})
    order.labels = order.labels || arguments.given(option);
  order.timelines = arguments.given("--timeline") ? &timelines : nullptr;
  const std::vector<FinishedRun> runs = bestOfEach(subjects, order, runner, messages);
  std::vector<RunReport> reports;
  reports.reserve(runs.size());
  for (const FinishedRun& run : runs)
    reports.push_back(run.report);
  if (runs.size() > 1) {
    addSeveral(outputs, reports, requests.size() > 1);
  } else {
    sayWhatIsMissing(reports.front(), messages);
    addOutputs(outputs, reports.front(), runs.front().labels);
    outputs.addReport("--html", [&] {
      return clusterHtml(reports.front(), runs.front().labels,
                         repeatText(arguments, requests.front(), reports.front().settings), projection.get());
    });
    outputs.addText([&] { return runText(reports.front()); });
  }
  addTimelines(outputs, arguments, timelines);
  outputs.write();
  return exitDone;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_plan.hpp"
#include "app/cli/bench_progress.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/cli/second_measurement.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/model/report/bench_report.hpp"
#include "app/model/report/html/html_report.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"

#include <exception>
#include <utility>

namespace lloyd {
namespace {

/// The older report of --compare, read before anything is measured.
std::optional<SavedReport> olderReport(const Arguments& arguments) {
  if (!arguments.given("--compare")) return std::nullopt;
  auto read = readBenchReport(arguments.text("--compare"));
  if (!read) throw RequestError(read.error());
  return std::move(*read);
}

/// Measures one problem after the other into a report.
class Benchmark {
public:
  Benchmark(const Arguments& arguments, Messages& messages)
      : arguments_(arguments), messages_(messages), settings_(settingsFrom(arguments)),
        requests_(benchRequests(arguments)), clusters_(benchClusters(arguments)),
        options_(raceOptions(arguments)), progress_(messages, requests_.size() * clusters_.size()),
        chosen_(chooseDevice(settings_.backend)) {
    chosen_.device->setCancel(&cancelOnInterrupt());
    report_.device = chosen_.device->info();
    report_.why = chosen_.why;
    report_.seed = settings_.seed;
    report_.command = benchCommandLine(arguments);
    candidates_ = benchCandidates(arguments, report_.device);
  }

  [[nodiscard]] const BenchReport& report() const { return report_; }
  [[nodiscard]] BenchReport& report() { return report_; }
  [[nodiscard]] const BenchProgress& progress() const { return progress_; }

  /// Throws what loading and measuring throw. What was measured until then is in the report, which says that
  /// it was interrupted until all is done.
  void run() {
    report_.interrupted = true;
    for (const DataRequest& request : requests_) {
      const SharedPointSet points = loadForCommand(request, messages_);
      const std::string source = request.path.empty() ? request.generator : request.path;
      if (report_.source.empty()) report_.source = source;
      readGivenCentroids(*points);
      for (const int k : clusters_)
        measureProblem(*points, k, source);
    }
    report_.interrupted = false;
  }

private:
  void readGivenCentroids(const PointSet& points) {
    readInitialCentroids(settings_, points, false);
    if (settings_.init.kind != InitKind::given) return;
    const bool kGiven = arguments_.given("--k") || arguments_.given("--ks");
    if (kGiven && clusters_ != std::vector<int>{settings_.k})
      throw RequestError("k is set by the rows of " + settings_.init.path + "; leave --k and --ks out");
    clusters_ = {settings_.k};
  }

  void measureProblem(const PointSet& points, int k, const std::string& source) {
    if (report_.races.empty()) {
      if (!chosen_.why.empty()) messages_.info(qtext(chosen_.why));
      sayRemarks(points, messages_);
    }
    StageHarness bench(*chosen_.device, points, k, settings_.init, settings_.seed);
    bench.repeat(settings_.selection.fused);
    progress_.begin(bench.problem());
    RaceResult result = measure(bench, candidates_, options_, [&](const RaceProgress& now) {
      throwIfInterrupted();
      progress_.round(now);
    });
    result.source = source;
    const bool finished = result.finished;
    report_.races.push_back(std::make_shared<const RaceResult>(std::move(result)));
    if (!finished) throw Cancelled();
    progress_.end();
  }

  const Arguments& arguments_;
  Messages& messages_;
  Settings settings_;
  std::vector<DataRequest> requests_;
  std::vector<int> clusters_;
  RaceOptions options_;
  BenchProgress progress_;
  ChosenDevice chosen_;
  std::vector<Candidate> candidates_;
  BenchReport report_;
};

void write(Outputs& outputs, const BenchReport& report) {
  outputs.addReport("--json", [&] { return benchJson(report); });
  outputs.addReport("--csv", [&] { return benchCsv(report); });
  outputs.addReport("--markdown", [&] { return benchMarkdown(report); });
  outputs.addReport("--html", [&] { return benchHtml(report); });
  outputs.addText([&] { return benchText(report); });
  outputs.write();
}

int statusOf(const BenchReport& report) {
  if (!report.comparison) return report.allVerified() ? exitDone : exitCheckFailed;
  // A check that found nothing to check has not passed.
  const bool passed = report.comparison->worse() == 0 && !report.comparison->rows.empty();
  if (!passed) printError(report.comparison->verdict());
  return passed && report.allVerified() ? exitDone : exitCheckFailed;
}

} // namespace

int benchCommand(const Arguments& arguments) {
  if (arguments.given("--tune")) return tuneCommand(arguments);
  if (arguments.given("--tune-out"))
    throw RequestError("--tune-out says where --tune writes: give --tune as well");
  Messages messages(arguments);
  const std::optional<SavedReport> before = olderReport(arguments);
  Outputs outputs(arguments, benchRequests(arguments).front().path);

  Benchmark benchmark(arguments, messages);
  std::exception_ptr failure;
  bool cancelled = false;
  try {
    benchmark.run();
  } catch (const Cancelled&) {
    cancelled = true;
    if (benchmark.report().races.empty()) throw;
  } catch (...) {
    failure = std::current_exception();
    if (benchmark.report().races.empty()) throw;
  }

  BenchReport& report = benchmark.report();
  if (before) {
    const QString fileName = QString::fromStdString(arguments.text("--compare"));
    report.comparison = compareReports(report.races, *before, fileName);
    try {
      if (!cancelled && !failure)
        measureAgain(*report.comparison, report.races, *before, arguments, messages);
    } catch (const Cancelled&) {
      cancelled = true;
    }
  }
  write(outputs, report);
  if (cancelled || failure) {
    const bool partly = report.races.size() > benchmark.progress().done();
    printError(QStringLiteral("%1; %2 of %3 problems were measured%4, and the report has what there is")
                   .arg(cancelled ? QStringLiteral("cancelled") : QStringLiteral("something failed"))
                   .arg(benchmark.progress().done())
                   .arg(benchmark.progress().problems())
                   .arg(partly ? QStringLiteral(" and one in part") : QString()));
  }
  if (failure) std::rethrow_exception(failure);
  return cancelled ? exitCancelled : statusOf(report);
}

} // namespace lloyd

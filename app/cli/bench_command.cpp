// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/own_kernels.hpp"
#include "app/cli/presets.hpp"
#include "app/cli/requests.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/bench_report.hpp"
#include "app/model/report/html/html_report.hpp"
#include "app/model/report/html/html_timelines.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"

#include <QCoreApplication>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

/// What bench says while it goes from problem to problem.
class BenchProgress {
public:
  BenchProgress(Messages& messages, std::size_t problems) : messages_(messages), problems_(problems) {}

  /// source: of its points; said where there are several.
  void prepare(const Problem& problem, const std::string& source) {
    messages_.info(where() + QStringLiteral("measuring ") + problemText(problem) +
                   (problems_ == 1 ? QString() : QStringLiteral(", ") + qtext(source)));
    messages_.progress(where() + QStringLiteral("seeding, and an iteration in double precision"));
  }
  void show(const RaceProgress& progress) {
    if (progress.toCheck > 0)
      return messages_.progress(
          where() +
          QStringLiteral("checking variant %1 of %2").arg(progress.checked + 1).arg(progress.toCheck));
    messages_.progress(where() + QStringLiteral("round %1 of %2, at most %3 left")
                                     .arg(QString::number(progress.round), QString::number(progress.rounds),
                                          roughDuration(secondsLeft(progress.secondsLeft))));
  }
  void end() {
    seconds_.push_back(elapsed());
    began_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] std::size_t done() const { return seconds_.size(); }
  [[nodiscard]] std::size_t problems() const { return problems_; }

private:
  /// What is left of the problem at hand, and for each that is to come as much as those that are done took on
  /// average, or, before the first is done, as this one takes.
  [[nodiscard]] double secondsLeft(double ofThis) const {
    const std::size_t toCome = problems_ - std::min(problems_, done() + 1);
    const double all = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
    const double each = seconds_.empty() ? elapsed() + ofThis : all / static_cast<double>(done());
    return ofThis + static_cast<double>(toCome) * each;
  }
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  [[nodiscard]] QString where() const {
    return problems_ == 1 ? QString() : QStringLiteral("problem %1 of %2: ").arg(done() + 1).arg(problems_);
  }

  Messages& messages_;
  std::size_t problems_;
  std::vector<double> seconds_; ///< of each problem that is done
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Runs this program as "bench" for those candidates alone; its report.
tl::expected<SavedReport, std::string> benchInAnotherProcess(const std::vector<Candidate>& candidates,
                                                             const Arguments& arguments) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("again.json"));
  QStringList words{QStringLiteral("bench"), QStringLiteral("--quiet"), QStringLiteral("--json"), path};
  const std::vector<std::string> same = benchArguments(narrowedTo(candidates, arguments));
  for (auto word = same.begin() + 1; word != same.end(); ++word)
    words << QString::fromStdString(*word);
  QProcess process;
  process.setStandardOutputFile(QProcess::nullDevice());
  process.start(QCoreApplication::applicationFilePath(), words);
  while (process.state() != QProcess::NotRunning) {
    process.waitForFinished(50);
    if (!interrupted()) continue;
    process.terminate();
    process.waitForFinished();
    throw Cancelled();
  }
  throwIfInterrupted(); // whoever types Ctrl+C means both
  if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
    return tl::unexpected(process.error() == QProcess::UnknownError
                              ? process.readAllStandardError().trimmed().toStdString()
                              : process.errorString().toStdString());
  return readBenchReport(path.toStdString());
}

/// Measures a second time what seems slower or faster in races than before, and notes it in the comparison.
/// In a process of its own: where a process has its memory and its code, it has them for life, and equal ones
/// differ by what that is worth. Says what it does; also when it could not, and then the first measurement
/// stands. Throws Cancelled.
void measureAgain(ReportComparison& comparison, std::span<const RaceResultPtr> races,
                  const SavedReport& before, const Arguments& arguments, const Messages& messages) {
  std::vector<Candidate> suspects;
  for (const ComparedRow& row : comparison.rows)
    if (row.seemsDifferent()) suspects.push_back(row.candidate);
  if (suspects.empty()) return;
  messages.info(QStringLiteral("what seems different from before is measured again"));
  const auto again = benchInAnotherProcess(suspects, arguments);
  if (!again) {
    messages.warning(
        QStringLiteral("it could not be measured again: %1").arg(QString::fromStdString(again.error())));
    return;
  }
  for (const RaceResultPtr& race : again->races)
    addSecondMeasurement(comparison, *race, before, races.front()->conditions.rules);
}

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
  /// before: what the report will be held against, or null. Both outlive it.
  Benchmark(const Arguments& arguments, Messages& messages, const SavedReport* before)
      : arguments_(arguments), messages_(messages), before_(before), settings_(settingsFrom(arguments)),
        requests_(benchRequests(arguments)), clusters_(benchClusters(arguments)),
        options_(raceOptions(arguments)), progress_(messages, requests_.size() * clusters_.size()),
        chosen_(chooseDevice(settings_.backend)) {
    chosen_.device->setCancel(&cancelOnInterrupt());
    chosen_.device->setEnding(&cancelOnInterrupt());
    report_.device = chosen_.device->info();
    report_.why = chosen_.why;
    report_.seed = settings_.seed;
    report_.command = benchCommandLine(arguments);
    candidates_ = benchCandidates(arguments, report_.device);
    options_.record = arguments.given("--timeline") || arguments.given("--html");
    requireSchedules();
    sayWhatNeedsACard();
  }

  ~Benchmark() {
    // A card may work at a launch for a second: whoever typed Ctrl+C does not wait for it.
    if (interrupted() && report_.device.backend == Backend::cuda) static_cast<void>(chosen_.device.release());
  }
  Benchmark(const Benchmark&) = delete;
  Benchmark& operator=(const Benchmark&) = delete;

  [[nodiscard]] const BenchReport& report() const { return report_; }
  [[nodiscard]] BenchReport& report() { return report_; }
  [[nodiscard]] const BenchProgress& progress() const { return progress_; }

  /// Throws what loading and measuring throw. What was measured until then is in the report, which says that
  /// it was interrupted until all is done.
  void run() {
    report_.interrupted = true;
    for (const DataRequest& request : requests_) {
      const SharedPointSet points = loadForCommand(request, messages_);
      const std::string source = sourceText(request);
      if (report_.source.empty()) report_.source = source;
      readGivenCentroids(*points);
      for (const int k : clusters_)
        measureProblem(*points, k, source);
    }
    report_.interrupted = false;
  }

private:
  void requireSchedules() const {
    if (arguments_.given("--timeline") &&
        std::ranges::none_of(candidates_, [](const Candidate& one) { return one.stage == Stage::sets; }))
      throw RequestError(
          "--timeline records schedules of sets, and none is among the variants: name some, as "
          "in --variants 'schedule.*'");
  }

  /// Without a card a kernel of one's own is one of many that do not run, and the only one that is missed.
  void sayWhatNeedsACard() const {
    for (const Variant* own : addedKernels())
      if (!own->runsOn(report_.device.backend))
        messages_.warning(
            QStringLiteral("%1 is not measured: it needs a card; 'lloydscope try FILE' races it "
                           "against its original on the simulator")
                .arg(qtext(own->id())));
  }

  /// Of a single problem it is known before it is measured whether the older report has it.
  void requireComparable(const Problem& problem, const std::string& source) const {
    if (!before_ || progress_.problems() > 1 || raceOf(before_->races, problem, source)) return;
    const bool otherPoints = severalSources(before_->races, problem);
    throw RequestError("nothing can be compared: " + arguments_.text("--compare") + " has no rows of " +
                       problemText(problem).toStdString() + (otherPoints ? " of " + source : std::string()) +
                       "; measure what it has, or leave --compare out");
  }

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
    requireComparable(problemOf(points, k), source);
    progress_.prepare(problemOf(points, k), source);
    StageHarness bench(*chosen_.device, points, k, settings_.init, settings_.seed);
    bench.repeat(settings_.selection);
    RaceResult result = measure(bench, candidates_, options_, [&](const RaceProgress& now) {
      throwIfInterrupted();
      progress_.show(now);
    });
    result.source = source;
    const bool finished = result.finished;
    report_.races.push_back(std::make_shared<const RaceResult>(std::move(result)));
    if (!finished) throw Cancelled();
    progress_.end();
  }

  const Arguments& arguments_;
  Messages& messages_;
  const SavedReport* before_;
  Settings settings_;
  std::vector<DataRequest> requests_;
  std::vector<int> clusters_;
  RaceOptions options_;
  BenchProgress progress_;
  ChosenDevice chosen_;
  std::vector<Candidate> candidates_;
  BenchReport report_;
};

void write(Outputs& outputs, const Arguments& arguments, const BenchReport& report) {
  outputs.addReport("--json", [&] { return benchJson(report); });
  outputs.addReport("--csv", [&] { return benchCsv(report); });
  outputs.addReport("--markdown", [&] { return benchMarkdown(report); });
  outputs.addReport("--html", [&] { return benchHtml(report); });
  outputs.addText([&] { return benchText(report); });
  addTimelines(outputs, arguments, recordedTimelines(report.races));
  outputs.write();
}

int statusOf(const BenchReport& report) {
  if (!report.comparison) return report.allVerified() ? exitDone : exitCheckFailed;
  // A check that found nothing to check has not passed.
  if (report.comparison->rows.empty()) {
    printError(report.comparison->verdict());
    return exitWrong;
  }
  const bool passed = report.comparison->worse() == 0;
  if (!passed) printError(report.comparison->verdict());
  return passed && report.allVerified() ? exitDone : exitCheckFailed;
}

} // namespace

int benchCommand(const Arguments& given) {
  Messages messages(given);
  const Arguments arguments =
      given.given("--preset")
          ? withPreset(given, chooseDevice(backendFrom(given)).device->backend(), messages)
          : given;
  if (arguments.given("--tune")) return tuneCommand(arguments);
  if (arguments.given("--tune-out"))
    throw RequestError("--tune-out says where --tune writes: give --tune as well");
  requireTimelineName(arguments);
  const std::optional<SavedReport> before = olderReport(arguments);
  Outputs outputs(arguments, {benchRequests(arguments).front().path});

  Benchmark benchmark(arguments, messages, before ? &*before : nullptr);
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
  write(outputs, arguments, report);
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

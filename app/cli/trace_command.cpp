// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/report/trace_report.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <functional>

namespace lloyd {
namespace {

/// Above this many points a variant takes the simulator a good part of a minute.
constexpr std::size_t manyPoints = std::size_t{1} << 20;

/// What is counted when neither FILE nor --points is given.
constexpr const char* defaultGenerator = "uniform:d=3";

simt::Schedule scheduleFrom(const Arguments& arguments) {
  using Order = simt::Schedule::Order;
  const std::string text = arguments.text("--order", "forward");
  constexpr std::string_view seeded = "seeded:";
  if (text == "forward") return {Order::forward};
  if (text == "reverse") return {Order::reverse};
  if (text == "seeded") return {Order::seeded};
  if (text.starts_with(seeded))
    if (const auto seed = parseCount(std::string_view(text).substr(seeded.size())))
      return {Order::seeded, *seed};
  arguments.refuse("--order", "forward, reverse, seeded or seeded:N");
}

/// A GPU to launch on, or none: then kernels run on the simulator, and are counted.
ChosenDevice cardFrom(const Arguments& arguments) {
  const std::string backend = arguments.text("--backend", "auto");
  if (backend == "auto" || backend == "simt") return {};
  const BackendRequest choice = backendFrom(arguments);
  if (choice == BackendRequest::cpu)
    throw RequestError(
        "trace counts what CUDA kernels ask for, and the cpu backend has none: leave --backend "
        "out, or launch on a GPU with --backend cuda");
  return chooseDevice(choice);
}

/// Goes through every problem and every candidate, and collects what trace gives back for each.
class Tour {
public:
  using Trace = std::function<simt::Trace(const simt::TraceRequest&)>;

  Tour(const Arguments& arguments, Messages& messages)
      : arguments_(arguments), messages_(messages), settings_(settingsFrom(arguments)),
        requests_(
            benchRequests(arguments, {.generator = arguments.given("--d") ? "uniform:" : defaultGenerator,
                                      .count = default_counts::simulated})),
        clusters_(benchClusters(arguments)) {
    report.schedule = scheduleFrom(arguments);
    report.seed = settings_.seed;
  }

  /// device: whose variants are to be taken.
  void run(const DeviceInfo& device, const Trace& trace) {
    std::vector<Candidate> candidates = benchCandidates(arguments_, device);
    // The CPU's own have no kernels, and schedules of sets launch those of others.
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return candidate.stage == Stage::sets || !candidate.variant->on(device.backend).has(candidate.stage);
    });
    for (const DataRequest& request : requests_) {
      const SharedPointSet points = loadForCommand(request, messages_);
      if (report.source.empty()) report.source = sourceText(request);
      readInitialCentroids(settings_, *points, arguments_.given("--k") || arguments_.given("--ks"));
      if (settings_.init.kind == InitKind::given) clusters_ = {settings_.k};
      for (const int k : clusters_)
        takeProblem(problemOf(*points, k), *points, sourceText(request), candidates, device, trace);
    }
    if (report.stages.empty())
      throw RequestError(report.untraced.empty() ? "none of the chosen variants has a kernel to launch"
                                                 : report.untraced.front().reason);
  }

  [[nodiscard]] const std::string& inputFile() const { return requests_.front().path; }

  TraceReport report;

private:
  void takeProblem(const Problem& problem, const PointSet& points, const std::string& source,
                   const std::vector<Candidate>& candidates, const DeviceInfo& device, const Trace& trace) {
    if (problem.n > manyPoints && device.backend == Backend::simt)
      messages_.warning(QStringLiteral("%1 points keep the simulator busy for minutes; Ctrl+C ends it")
                            .arg(countText(problem.n)));
    const std::vector<float> centroids =
        startingCentroids(points, problem, settings_.init, settings_.seed, &cancelOnInterrupt());
    std::size_t done = 0;
    for (const Candidate& candidate : candidates) {
      throwIfInterrupted();
      messages_.progress(QStringLiteral("%1 of %2: %3 with %4")
                             .arg(done++ + 1)
                             .arg(candidates.size())
                             .arg(qtext(candidate.variant->id()), pointsText(problem.n)));
      if (const auto reason = candidate.variant->whyNot(candidate.stage, problem, device, candidate.tuning)) {
        leaveOut(candidate.variant->id(), *reason);
        continue;
      }
      report.stages.push_back({candidate, problem,
                               trace({.variant = candidate.variant,
                                      .stage = candidate.stage,
                                      .problem = problem,
                                      .points = points.values,
                                      .centroids = centroids,
                                      .oldLabels = {},
                                      .tuning = candidate.tuning,
                                      .schedule = report.schedule,
                                      .cancel = &cancelOnInterrupt()}),
                               source});
    }
  }

  void leaveOut(const std::string& variant, const std::string& reason) {
    for (const Untraced& known : report.untraced)
      if (known.reason == reason) return;
    report.untraced.push_back({variant, reason});
  }

  const Arguments& arguments_;
  Messages& messages_;
  Settings settings_;
  std::vector<DataRequest> requests_;
  std::vector<int> clusters_;
};

} // namespace

int traceCommand(const Arguments& arguments) {
  Messages messages(arguments);
  Tour tour(arguments, messages);
  Outputs outputs(arguments, {tour.inputFile()});
  const ChosenDevice card = cardFrom(arguments);
  if (card.device) {
    card.device->setCancel(&cancelOnInterrupt());
    tour.run(card.device->info(), [&](const simt::TraceRequest& request) {
      simt::launchStage(*card.device, request);
      return simt::Trace();
    });
  } else {
    tour.run(simt::createSimtDevice()->info(),
             [](const simt::TraceRequest& request) { return simt::traceStage(request).trace; });
  }
  throwIfInterrupted();

  const TraceReport& report = tour.report;
  for (const Untraced& untraced : report.untraced)
    if (outputs.toStandardOutput() || card.device) messages.warning(qtext(untraced.reason));
  outputs.addReport("--json", [&] { return card.device ? launchesJson(report.stages) : traceJson(report); });
  outputs.addText([&] { return card.device ? launchesText(report.stages) : traceText(report); });
  outputs.write();
  return report.ok() ? exitDone : exitCheckFailed;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/apart/apart_table.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/apart_figure.hpp"
#include "app/model/report/apart_report.hpp"
#include "app/model/report/html/figure_file.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/device_choice.hpp"

#include <QString>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr SvgSize waterfallSize{
    .width = 900, .height = 320, .left = 90, .right = 60, .top = 14, .bottom = 46};
constexpr double rowHeight = 34;
constexpr double aroundRows = 60;

std::string knownSteps() {
  std::string known;
  for (const VersionStep* step : StepRegistry::instance().all())
    known.append(known.empty() ? "" : ", ").append(step->info.to);
  return known;
}

/// Those that STEP names, each once, in its order.
std::vector<const VersionStep*> stepsFrom(const Arguments& arguments) {
  if (!arguments.given("STEP"))
    throw RequestError("name a step that can be taken apart: one of " + knownSteps());
  if (arguments.text("STEP") == "all") return StepRegistry::instance().all();
  std::vector<const VersionStep*> steps;
  for (const std::string& id : splitList(arguments.text("STEP"))) {
    const VersionStep* step = StepRegistry::instance().find(id);
    if (!step)
      throw RequestError("the step to '" + id + "' is not taken apart here; there are " + knownSteps());
    if (std::ranges::find(steps, step) == steps.end()) steps.push_back(step);
  }
  return steps;
}

QByteArray stepsText() {
  QString text;
  for (const VersionStep* step : StepRegistry::instance().all()) {
    text += QStringLiteral("%1%2: from %3, in %4\n")
                .arg(text.isEmpty() ? QString() : QStringLiteral("\n"), qtext(step->info.to),
                     qtext(step->info.from), qtext(step->info.source));
    int number = 1;
    for (const Switch& one : step->info.switches)
      text += QStringLiteral("  %1  %2: %3\n").arg(number++).arg(qtext(one.name), qtext(one.idea));
  }
  return text.toUtf8();
}

/// Takes one step after the other apart, on every problem that was asked for.
class Workbench {
public:
  Workbench(const Arguments& arguments, Messages& messages)
      : arguments_(arguments), messages_(messages), settings_(settingsFrom(arguments)),
        requests_(benchRequests(arguments)), clusters_(benchClusters(arguments)),
        options_(raceOptions(arguments)) {}

  std::vector<StepApart> taken;

  void take(const VersionStep& step) {
    ChosenDevice chosen = deviceFor(step);
    if (!step.runsOn(chosen.device->info().backend)) return takeShipped(step, chosen);
    chosen.device->setCancel(&cancelOnInterrupt());
    chosen.device->setEnding(&cancelOnInterrupt());
    for (const DataRequest& request : requests_) {
      const SharedPointSet points = loadForCommand(request, messages_);
      readInitialCentroids(settings_, *points, arguments_.given("--k") || arguments_.given("--ks"));
      if (settings_.init.kind == InitKind::given) clusters_ = {settings_.k};
      for (const int k : clusters_)
        race(step, *chosen.device, *points, k, sourceText(request));
    }
  }

private:
  /// The processor for what is a processor's, unless another was asked for.
  [[nodiscard]] ChosenDevice deviceFor(const VersionStep& step) const {
    const bool free = settings_.backend == BackendRequest::automatic;
    return chooseDevice(free && step.runsOn(Backend::cpu) ? BackendRequest::cpu : settings_.backend);
  }

  /// What was measured on a card, where there is none here.
  void takeShipped(const VersionStep& step, const ChosenDevice& chosen) {
    const std::string to(step.info.to);
    const std::string here = "the step to " + to + " is " +
                             (step.runsOn(Backend::cpu) ? "the processor's" : "a GPU's") + ", and this is " +
                             chosen.device->info().name;
    const std::vector<StepApart> shipped = shippedStepsTo(to);
    if (shipped.empty())
      throw RequestError(here + "; the program has no figures of a card for it either",
                         RequestError::Kind::absent);
    messages_.warning(QString::fromStdString(here + "; what follows was measured on " +
                                             shipped.front().device + " and is in the program"));
    taken.insert(taken.end(), shipped.begin(), shipped.end());
  }

  void race(const VersionStep& step, Device& device, const PointSet& points, int k,
            const std::string& source) {
    messages_.info(QStringLiteral("taking the step to %1 apart with %2")
                       .arg(qtext(step.info.to), problemText(problemOf(points, k))));
    StageHarness bench(device, points, k, settings_.init, settings_.seed);
    RaceResult result = measure(bench, candidatesOf(step), options_, [&](const RaceProgress& now) {
      throwIfInterrupted();
      messages_.progress(
          now.toCheck > 0
              ? QStringLiteral("checking combination %1 of %2").arg(now.checked + 1).arg(now.toCheck)
              : QStringLiteral("round %1 of %2, at most %3 left")
                    .arg(QString::number(now.round), QString::number(now.rounds),
                         roughDuration(now.secondsLeft)));
    });
    if (!result.finished) throw Cancelled();
    result.source = source;
    auto apart = takeApart(step, result);
    if (!apart) throw RequestError(apart.error());
    for (const QString& warning : warningsOf(result))
      messages_.warning(warning);
    taken.push_back(std::move(*apart));
  }

  const Arguments& arguments_;
  Messages& messages_;
  Settings settings_;
  std::vector<DataRequest> requests_;
  std::vector<int> clusters_;
  RaceOptions options_;
};

QByteArray waterfallSvg(const StepApart& apart) {
  SvgSize size = waterfallSize;
  size.height = aroundRows + rowHeight * static_cast<double>(apart.switches.size() + 2);
  return figureSvg(apartFigure(&apart), size, QStringLiteral("waterfall"));
}

} // namespace

int apartCommand(const Arguments& arguments) {
  Messages messages(arguments);
  if (arguments.given("--list")) {
    if (arguments.given("STEP")) throw RequestError("--list lists all steps: leave STEP or --list out");
    printOutput(stepsText());
    return exitDone;
  }
  const std::vector<const VersionStep*> steps = stepsFrom(arguments);
  if (backendFrom(arguments) == BackendRequest::simt)
    throw RequestError("--backend simt: the simulator's time says nothing of a card; take the step apart on "
                       "cuda or cpu, or count what its kernels ask of memory with lloydscope trace "
                       "--variants 'apart.*'");
  Outputs outputs(arguments);
  Workbench workbench(arguments, messages);
  for (const VersionStep* step : steps)
    workbench.take(*step);
  const std::vector<StepApart>& taken = workbench.taken;
  if (arguments.given("--svg") && taken.size() != 1)
    throw RequestError("--svg draws one step on one problem, and these are " + std::to_string(taken.size()));
  outputs.addReport("--json", [&] { return apartJson(taken); });
  outputs.addReport("--csv", [&] { return apartCsv(taken); });
  outputs.addReport("--markdown", [&] { return apartMarkdown(taken); });
  outputs.addReport("--svg", [&] { return waterfallSvg(taken.front()); });
  outputs.addText([&] { return apartText(taken); });
  outputs.write();
  const bool addUp = std::ranges::all_of(
      taken, [](const StepApart& apart) { return !apart.whole.known() || apart.addsUp(); });
  return addUp ? exitDone : exitCheckFailed;
}

} // namespace lloyd

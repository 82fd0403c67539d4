// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_runner.hpp"

#include "app/model/measure/measure_candidates.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace lloyd {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t mostCells = 8192;

bool isMeasured(const std::shared_ptr<const Measurement>& cell) { return cell != nullptr; }

double secondsSince(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// How far a sweep is and how long it will take: as long for each measurement as those before took.
class Pace {
public:
  Pace(std::size_t total, double guessSeconds) : total_(total), guess_(guessSeconds) {}

  /// A gap takes no time worth counting.
  void finish(const SweepCells& cells) {
    done_ += cells.size();
    measured_ += static_cast<std::size_t>(
        std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return cell.second->ran(); }));
    seconds_ += secondsSince(stepBegan_);
    stepBegan_ = Clock::now();
  }
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] double secondsLeft() const {
    const double each = measured_ > 0 ? seconds_ / static_cast<double>(measured_) : guess_;
    return std::max(0.0, each * static_cast<double>(total_ - done_) - secondsSince(stepBegan_));
  }

private:
  std::size_t total_;
  double guess_;
  std::size_t done_ = 0;
  std::size_t measured_ = 0;
  double seconds_ = 0;
  Clock::time_point stepBegan_ = Clock::now();
};

std::shared_ptr<const Measurement> gap(const SweepTask& task, const Problem& problem,
                                       const std::string& reason) {
  auto measurement = std::make_shared<Measurement>();
  measurement->candidate = task.candidate;
  measurement->problem = problem;
  measurement->skipped = reason;
  return measurement;
}

/// The step's race, or the reason why there is none.
tl::expected<RaceResult, std::string> raceOf(Device& device, SweepData& data, const SweepStep& step,
                                             const std::vector<Candidate>& candidates,
                                             const SweepRequest& request, const Settings& settings,
                                             const std::atomic<bool>& cancel,
                                             const std::function<void()>& tick) {
  try {
    const auto points = data.points(step.problem.n, step.problem.d, &cancel, step.data);
    if (cancel) throw Cancelled();
    if (!points) return tl::unexpected(points.error());
    StageHarness bench(device, **points, step.problem.k, settings.init, settings.seed);
    RaceOptions options = request.options;
    options.budgetSeconds = request.cellSeconds * static_cast<double>(candidates.size());
    return measure(bench, candidates, options, [&](const RaceProgress&) {
      if (cancel) throw Cancelled();
      tick();
    });
  } catch (const RequestError& wrong) {
    return tl::unexpected(std::string(wrong.what()));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(std::string("there is not enough memory for this size"));
  } catch (const DeviceError& wrong) {
    if (wrong.severity() == Severity::lost || wrong.severity() == Severity::absent) throw;
    return tl::unexpected(std::string(wrong.meaning()));
  }
}

/// Measures all tasks of a step in one race. What cannot run is a gap with its reason: too few points, a size
/// that the source cannot have, a tuning parameter's value that a variant refuses, too little memory. tick is
/// called while it goes on. Throws Cancelled when cancel becomes true, and DeviceError when the device is
/// lost.
SweepCells measureStep(Device& device, SweepData& data, const SweepStep& step, const SweepRequest& request,
                       const Settings& settings, const std::atomic<bool>& cancel,
                       const std::function<void()>& tick) {
  SweepCells cells;
  std::vector<Candidate> candidates;
  std::vector<const SweepTask*> racing;
  for (const SweepTask& task : step.tasks) {
    if (!task.whyNot.empty()) {
      cells.emplace_back(task.cell, gap(task, step.problem, task.whyNot));
      continue;
    }
    candidates.push_back(task.candidate);
    racing.push_back(&task);
  }
  if (racing.empty()) return cells;
  const auto race = raceOf(device, data, step, candidates, request, settings, cancel, tick);
  for (std::size_t i = 0; i < racing.size(); ++i)
    cells.emplace_back(racing[i]->cell, race ? std::make_shared<const Measurement>(race->rows[i])
                                             : gap(*racing[i], step.problem, race.error()));
  return cells;
}

} // namespace

RaceOptions SweepRequest::defaultOptions() {
  RaceOptions options;
  options.rounds = 10;
  options.analyses = 1;
  options.warmUpSeconds = 0.3;
  return options;
}

SweepRunner::SweepRunner(Session& session, DeviceLease& lease, QObject* parent,
                         KMeansRunner::DeviceFactory factory)
    : MeasuringTask(session, lease,
                    {tr("sweep"), tr("A sweep is being run"),
                     tr("Times there are a simulator's: choose the CPU or a GPU to sweep")},
                    parent, std::move(factory)) {}

QString SweepRunner::whyNot(const SweepPlan& plan) const {
  if (plan.axes.empty() || plan.columns() == 0 || plan.rows() == 0)
    return tr("There is nothing to sweep over");
  if (plan.candidates.empty()) return tr("No variant is chosen");
  if (plan.axes.size() == 2 && plan.axes[0].parameter == plan.axes[1].parameter)
    return tr("Both axes are %1: choose another for one of them")
        .arg(QString::fromUtf8(name(plan.axes[0].parameter).data()));
  if (plan.cells() > mostCells)
    return tr("%1 measurements are more than the %2 of one sweep: choose fewer values or variants")
        .arg(countText(plan.cells()), countText(mostCells));
  for (const SweepAxis& axis : plan.axes)
    if (const std::string why = whyNotSwept(session().request(), axis.parameter); !why.empty())
      return QString::fromStdString(why);
  if (session().settings().init.kind == InitKind::given &&
      (plan.sweeps(SweepParameter::k) || plan.sweeps(SweepParameter::d)))
    return tr("The initial centroids are those of a file: choose another way to begin, or keep k and d");
  return {};
}

std::vector<Candidate> SweepRunner::sweepable(Stage stage) const {
  std::vector<Candidate> all;
  for (const Variant* variant : Registry::instance().of(stage, session().device().backend))
    all.push_back(candidate(*variant, stage));
  return all;
}

void SweepRunner::start(const SweepRequest& request) {
  QString why = whyNot();
  if (why.isEmpty()) why = whyNot(request.plan);
  if (!why.isEmpty()) return refuse(why);
  const auto empty = std::make_shared<SweepResult>();
  empty->plan = request.plan;
  empty->cells.resize(request.plan.cells());
  empty->device = session().device();
  empty->source = session().data()->title();
  empty->when = std::chrono::system_clock::now();
  last_ = empty;
  begin([this, request, from = session().request()](const JobPtr& job, std::unique_ptr<Device> device,
                                                    const SharedPointSet& points) {
    SweepData data(from, points);
    sweep(request, job, *device, data);
  });
  Q_EMIT updated(last_);
}

/// On the sweep's thread.
void SweepRunner::sweep(const SweepRequest& request, const JobPtr& job, Device& device, SweepData& data) {
  Pace pace(request.plan.cells(), request.cellSeconds);
  ProgressBeat beat;
  const auto report = [&](const Problem& problem) {
    const SweepProgress now{pace.done(), request.plan.cells(), pace.secondsLeft(), problem};
    tell(job, [this, now] { Q_EMIT progressed(now); });
  };
  for (const SweepStep& step : expand(request.plan)) {
    if (job->cancel) throw Cancelled();
    report(step.problem);
    const SweepCells cells = measureStep(device, data, step, request, job->settings, job->cancel, [&] {
      if (beat.due()) report(step.problem);
    });
    pace.finish(cells);
    tell(job, [this, cells, info = device.info()] { take(cells, info); });
    report(step.problem);
  }
}

void SweepRunner::take(const SweepCells& cells, const DeviceInfo& device) {
  const auto next = std::make_shared<SweepResult>(*last_);
  next->device = device;
  for (const auto& [cell, measurement] : cells)
    next->cells[cell] = measurement;
  next->finished = std::all_of(next->cells.begin(), next->cells.end(), isMeasured);
  last_ = next;
  Q_EMIT updated(last_);
}

/// All that was measured is published already.
QString SweepRunner::close(const JobPtr&, bool) {
  const auto kept = std::count_if(last_->cells.begin(), last_->cells.end(), isMeasured);
  return tr("%1 of %2 measurements are kept")
      .arg(countText(static_cast<std::size_t>(kept)), countText(last_->cells.size()));
}

} // namespace lloyd

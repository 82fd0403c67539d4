// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_runner.hpp"

#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QMetaObject>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>

namespace lloyd {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto progressEvery = std::chrono::milliseconds(100);
/// Making points and checking against double precision need not notice at once that they are cancelled: a
/// person does not wait for them.
constexpr int patienceMs = 90;
constexpr std::size_t mostCells = 8192;

bool sameProblem(const Settings& a, const Settings& b) {
  return a.k == b.k && a.init == b.init && a.seed == b.seed;
}

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
  /// Once in a while: a person sees ten changes a second.
  [[nodiscard]] bool due() {
    const auto now = Clock::now();
    if (now - told_ < progressEvery) return false;
    told_ = now;
    return true;
  }

private:
  std::size_t total_;
  double guess_;
  std::size_t done_ = 0;
  std::size_t measured_ = 0;
  double seconds_ = 0;
  Clock::time_point stepBegan_ = Clock::now();
  Clock::time_point told_{};
};

} // namespace

/// One sweep, known to both threads. All but cancel stays as it was made, or is the GUI thread's.
struct SweepRunner::Job {
  SweepRequest wish;
  std::weak_ptr<const PointSet> points;
  DataRequest request;
  Settings settings;
  Backend backend = Backend::cpu;
  std::atomic<bool> cancel{false};
  bool wasPlaying = false;
  QString reason; ///< why it was cancelled; empty when it was not
};

RaceOptions SweepRequest::defaultOptions() {
  RaceOptions options;
  options.rounds = 10;
  options.looks = 1;
  options.warmUpSeconds = 0.3;
  return options;
}

SweepRunner::SweepRunner(Session& session, QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), session_(session), factory_(std::move(factory)) {
  qRegisterMetaType<SweepProgress>();
  qRegisterMetaType<SweepResultPtr>();
  for (const auto signal :
       {&Session::dataChanged, &Session::settingsChanged, &Session::stateChanged, &Session::pathChanged})
    connect(&session_, signal, this, &SweepRunner::sessionChanged);
}

SweepRunner::~SweepRunner() {
  if (job_) job_->cancel = true;
}

QString SweepRunner::whyNot() const {
  if (running()) return tr("A sweep is under way");
  if (!session_.data()) return tr("There are no data yet");
  if (session_.device().name.empty()) return tr("The device is not ready yet");
  if (session_.simulated()) return tr("Times there are a simulator's: choose the CPU or a GPU to sweep");
  return busy_ ? busy_() : QString();
}

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
    if (const std::string why = whyNotSwept(session_.request(), axis.parameter); !why.empty())
      return QString::fromStdString(why);
  if (session_.settings().init.kind == InitKind::given &&
      (plan.sweeps(SweepParameter::k) || plan.sweeps(SweepParameter::d)))
    return tr("The initial centroids are those of a file: choose another way to begin, or keep k and d");
  return {};
}

std::vector<Candidate> SweepRunner::sweepable(Stage stage) const {
  const Tuning& asked = session_.settings().selection.tuning;
  std::vector<Candidate> all;
  for (const Variant* variant : Registry::instance().of(stage, session_.device().backend)) {
    Tuning parameters;
    for (const Parameter& parameter : variant->info.parameters) {
      const int value = asked.value(parameter.name);
      if (parameter.allows(value)) parameters.set(parameter.name, value);
    }
    all.push_back({variant, stage, variant->complete(parameters)});
  }
  return all;
}

void SweepRunner::start(const SweepRequest& wish) {
  QString why = whyNot();
  if (why.isEmpty()) why = whyNot(wish.plan);
  if (!why.isEmpty()) {
    Q_EMIT message(tr("No sweep was begun. %1.").arg(why), true);
    return;
  }
  const SharedPointSet points = session_.data();
  const auto job = std::make_shared<Job>();
  job->wish = wish;
  job->points = points;
  job->request = session_.request();
  job->settings = session_.settings();
  job->backend = session_.device().backend;
  job->wasPlaying = session_.playing() && !session_.converged();
  const auto empty = std::make_shared<SweepResult>();
  empty->plan = wish.plan;
  empty->cells.resize(wish.plan.cells());
  empty->device = session_.device();
  empty->source = points->source;
  empty->when = std::chrono::system_clock::now();
  session_.pause();
  job_ = job;
  last_ = empty;
  Q_EMIT started();
  Q_EMIT updated(last_);
  thread_.post([this, job, points] { compute(job, points); });
}

void SweepRunner::cancel() {
  if (job_) end(tr("The sweep was cancelled"));
}

void SweepRunner::end(const QString& reason) {
  const JobPtr job = job_;
  if (job->cancel.exchange(true)) return;
  job->reason = reason;
  QTimer::singleShot(patienceMs, this, [this, job] { finish(job, {}); });
}

void SweepRunner::sessionChanged() {
  if (!job_) return;
  if (session_.data() != job_->points.lock()) {
    end(tr("The sweep was ended, because the data changed"));
  } else if (session_.device().backend != job_->backend ||
             !sameProblem(session_.settings(), job_->settings)) {
    end(tr("The sweep was ended, because the settings changed"));
  } else if (session_.playing()) {
    end(tr("The sweep was ended, because the points move again"));
  }
}

/// On the sweep's thread.
void SweepRunner::compute(const JobPtr& job, const SharedPointSet& points) {
  QString error;
  try {
    if (job->cancel) throw Cancelled();
    const ChosenDevice chosen = factory_(requestOf(job->backend));
    chosen.device->setCancel(&job->cancel);
    SweepData data(job->request, points);
    Pace pace(job->wish.plan.cells(), job->wish.cellSeconds);
    const auto give = [&](const SweepCells& cells) {
      QMetaObject::invokeMethod(
          this, [this, job, cells, device = chosen.device->info()] { take(job, cells, device); });
    };
    const auto tell = [&](const Problem& problem) {
      const SweepProgress now{pace.done(), job->wish.plan.cells(), pace.secondsLeft(), problem};
      QMetaObject::invokeMethod(this, [this, job, now] {
        if (job == job_) Q_EMIT progressed(now);
      });
    };
    const SweepMethod method{.options = job->wish.options,
                             .cellSeconds = job->wish.cellSeconds,
                             .init = job->settings.init,
                             .seed = job->settings.seed};
    for (const SweepStep& step : expand(job->wish.plan)) {
      if (job->cancel) throw Cancelled();
      tell(step.problem);
      const SweepCells cells = measureStep(*chosen.device, data, step, method, job->cancel, [&] {
        if (pace.due()) tell(step.problem);
      });
      pace.finish(cells);
      give(cells);
      tell(step.problem);
    }
  } catch (const Cancelled&) { // what was published stays
  } catch (const DeviceError& wrong) {
    error = QString::fromUtf8(wrong.meaning());
  } catch (const std::exception& wrong) {
    error = QString::fromUtf8(wrong.what());
  }
  QMetaObject::invokeMethod(this, [this, job, error] { finish(job, error); });
}

void SweepRunner::take(const JobPtr& job, const SweepCells& cells, const DeviceInfo& device) {
  if (job != job_) return;
  const auto next = std::make_shared<SweepResult>(*last_);
  next->device = device;
  for (const auto& [cell, measurement] : cells)
    next->cells[cell] = measurement;
  next->finished = std::all_of(next->cells.begin(), next->cells.end(),
                               [](const auto& measurement) { return measurement != nullptr; });
  last_ = next;
  Q_EMIT updated(last_);
}

void SweepRunner::finish(const JobPtr& job, const QString& error) {
  if (job != job_) return; // it was given up before it noticed
  job_.reset();
  const auto kept =
      static_cast<std::size_t>(std::count_if(last_->cells.begin(), last_->cells.end(),
                                             [](const auto& measurement) { return measurement != nullptr; }));
  const QString left =
      tr("%1 of %2 measurements are kept").arg(countText(kept), countText(last_->cells.size()));
  if (!error.isEmpty()) {
    Q_EMIT message(tr("The sweep stopped: %1. %2.").arg(error, left), true);
  } else if (!job->reason.isEmpty()) {
    Q_EMIT message(QStringLiteral("%1; %2").arg(job->reason, left), false);
  }
  if (job->wasPlaying && !session_.playing()) session_.play();
  Q_EMIT ended();
}

} // namespace lloyd

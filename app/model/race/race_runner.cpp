// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_runner.hpp"

#include "app/model/measure/measure_candidates.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QMetaObject>
#include <QStringList>
#include <QTimer>

#include <array>
#include <atomic>
#include <chrono>
#include <utility>

namespace lloyd {

namespace {

constexpr std::array raceStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout};
constexpr std::size_t pastKept = 64;
constexpr auto progressEvery = std::chrono::milliseconds(100);
/// Checking against double precision does not ask whether it was cancelled: a person does not wait for it.
constexpr int patienceMs = 90;

/// Settings that decide what a race measures. Which variants are in use is not among them.
bool sameProblem(const Settings& a, const Settings& b) {
  return a.k == b.k && a.init == b.init && a.seed == b.seed && a.selection.tuning == b.selection.tuning;
}

} // namespace

/// One race, known to both threads. All but cancel stays as it was made, or is the GUI thread's.
struct RaceRunner::Job {
  RaceRequest wish;
  std::weak_ptr<const PointSet> points; ///< which they are, not kept alive by a race that is over
  Settings settings;
  Backend backend = Backend::cpu;
  std::string source;
  std::atomic<bool> cancel{false};
  bool wasPlaying = false;
  QString reason; ///< why it was cancelled; empty when it was not
};

RaceRunner::RaceRunner(Session& session, QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), session_(session), factory_(std::move(factory)) {
  qRegisterMetaType<RaceProgress>();
  qRegisterMetaType<RaceResultPtr>();
  for (const auto signal :
       {&Session::dataChanged, &Session::settingsChanged, &Session::stateChanged, &Session::pathChanged})
    connect(&session_, signal, this, &RaceRunner::sessionChanged);
}

RaceRunner::~RaceRunner() {
  if (job_) job_->cancel = true;
}

std::vector<Candidate> RaceRunner::raceable() const {
  const Tuning& asked = session_.settings().selection.tuning;
  std::vector<Candidate> all;
  for (const Stage stage : raceStages) {
    for (const Variant* variant : Registry::instance().all()) {
      if (!variant->has(stage)) continue;
      // A tuning parameter that was set for the variant in use need not allow the same value here.
      Tuning parameters;
      for (const Parameter& parameter : variant->info.parameters) {
        const int value = asked.value(parameter.name);
        if (parameter.allows(value)) parameters.set(parameter.name, value);
      }
      all.push_back({variant, stage, variant->complete(parameters)});
    }
  }
  return all;
}

QString RaceRunner::whyNot() const {
  if (running()) return tr("A race is being run");
  if (!session_.data()) return tr("There are no data yet");
  if (session_.device().name.empty()) return tr("The device is not ready yet");
  if (session_.simulated())
    return tr(
        "Times there are a simulator's; choose the CPU or a GPU to race, or read the counters in Teach");
  return busy_ ? busy_() : QString();
}

void RaceRunner::start(const RaceRequest& wish) {
  const QString why = wish.candidates.empty() ? tr("There is no variant to race") : whyNot();
  if (!why.isEmpty()) {
    Q_EMIT message(tr("No race was begun. %1.").arg(why), true);
    return;
  }
  const auto job = std::make_shared<Job>();
  job->wish = wish;
  job->points = session_.data();
  job->settings = session_.settings();
  job->backend = session_.device().backend;
  job->source = session_.data()->source;
  job->wasPlaying = session_.playing() && !session_.converged();
  session_.pause();
  job_ = job;
  Q_EMIT started();
  thread_.post([this, job, points = session_.data()] { compute(job, *points); });
}

void RaceRunner::cancel() {
  if (job_) end(tr("The race was cancelled"));
}

void RaceRunner::end(const QString& reason) {
  const JobPtr job = job_;
  if (job->cancel.exchange(true)) return;
  job->reason = reason;
  QTimer::singleShot(patienceMs, this, [this, job] { finish(job, nullptr, {}); });
}

void RaceRunner::sessionChanged() {
  if (!job_) return;
  if (session_.data() != job_->points.lock()) {
    end(tr("The race was ended, because the data changed"));
  } else if (session_.device().backend != job_->backend ||
             !sameProblem(session_.settings(), job_->settings)) {
    end(tr("The race was ended, because the settings changed"));
  } else if (session_.playing()) {
    end(tr("The race was ended, because the points move again"));
  }
}

/// On the race's thread.
void RaceRunner::compute(const JobPtr& job, const PointSet& points) {
  RaceResultPtr result;
  QString error;
  try {
    if (job->cancel) throw Cancelled();
    const ChosenDevice chosen = factory_(requestOf(job->backend));
    chosen.device->setCancel(&job->cancel);
    StageHarness bench(*chosen.device, points, job->settings.k, job->settings.init, job->settings.seed);
    auto told = std::chrono::steady_clock::time_point{};
    const auto progress = [&](const RaceProgress& now) {
      if (job->cancel) throw Cancelled();
      const auto moment = std::chrono::steady_clock::now();
      if (moment - told < progressEvery) return;
      told = moment;
      QMetaObject::invokeMethod(this, [this, job, now] {
        if (job == job_) Q_EMIT progressed(now);
      });
    };
    const auto look = [&](const RaceResultPtr& seen) {
      auto named = std::make_shared<RaceResult>(*seen);
      named->source = job->source;
      QMetaObject::invokeMethod(this, [this, job, named] {
        if (job == job_) publish(job, named);
      });
    };
    auto measured =
        std::make_shared<RaceResult>(measure(bench, job->wish.candidates, job->wish.options, progress, look));
    measured->source = job->source;
    result = std::move(measured);
  } catch (const Cancelled&) { // before its first round: there is nothing to show
  } catch (const DeviceError& wrong) {
    error = QString::fromUtf8(wrong.meaning());
  } catch (const std::exception& wrong) {
    error = QString::fromUtf8(wrong.what());
  }
  QMetaObject::invokeMethod(this, [this, job, result, error] { finish(job, result, error); });
}

void RaceRunner::publish(const JobPtr& job, RaceResultPtr result) {
  last_ = std::move(result);
  lastJob_ = job;
  Q_EMIT updated(last_);
}

void RaceRunner::finish(const JobPtr& job, const RaceResultPtr& result, const QString& error) {
  if (job != job_) return; // it was given up before it noticed
  job_.reset();
  // What the last look saw is all there is of a race that could not say more.
  const RaceResultPtr kept = result ? result : lastJob_ == job ? last_ : nullptr;
  if (kept) {
    past_.push_back(kept);
    if (past_.size() > pastKept) past_.erase(past_.begin());
    publish(job, kept);
  }
  if (!error.isEmpty()) {
    Q_EMIT message(tr("The race stopped: %1. Everything else goes on.").arg(error), true);
  } else if (!job->reason.isEmpty()) {
    const QString left = kept
                             ? tr("the %1 rounds before it are shown").arg(countText(kept->conditions.rounds))
                             : tr("nothing was measured yet");
    Q_EMIT message(QStringLiteral("%1; %2").arg(job->reason, left), false);
  }
  if (job->wasPlaying && !session_.playing()) session_.play();
  Q_EMIT ended();
}

QString RaceRunner::whatChanged() const {
  if (!last_ || !lastJob_) return {};
  const Settings& now = session_.settings();
  const Settings& then = lastJob_->settings;
  QStringList changes;
  if (session_.data() != lastJob_->points.lock())
    changes << tr("the data were %1").arg(QString::fromStdString(lastJob_->source));
  if (session_.device().backend != lastJob_->backend)
    changes << tr("the device was %1").arg(QString::fromStdString(last_->device.name));
  if (now.k != then.k) changes << tr("k was %1").arg(then.k);
  if (!(now.init == then.init)) changes << tr("the initial centroids were others");
  if (now.seed != then.seed) changes << tr("the seed was %1").arg(then.seed);
  if (!(now.selection.tuning == then.selection.tuning)) changes << tr("the tuning parameters were others");
  return changes.join(QStringLiteral(", "));
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_runner.hpp"

#include "app/model/measure/measure_candidates.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QStringList>

#include <utility>

namespace lloyd {

namespace {

constexpr std::size_t pastKept = 64;

} // namespace

RaceRunner::RaceRunner(Session& session, DeviceLease& lease, QObject* parent,
                       KMeansRunner::DeviceFactory factory)
    : MeasuringTask(session, lease,
                    {tr("race"), tr("A race is being run"),
                     tr("Times there are a simulator's; choose the CPU or a GPU to race, or read the "
                        "counters in Teach")},
                    parent, std::move(factory)) {}

std::vector<Candidate> RaceRunner::raceable() const {
  std::vector<Candidate> all;
  for (const Stage stage : measuredStages)
    for (const Variant* variant : Registry::instance().all())
      if (variant->has(stage)) all.push_back(candidate(*variant, stage));
  return all;
}

std::vector<Candidate> RaceRunner::schedules() const {
  std::vector<Candidate> all;
  for (const Variant* variant : Registry::instance().all())
    if (variant->has(Stage::sets)) all.push_back(candidate(*variant, Stage::sets));
  return all;
}

void RaceRunner::start(const RaceRequest& request) {
  const QString why = request.candidates.empty() ? tr("There is no variant to race") : whyNot();
  if (!why.isEmpty()) return refuse(why);
  begin([this, request](const JobPtr& job, std::unique_ptr<Device> device, const SharedPointSet& points) {
    race(request, job, *device, *points);
  });
}

/// On the race's thread.
void RaceRunner::race(const RaceRequest& request, const JobPtr& job, Device& device, const PointSet& points) {
  StageHarness bench(device, points, job->settings.k, job->settings.init, job->settings.seed);
  ProgressBeat beat;
  const auto progress = [&](const RaceProgress& now) {
    if (job->cancel) throw Cancelled();
    if (beat.due()) tell(job, [this, now] { Q_EMIT progressed(now); });
  };
  const auto named = [&](const RaceResult& measured) {
    auto result = std::make_shared<RaceResult>(measured);
    result->source = job->source;
    return result;
  };
  const auto look = [&](const RaceResultPtr& seen) {
    tell(job, [this, job, result = named(*seen)] {
      take(job, result);
      Q_EMIT updated(last_);
    });
  };
  RaceOptions options = request.options;
  options.record = true;
  const auto result = named(measure(bench, request.candidates, options, progress, look));
  tell(job, [this, job, result] { take(job, result); });
}

QString RaceRunner::close(const JobPtr& job, bool failed) {
  // What the last interim analysis saw is all there is of a race that could not say more.
  const bool kept = lastJob_ == job;
  if (kept) {
    past_.push_back(last_);
    if (past_.size() > pastKept) past_.erase(past_.begin());
    Q_EMIT updated(last_);
  }
  if (failed) return tr("Everything else goes on");
  return kept ? countedText(last_->conditions.rounds, tr("the %1 round before it is shown"),
                            tr("the %1 rounds before it are shown"))
              : tr("nothing was measured yet");
}

QString RaceRunner::whatChanged() const {
  if (!last_ || !lastJob_) return {};
  const Settings& now = session().settings();
  const Settings& then = lastJob_->settings;
  QStringList changes;
  if (session().data() != lastJob_->points.lock())
    changes << tr("the data were %1").arg(QString::fromStdString(lastJob_->source));
  if (session().device().backend != lastJob_->backend)
    changes << tr("the device was %1").arg(QString::fromStdString(last_->device.name));
  if (now.k != then.k) changes << tr("k was %1").arg(then.k);
  if (!(now.init == then.init)) changes << tr("the initial centroids were others");
  if (now.seed != then.seed) changes << tr("the seed was %1").arg(then.seed);
  if (!(now.selection.tuning == then.selection.tuning)) changes << tr("the tuning parameters were others");
  return changes.join(QStringLiteral(", "));
}

} // namespace lloyd

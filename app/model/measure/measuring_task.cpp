// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/measuring_task.hpp"

#include "app/model/compute/settings.hpp"
#include "gpu/core/contract/error.hpp"

#include <QTimer>

namespace lloyd {
namespace {

constexpr auto progressEvery = std::chrono::milliseconds(100);
/// Making points and checking against double precision need not notice at once that they are cancelled: a
/// person does not wait for them.
constexpr int patienceMs = 90;

} // namespace

bool ProgressBeat::due() {
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < progressEvery) return false;
  reported_ = now;
  return true;
}

MeasuringTask::MeasuringTask(Session& session, DeviceLease& lease, Sentences sentences, QObject* parent,
                             KMeansRunner::DeviceFactory factory)
    : QObject(parent), session_(session), sentences_(std::move(sentences)), factory_(std::move(factory)),
      lease_(lease) {
  for (const auto signal :
       {&Session::dataChanged, &Session::settingsChanged, &Session::stateChanged, &Session::pathChanged})
    connect(&session_, signal, this, &MeasuringTask::sessionChanged);
}

MeasuringTask::~MeasuringTask() {
  if (job_) job_->cancel = true;
}

QString MeasuringTask::whyNot() const {
  if (!session_.data()) return tr("There are no data yet");
  if (session_.device().name.empty()) return tr("The device is not ready yet");
  if (session_.simulated()) return sentences_.simulated;
  return lease_.whyNot();
}

Candidate MeasuringTask::candidate(const Variant& variant, Stage stage) const {
  return {&variant, stage, tuningParametersFor(variant, session_.settings().selection.tuning)};
}

void MeasuringTask::refuse(const QString& why) {
  Q_EMIT message(tr("No %1 was begun. %2.").arg(sentences_.noun, why), true);
}

void MeasuringTask::begin(Work work) {
  // First: a holder that makes way gives the session back as it found it.
  hold_ = lease_.take(sentences_.underWay);
  const SharedPointSet points = session_.data();
  const auto job = std::make_shared<Job>();
  job->points = points;
  job->settings = session_.settings();
  job->backend = session_.device().backend;
  job->source = points->title();
  job->wasPlaying = session_.playing() && !session_.converged();
  session_.pause();
  job_ = job;
  Q_EMIT started();
  thread_.post([this, job, points, work = std::move(work)] { compute(job, work, points); });
}

void MeasuringTask::cancel() {
  if (job_) end(tr("The %1 was cancelled").arg(sentences_.noun));
}

void MeasuringTask::end(const QString& reason) {
  const JobPtr job = job_;
  if (job->cancel.exchange(true)) return;
  job->reason = reason;
  QTimer::singleShot(patienceMs, this, [this, job] { finish(job, {}); });
}

bool MeasuringTask::sameProblem(const Settings& a, const Settings& b) const {
  return a.k == b.k && a.init == b.init && a.seed == b.seed;
}

void MeasuringTask::sessionChanged() {
  if (!job_) return;
  if (session_.data() != job_->points.lock()) {
    end(tr("The %1 was ended, because the data changed").arg(sentences_.noun));
  } else if (session_.device().backend != job_->backend ||
             !sameProblem(session_.settings(), job_->settings)) {
    end(tr("The %1 was ended, because the settings changed").arg(sentences_.noun));
  } else if (session_.playing()) {
    end(tr("The %1 was ended, because the points move again").arg(sentences_.noun));
  }
}

/// On the thread.
void MeasuringTask::compute(const JobPtr& job, const Work& work, const SharedPointSet& points) {
  QString error;
  try {
    if (job->cancel) throw Cancelled();
    ChosenDevice chosen = factory_(requestOf(job->backend));
    chosen.device->setCancel(&job->cancel);
    work(job, std::move(chosen.device), points);
  } catch (const Cancelled&) { // what was published stays
  } catch (const DeviceError& wrong) {
    error = QString::fromUtf8(wrong.meaning());
  } catch (const std::exception& wrong) {
    error = QString::fromUtf8(wrong.what());
  }
  tell(job, [this, job, error] { finish(job, error); });
}

void MeasuringTask::finish(const JobPtr& job, const QString& error) {
  if (job != job_) return; // it was given up before it noticed
  job_.reset();
  hold_.reset();
  const QString left = close(job, !error.isEmpty());
  if (!error.isEmpty()) {
    Q_EMIT message(tr("The %1 stopped: %2. %3.").arg(sentences_.noun, error, left), true);
  } else if (!job->reason.isEmpty()) {
    Q_EMIT message(QStringLiteral("%1; %2").arg(job->reason, left), false);
  }
  if (job->wasPlaying && !session_.playing()) session_.play();
  Q_EMIT ended();
}

} // namespace lloyd

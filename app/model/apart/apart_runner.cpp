// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/apart/apart_runner.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <utility>

namespace lloyd {

ApartRunner::ApartRunner(Session& session, DeviceLease& lease, QObject* parent,
                         KMeansRunner::DeviceFactory factory)
    : MeasuringTask(session, lease,
                    {tr("race of a step"), tr("A step is being taken apart"),
                     tr("Times there are a simulator's and say nothing of a card; choose the CPU or a GPU")},
                    parent, std::move(factory)) {}

QString ApartRunner::whyNot(const VersionStep& step) const {
  if (QString why = MeasuringTask::whyNot(); !why.isEmpty()) return why;
  const DeviceInfo& device = session().device();
  const Variant& first = *step.combinations.front();
  const auto reason =
      first.whyNot(step.info.stage, problemOf(*session().data(), session().settings().k), device, {});
  if (!step.runsOn(device.backend))
    return step.runsOn(Backend::cpu)
               ? tr("This step is the processor's: choose the CPU")
               : tr("This step is a GPU's, and the program runs on %1").arg(qtext(device.name));
  return reason ? qtext(*reason) : QString();
}

void ApartRunner::start(const VersionStep& step, const RaceOptions& options) {
  const QString why = whyNot(step);
  if (!why.isEmpty()) return refuse(why);
  begin([this, &step, options](const JobPtr& job, std::unique_ptr<Device> device,
                               const SharedPointSet& points) {
    StageHarness bench(*device, *points, job->settings.k, job->settings.init, job->settings.seed);
    ProgressBeat beat;
    RaceResult race = measure(bench, candidatesOf(step), options, [&](const RaceProgress& now) {
      if (job->cancel) throw Cancelled();
      if (beat.due()) tell(job, [this, now] { Q_EMIT progressed(now); });
    });
    if (!race.finished) throw Cancelled();
    race.source = job->source;
    auto apart = takeApart(step, race);
    if (!apart) throw RequestError(apart.error());
    tell(job, [this, job, found = std::move(*apart)] {
      last_ = found;
      lastJob_ = job;
    });
  });
}

QString ApartRunner::close(const JobPtr& job, bool failed) {
  if (lastJob_ == job) Q_EMIT updated();
  return failed ? tr("Everything else goes on") : tr("nothing was shared out");
}

} // namespace lloyd

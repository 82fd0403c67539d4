// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/k_curve_runner.hpp"

#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {

KCurveRunner::KCurveRunner(Session& session, DeviceLease& lease, QObject* parent,
                           KMeansRunner::DeviceFactory factory)
    : MeasuringTask(session, lease,
                    {tr("search for k"), tr("Numbers of clusters are being tried"),
                     tr("Thread by thread a run takes minutes: choose the CPU or a GPU")},
                    parent, std::move(factory)) {
  for (const auto signal : {&Session::dataChanged, &Session::settingsChanged})
    connect(&session, signal, this, &KCurveRunner::forgetOther);
}

QString KCurveRunner::whyNotCurve() const {
  if (QString why = whyNot(); !why.isEmpty()) return why;
  if (session().data()->drift) return tr("These points move, so that no run comes to an end");
  if (session().settings().init.kind == InitKind::given)
    return tr("The first centroids are given, and their number is k: choose kmeans++ or random");
  return {};
}

void KCurveRunner::start(KCurveRequest request) {
  if (const QString why = whyNotCurve(); !why.isEmpty()) return refuse(why);
  const auto n = static_cast<int>(std::min<std::size_t>(session().data()->n, mostK));
  request.low = std::clamp(request.low, 1, n);
  request.high = std::clamp(request.high, request.low, n);
  request.restarts = std::clamp(request.restarts, 1, mostRestarts);
  const InitKind kind = session().settings().init.kind;
  if (kind != InitKind::kmeansPlusPlus && kind != InitKind::random)
    request.restarts = 1; // each would be the same
  points_.clear();
  best_.clear();
  asked_ = request;
  done_ = 0;
  data_ = session().data();
  settings_ = session().settings();
  begin([this, request](const JobPtr& job, std::unique_ptr<Device> device, const SharedPointSet& points) {
    run(request, job, std::move(device), points);
  });
  Q_EMIT changed();
}

/// On the thread.
void KCurveRunner::run(KCurveRequest request, const JobPtr& job, std::unique_ptr<Device> device,
                       const SharedPointSet& points) {
  KMeansRunner runner([&](BackendRequest) { return ChosenDevice{.device = std::move(device), .why = {}}; });
  setUp(runner, requestOf(job->backend), points, job->cancel);
  const SilhouetteBudget budget{.seed = job->settings.seed}; // one sample for every k
  for (int k = request.low; k <= request.high; ++k)
    for (int i = 0; i < request.restarts; ++i) {
      if (job->cancel) throw Cancelled();
      tell(job, [this, text = tr("k = %1, run %2 of %3").arg(k).arg(i + 1).arg(request.restarts)] {
        present_ = text;
        Q_EMIT presentChanged();
      });
      Settings settings = job->settings;
      settings.k = k;
      settings.seed += static_cast<std::uint64_t>(i);
      EndedRun ended = runToItsEnd(runner, settings);
      ScoredRun scored{.seed = settings.seed, .inertia = ended.result.inertia.value_or(0), .scores = {}};
      scored.scores = scoresOf(*points, ended.labels, k, budget, {.progress = {}, .cancel = &job->cancel});
      const KRunPtr found = keptRun(settings, std::move(ended));
      tell(job, [this, scored, found] { take(scored, found); });
    }
}

void KCurveRunner::take(const ScoredRun& scored, const KRunPtr& run) {
  if (points_.empty() || points_.back().k != run->k) points_.push_back({.k = run->k, .runs = {}});
  points_.back().runs.push_back(scored);
  ++done_;
  if (points_.back().best().seed == run->seed) best_[run->k] = run;
  Q_EMIT changed();
}

KRunPtr KCurveRunner::best(int k) const {
  const auto found = best_.find(k);
  return found == best_.end() ? nullptr : found->second;
}

QString KCurveRunner::close(const JobPtr&, bool failed) {
  present_.clear();
  Q_EMIT presentChanged();
  if (failed) return tr("Everything else goes on");
  return points_.empty()
             ? tr("no run had come to its end")
             : countedText(static_cast<std::uint64_t>(done_), tr("the %1 run that had come to its end stays"),
                           tr("the %1 runs that had come to their end stay"));
}

/// Runs of other points say nothing here.
void KCurveRunner::forgetOther() {
  if (points_.empty() || running()) return;
  if (data_.lock() == session().data() && sameProblem(settings_, session().settings())) return;
  points_.clear();
  best_.clear();
  Q_EMIT changed();
}

} // namespace lloyd

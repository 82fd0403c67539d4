// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/other_starts.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

/// Of coordinates that a run compares: about a second on two cores.
constexpr double mostWork = 1e9;
/// Runs that end in the same minimum differ by rounding at most.
constexpr double sameWithin = 1e-6;

} // namespace

OtherStarts::OtherStarts(Session& session, const DeviceLease& lease, std::function<bool()> mayTry,
                         QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), session_(session), lease_(lease), mayTry_(std::move(mayTry)),
      factory_(std::move(factory)), first_(session.settings().seed), own_{first_},
      init_(session.settings().init) {
  connect(&session_, &Session::dataChanged, this, &OtherStarts::takePoints);
  connect(&session_, &Session::settingsChanged, this, [this] {
    cancel();
    if (session_.settings().init != init_) triedK_.clear();
    init_ = session_.settings().init;
    Q_EMIT changed();
  });
  connect(&session_, &Session::seeded, this, [this] {
    cancel();
    touched_ = byHand_ = false;
    Q_EMIT changed();
  });
  connect(&session_, &Session::stateAdopted, this, [this] {
    cancel();
    touched_ = true;
    byHand_ = session_.byHand();
    Q_EMIT changed();
  });
  connect(&session_, &Session::pathChanged, this, &OtherStarts::changed);
  connect(&session_, &Session::iterated, this, [this](const IterationPtr& result) {
    if (job_ && result->centroids != job_->centroids) cancel();
  });
  connect(&session_, &Session::stateChanged, this, [this] {
    if (session_.state() != Session::State::converged) cancel();
  });
  connect(&lease_, &DeviceLease::changed, this, [this] {
    if (lease_.held()) cancel();
  });
  connect(&session_, &Session::convergedNow, this, [this] {
    begin();
    Q_EMIT changed(); // how long the run was is known by now
  });
}

OtherStarts::~OtherStarts() { cancel(); }

void OtherStarts::setEnabled(bool on) {
  if (enabled_ == on) return;
  enabled_ = on;
  if (!on) cancel();
}

void OtherStarts::seedChosen() {
  own_.erase(session_.settings().seed);
  cancel();
  Q_EMIT changed();
}

void OtherStarts::seedReturned() {
  own_.insert(session_.settings().seed);
  triedK_.erase(session_.settings().k);
  begin();
  Q_EMIT changed();
}

void OtherStarts::runTouched() {
  touched_ = byHand_ = true;
  cancel();
  Q_EMIT changed();
}

/// A seed that was found, or chosen, is one for the points before.
void OtherStarts::takePoints() {
  cancel();
  triedK_.clear();
  const DataRequest& request = session_.request();
  const std::string source = session_.data() ? sourceOf(request) : std::string();
  const bool others = !source_.empty() && !source.empty() && source != source_;
  if (!source.empty()) source_ = source;
  if (others) {
    own_ = {first_};
    Settings settings = session_.settings();
    settings.seed = first_;
    session_.setSettings(settings);
  }
  Q_EMIT changed();
}

void OtherStarts::cancel() {
  if (!job_) return;
  job_->cancel = true;
  job_.reset();
}

bool OtherStarts::quick(const Problem& problem, int iterations) {
  return static_cast<double>(problem.pointValues()) * problem.k * std::max(iterations, 1) <= mostWork;
}

QString OtherStarts::whyNotAtAll() const {
  const Settings& settings = session_.settings();
  const SharedPointSet points = session_.data();
  if (!points) return {};
  if (points->drift) return tr("The points move, so that no start stays the best");
  if (session_.simulated()) return tr("Other starts would take the SIMT simulator long");
  if (settings.init.kind != InitKind::kmeansPlusPlus && settings.init.kind != InitKind::random)
    return tr("The first centroids do not depend on chance, so that there is one start alone");
  if (settings.k < 2) return tr("One cluster ends in the same place from every start");
  if (!quick({points->n, points->d, settings.k}, session_.last() ? session_.last()->iteration : 1))
    return tr("Other starts of so many points and clusters are not quick");
  return {};
}

QString OtherStarts::whyNot() const {
  if (QString why = whyNotAtAll(); !why.isEmpty()) return why;
  return byHand_ && session_.data() ? tr("A centroid was placed by hand: this run is yours") : QString();
}

bool OtherStarts::suits(const Session& session) {
  const Settings& settings = session.settings();
  const SharedPointSet points = session.data();
  if (!session.last() || !points || points->drift || session.simulated()) return false;
  const bool chance =
      settings.init.kind == InitKind::kmeansPlusPlus || settings.init.kind == InitKind::random;
  return chance && settings.k >= 2 && quick({points->n, points->d, settings.k}, session.last()->iteration);
}

bool OtherStarts::shouldTry() const {
  const Settings& settings = session_.settings();
  if (!enabled_ || touched_ || !mayTry_() || lease_.held()) return false;
  if (!session_.playing() || triedK_.contains(settings.k)) return false;
  if (seedIsChosen()) return false;
  return suits(session_);
}

void OtherStarts::begin() {
  if (job_ || !shouldTry()) return;
  const IterationPtr last = session_.last();
  const auto job = std::make_shared<Job>();
  job->centroids = last->centroids;
  job->inertia = last->inertia.value_or(0);
  job_ = job;
  thread_.post([this, job, settings = session_.settings(), backend = requestOf(session_.device().backend),
                points = session_.data()] { compute(job, settings, backend, points); });
}

/// On the thread. What goes wrong here is no one's loss: the session has its run.
void OtherStarts::compute(const JobPtr& job, const Settings& settings, BackendRequest backend,
                          const SharedPointSet& points) {
  KRunPtr better;
  try {
    if (job->cancel) return;
    KMeansRunner runner(factory_);
    setUp(runner, backend, points, job->cancel);
    double least = job->inertia * (1 - sameWithin);
    Settings next = settings;
    for (int i = 0; i < starts; ++i) {
      next.seed = first_ + static_cast<std::uint64_t>(i);
      if (next.seed == settings.seed) continue;
      if (job->cancel) return;
      EndedRun ended = runToItsEnd(runner, next);
      if (!ended.converged || !(ended.result.inertia.value_or(least) < least)) continue;
      better = keptRun(next, std::move(ended));
      least = better->inertia();
    }
    // The one that is shown is run again for the curve of its inertia, which the others need not have.
    if (better && !job->cancel) {
      next.seed = better->seed;
      better = keptRun(next, runToItsEnd(runner, next, OnTheWay::kept));
    }
  } catch (const std::exception&) {
    return toGui_.post([this, job] {
      if (job == job_) job_.reset();
    });
  }
  toGui_.post([this, job, better] { finish(job, better); });
}

void OtherStarts::finish(const JobPtr& job, const KRunPtr& better) {
  if (job != job_) return;
  job_.reset();
  triedK_.insert(session_.settings().k);
  if (better) own_.insert(better->seed);
  Q_EMIT tried(better, starts);
}

} // namespace lloyd

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
      factory_(std::move(factory)), first_(session.settings().seed), taken_(first_),
      init_(session.settings().init) {
  connect(&session_, &Session::dataChanged, this, [this] {
    cancel();
    triedK_.clear();
  });
  connect(&session_, &Session::settingsChanged, this, [this] {
    cancel();
    if (session_.settings().init == init_) return;
    init_ = session_.settings().init;
    triedK_.clear();
  });
  connect(&session_, &Session::seeded, this, [this] {
    cancel();
    touched_ = false;
  });
  connect(&session_, &Session::stateAdopted, this, &OtherStarts::runTouched);
  connect(&session_, &Session::iterated, this, [this](const IterationPtr& result) {
    if (job_ && result->centroids != job_->centroids) cancel();
  });
  connect(&session_, &Session::stateChanged, this, [this] {
    if (session_.state() != Session::State::converged) cancel();
  });
  connect(&lease_, &DeviceLease::changed, this, [this] {
    if (lease_.held()) cancel();
  });
  connect(&session_, &Session::convergedNow, this, &OtherStarts::begin);
}

OtherStarts::~OtherStarts() { cancel(); }

void OtherStarts::setEnabled(bool on) {
  if (enabled_ == on) return;
  enabled_ = on;
  if (!on) cancel();
}

void OtherStarts::runTouched() {
  touched_ = true;
  cancel();
}

void OtherStarts::cancel() {
  if (!job_) return;
  job_->cancel = true;
  job_.reset();
}

bool OtherStarts::quick(const Problem& problem, int iterations) {
  return static_cast<double>(problem.pointValues()) * problem.k * std::max(iterations, 1) <= mostWork;
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
  if (settings.seed != first_ && settings.seed != taken_) return false; // a person's choice
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
  if (better) taken_ = better->seed;
  Q_EMIT tried(better, starts);
}

} // namespace lloyd

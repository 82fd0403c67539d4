// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/moment_restorer.hpp"

#include "app/model/projection/axes_finder.hpp"
#include "app/model/session/session.hpp"

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

/// Results of the run before that may come between: one that is computed, and one that waits for the screen.
constexpr int mostBefore = 3;

} // namespace

MomentRestorer::MomentRestorer(Session& session, AxesFinder& axes, QObject* parent)
    : QObject(parent), session_(session), axes_(axes) {
  connect(&session_, &Session::dataChanged, this, [this] {
    if (phase_ == Phase::none) return;
    if (phase_ == Phase::loading && session_.request() == target_->request) apply();
    // Points that were there before are taken up first, and the simulator's part of the same points is no
    // other choice.
    else if (!applying_ && session_.request() != target_->request &&
             !(phase_ == Phase::loading && session_.loading()))
      drop();
  });
  connect(&session_, &Session::loadEnded, this, &MomentRestorer::loadEnded);
  connect(&session_, &Session::message, this, [this](const QString&, bool error) { refused_ = error; });
  connect(&session_, &Session::settingsChanged, this, &MomentRestorer::settingsChanged);
  connect(&session_, &Session::stateAdopted, this, [this] {
    if (phase_ != Phase::adopting || applying_) return;
    const bool ours = session_.last()->centroids == target_->run->result.centroids;
    ours ? finish(true) : drop();
  });
  connect(&session_, &Session::iterated, this, [this] {
    if (phase_ == Phase::adopting && ++resultsBefore_ > mostBefore) drop();
  });
}

void MomentRestorer::restore(const Moment& moment) {
  target_ = moment;
  eased_ = false;
  if (session_.data() && !session_.loading() && session_.request() == moment.request) return apply();
  // A generator makes as few points as the simulator is given where that computes when they are wanted.
  if (session_.settings().backend == BackendRequest::simt && moment.request.path.empty()) {
    Settings settings = session_.settings();
    settings.backend = BackendRequest::cpu;
    settings.selection = {};
    applying_ = true;
    session_.setSettings(settings);
    applying_ = false;
  }
  phase_ = Phase::none;
  session_.open(moment.request); // which ends what was being loaded
  phase_ = Phase::loading;
}

bool MomentRestorer::fits(const RunState& run) const {
  const SharedPointSet points = session_.data();
  const auto k = static_cast<std::size_t>(std::max(1, target_->settings.k));
  return k <= points->n && run.result.centroids.size() == k * static_cast<std::size_t>(points->d);
}

/// Settings first: those of another run would begin it.
void MomentRestorer::apply() {
  applying_ = true;
  refused_ = false;
  resultsBefore_ = 0;
  phase_ = Phase::adopting;
  Q_EMIT pointsThere();
  const bool whole = target_->run && fits(*target_->run);
  // Where nothing but the first centroids is another, no run of theirs is begun and ended at once.
  Settings settings = session_.settings();
  settings.k = target_->settings.k;
  settings.seed = target_->settings.seed;
  settings.init = target_->settings.init;
  const bool atOnce = whole && settings == target_->settings && session_.runState();
  if (!atOnce) session_.setSettings(target_->settings);
  if (whole) session_.adoptState(*target_->run, atOnce ? std::optional(settings) : std::nullopt);
  const int d = session_.data()->d;
  const bool drawn =
      std::ranges::all_of(target_->axes, [d](const Axis& axis) { return axis.index >= 0 && axis.index < d; });
  if (drawn && target_->axes != axes_.axes()) axes_.choose(target_->axes);
  applying_ = false;
  if (!whole) finish(!target_->run);
}

/// What this machine cannot do is taken back by the session, which has said why.
void MomentRestorer::settingsChanged() {
  if (phase_ != Phase::adopting || applying_ || session_.settings() == target_->settings) return;
  if (!std::exchange(refused_, false) || std::exchange(eased_, true)) return drop();
  target_->settings.backend = BackendRequest::automatic;
  target_->settings.interop = InteropRequest::automatic;
  target_->settings.selection = {};
  apply();
}

/// Points that wait for the compute thread are not there yet, though they are loaded.
void MomentRestorer::loadEnded() {
  if (phase_ == Phase::loading && !session_.loading()) drop();
}

void MomentRestorer::drop() {
  if (std::exchange(phase_, Phase::none) != Phase::none) Q_EMIT dropped();
}

void MomentRestorer::finish(bool whole) {
  phase_ = Phase::none;
  Q_EMIT restored(whole);
}

} // namespace lloyd

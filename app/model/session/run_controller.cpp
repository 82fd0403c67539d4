// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/run_controller.hpp"

#include <utility>

namespace lloyd {

void RunController::play() {
  request_ = Request::play;
  if (shown_->converged) reseed_ = true;
}

void RunController::pause() {
  if (playing()) request_ = Request::none;
}

bool RunController::stepBack() {
  request_ = Request::stepBack;
  return inFlight_ && (inFlight_->work == Work::iteration || inFlight_->work == Work::half);
}

/// Whoever plays goes on playing.
void RunController::forgetStep() {
  if (!playing()) request_ = Request::none;
}

void RunController::restart() {
  forgetStep();
  reseed_ = true;
}

void RunController::adopt(std::shared_ptr<const RunState> state) {
  forgetStep();
  adoption_ = std::move(state);
}

void RunController::moveCentroid() {
  if (shown_->converged) {
    RunSnapshot moved = *shown_;
    moved.converged = false;
    publish(std::move(moved));
  }
  preview_ = preview_ || !playing();
}

void RunController::change(const Change& change) {
  if (change.backend && readiness_ != Readiness::noData) readiness_ = Readiness::noDevice;
  if (change.sharing || readiness_ == Readiness::detached) attachAgain();
  if (readiness_ != Readiness::ready) shareRefused_ = false;
  // A finished run has nothing left to time: the same run again shows what the new variant costs.
  if (change.seeds || (change.selection && shown_->converged)) reseed_ = true;
  preview_ = preview_ || reseed_ || !playing();
}

void RunController::pointsArrived() {
  if (readiness_ == Readiness::noData) readiness_ = Readiness::noDevice;
}

void RunController::pointsFitted() {
  if (readiness_ != Readiness::noDevice) readiness_ = Readiness::notAttached;
  reseed_ = false; // new data start a run of their own
}

void RunController::attachAgain() {
  if (readiness_ == Readiness::ready || readiness_ == Readiness::detached)
    readiness_ = Readiness::notAttached;
}

void RunController::surfaceChanged() {
  frameDue_ = false;
  attachAgain();
}

Action RunController::iterationOr(Idle otherwise, bool barrierOpen, bool paceOpen) const {
  if (request_ != Request::step && (!playing() || shown_->converged)) return otherwise;
  if (!barrierOpen) return Idle::forBarrier;
  if (request_ == Request::step) return Work::iteration;
  if (resultHeld_) return Idle::forFrame;
  if (!paceOpen) return Idle::forPace;
  return Work::iteration;
}

Action RunController::next(bool barrierOpen, bool paceOpen) {
  if (inFlight_) return Idle::busy;
  switch (readiness_) {
  case Readiness::noData:
  case Readiness::detached:
    return Idle::nothing;
  case Readiness::noDevice:
    return Work::prepare;
  case Readiness::notAttached:
    return Work::attach;
  case Readiness::ready:
    break;
  }
  if (request_ == Request::stepBack && !shown_->canStepBack) request_ = Request::none;
  const bool wanted = adoption_ || labels_ || preview_ || reseed_ || request_ != Request::none;
  if (shared_ && frameDue_ && wanted) return Idle::forFrame; // the buffers are being drawn
  if (adoption_) return Work::adopt;
  // Labels are found for what is seen, so there must be something.
  if (labels_ && !reseed_ && shown_->last) return Work::labels;
  if (request_ == Request::stepBack && !reseed_) return Work::back;
  Action action = Idle::nothing;
  if (request_ == Request::halfStep)
    action = barrierOpen ? Action(Work::half) : Action(Idle::forBarrier);
  else
    action = iterationOr(Idle::nothing, barrierOpen, paceOpen);
  const bool preview = preview_ || reseed_ || labels_;
  return std::holds_alternative<Idle>(action) && preview ? Action(Work::preview) : action;
}

bool RunController::begin(Work work, bool lent) {
  inFlight_ = InFlight{work, lent};
  if (work == Work::prepare) {
    readiness_ = Readiness::notAttached;
    return false;
  }
  if (work == Work::attach) {
    readiness_ = Readiness::detached;
    preview_ = true;
    return false;
  }
  if (work != Work::labels) preview_ = false;
  if ((work == Work::iteration && request_ == Request::step) ||
      (work == Work::half && request_ == Request::halfStep) || work == Work::back)
    forgetStep();
  return std::exchange(reseed_, false);
}

bool RunController::returnMemory() { return inFlight_ && std::exchange(inFlight_->lent, false); }

void RunController::attached(bool shared) {
  if (readiness_ == Readiness::detached) readiness_ = Readiness::ready;
  shared_ = shared;
}

void RunController::adopted(const std::shared_ptr<const RunState>& state) {
  if (adoption_ == state) adoption_.reset();
}

bool RunController::resultWaits(bool surface) const {
  return surface && frameDue_ && !shared_ && playing() && !resultHeld_;
}

void RunController::startRun() {
  RunSnapshot fresh;
  fresh.plan = shown_->plan;
  fresh.driftTime = shown_->driftTime;
  publish(std::move(fresh));
  if (request_ == Request::stepBack) request_ = Request::none;
  resultHeld_ = false;
}

void RunController::cancelled(bool hasDevice) {
  if (!hasDevice)
    readiness_ = Readiness::noDevice;
  else if (readiness_ == Readiness::detached)
    readiness_ = Readiness::notAttached;
}

void RunController::requestRefused(bool otherSettings, bool hasDevice, std::optional<Work> work) {
  forgetStep();
  reseed_ = labels_ = false;
  adoption_.reset();
  if (!otherSettings) { // nothing better to go back to
    request_ = Request::none;
    return;
  }
  if (!hasDevice)
    readiness_ = Readiness::noDevice;
  else if (readiness_ == Readiness::noDevice) // a choice that is taken back with the settings
    readiness_ =
        work && *work != Work::prepare && *work != Work::attach ? Readiness::ready : Readiness::notAttached;
  preview_ = true;
}

void RunController::sharingRefused() {
  shareRefused_ = true;
  attachAgain();
}

void RunController::deviceLost() {
  deviceLost_ = true;
  readiness_ = Readiness::noDevice;
}

void RunController::stopped() {
  request_ = Request::none;
  adoption_.reset();
  reseed_ = preview_ = labels_ = false;
}

} // namespace lloyd

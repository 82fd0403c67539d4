// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/run_controller.hpp"

#include <utility>

namespace lloyd {

void RunController::play() {
  request_ = RunRequest::play;
  if (shown_->converged) reseed_ = true;
}

void RunController::pause() {
  if (playing()) request_ = RunRequest::none;
}

bool RunController::stepBack() {
  request_ = RunRequest::stepBack;
  return inFlight_ && (inFlight_->work == RunWork::iteration || inFlight_->work == RunWork::half);
}

/// Whoever plays goes on playing.
void RunController::forgetStep() {
  if (!playing()) request_ = RunRequest::none;
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
  resultHeld_ = false;
}

void RunController::attachAgain() {
  if (readiness_ == Readiness::ready || readiness_ == Readiness::detached)
    readiness_ = Readiness::notAttached;
}

void RunController::surfaceChanged() {
  frameDue_ = false;
  attachAgain();
}

RunAction RunController::iterationOr(NothingToDo otherwise, bool barrierOpen, bool paceOpen) const {
  if (request_ != RunRequest::step && (!playing() || shown_->converged)) return otherwise;
  if (!barrierOpen) return NothingToDo::forBarrier;
  if (request_ == RunRequest::step) return RunWork::iteration;
  if (resultHeld_) return NothingToDo::forFrame;
  if (!paceOpen) return NothingToDo::forPace;
  return RunWork::iteration;
}

RunAction RunController::next(bool barrierOpen, bool paceOpen) {
  if (inFlight_) return NothingToDo::busy;
  switch (readiness_) {
  case Readiness::noData:
  case Readiness::detached:
    return NothingToDo::nothing;
  case Readiness::noDevice:
    return RunWork::prepare;
  case Readiness::notAttached:
    return RunWork::attach;
  case Readiness::ready:
    break;
  }
  if (request_ == RunRequest::stepBack && !shown_->canStepBack) request_ = RunRequest::none;
  const bool wanted = adoption_ || labels_ || preview_ || reseed_ || request_ != RunRequest::none;
  if (shared_ && frameDue_ && wanted) return NothingToDo::forFrame; // the buffers are being drawn
  if (adoption_) return RunWork::adopt;
  // Labels are found for what is seen, so there must be something.
  if (labels_ && !reseed_ && shown_->last) return RunWork::labels;
  if (request_ == RunRequest::stepBack && !reseed_) return RunWork::back;
  RunAction action = NothingToDo::nothing;
  if (request_ == RunRequest::halfStep)
    action = barrierOpen ? RunAction(RunWork::half) : RunAction(NothingToDo::forBarrier);
  else
    action = iterationOr(NothingToDo::nothing, barrierOpen, paceOpen);
  const bool preview = preview_ || reseed_ || labels_;
  return std::holds_alternative<NothingToDo>(action) && preview ? RunAction(RunWork::preview) : action;
}

bool RunController::begin(RunWork work, bool lent) {
  inFlight_ = InFlight{work, lent};
  if (work == RunWork::prepare) {
    readiness_ = Readiness::notAttached;
    return false;
  }
  if (work == RunWork::attach) {
    readiness_ = Readiness::detached;
    preview_ = true;
    return false;
  }
  if (work != RunWork::labels) preview_ = false;
  if ((work == RunWork::iteration && request_ == RunRequest::step) ||
      (work == RunWork::half && request_ == RunRequest::halfStep) || work == RunWork::back)
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
  if (request_ == RunRequest::stepBack) request_ = RunRequest::none;
  resultHeld_ = false;
}

void RunController::cancelled(bool hasDevice) {
  if (!hasDevice)
    readiness_ = Readiness::noDevice;
  else if (readiness_ == Readiness::detached)
    readiness_ = Readiness::notAttached;
}

void RunController::requestRefused(bool otherSettings, bool hasDevice, std::optional<RunWork> work) {
  forgetStep();
  reseed_ = labels_ = false;
  adoption_.reset();
  if (!otherSettings) { // nothing better to go back to
    request_ = RunRequest::none;
    return;
  }
  if (!hasDevice)
    readiness_ = Readiness::noDevice;
  else if (readiness_ == Readiness::noDevice) // a choice that is taken back with the settings
    readiness_ = work && *work != RunWork::prepare && *work != RunWork::attach ? Readiness::ready
                                                                               : Readiness::notAttached;
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

void RunController::stopped(bool hasDevice) {
  // A device that could not be had is not tried again before something changes.
  if (!hasDevice && readiness_ == Readiness::notAttached) readiness_ = Readiness::detached;
  request_ = RunRequest::none;
  adoption_.reset();
  reseed_ = preview_ = labels_ = false;
}

} // namespace lloyd

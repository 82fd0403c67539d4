// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/run_controller.hpp"

#include <utility>

namespace lloyd {

void RunController::change(const Change& change) {
  if (change.backend && readiness_ != Readiness::noData) readiness_ = Readiness::noDevice;
  if (change.sharing || readiness_ == Readiness::detached) attachAgain();
  if (readiness_ != Readiness::ready) shareRefused_ = false;
  // A finished run has nothing left to time: the same run again shows what the new variant costs.
  if (change.seeds || (change.selection && shown_->converged)) reseed_ = true;
  if (change.seeds) adoption_.reset(); // a state that was on its way is of another run
  preview_ = preview_ || startsAnew() || !playing();
}

void RunController::pointsFitted() {
  if (readiness_ != Readiness::noDevice) readiness_ = Readiness::notAttached;
  forgetStart(); // new data start a run of their own
}

void RunController::surfaceChanged() {
  frameDue_ = false;
  attachAgain();
}

RunAction RunController::iterationOrNothing(const RunConditions& now) const {
  if (request_ != RunRequest::step && (!playing() || shown_->converged)) return NothingToDo::nothing;
  if (!now.barrierOpen) return NothingToDo::forBarrier;
  if (request_ == RunRequest::step) return RunWork::iteration;
  if (now.resultHeld) return NothingToDo::forFrame;
  if (!now.paceOpen) return NothingToDo::forPace;
  return RunWork::iteration;
}

RunAction RunController::next(const RunConditions& now) {
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
  const bool anew = startsAnew();
  const bool wanted = adoption_ || now.labelsWanted || preview_ || anew || request_ != RunRequest::none;
  if (sharing_ == Sharing::shared && frameDue_ && wanted)
    return NothingToDo::forFrame; // the buffers are being drawn
  if (adoption_) return RunWork::adopt;
  // Labels are found for what is seen, so there must be something.
  if (now.labelsWanted && !anew && shown_->last) return RunWork::labels;
  if (request_ == RunRequest::stepBack && !anew) return RunWork::back;
  RunAction action = NothingToDo::nothing;
  if (request_ == RunRequest::halfStep)
    action = now.barrierOpen ? RunAction(RunWork::half) : RunAction(NothingToDo::forBarrier);
  else
    action = iterationOrNothing(now);
  const bool preview = preview_ || anew || now.labelsWanted;
  return std::holds_alternative<NothingToDo>(action) && preview ? RunAction(RunWork::preview) : action;
}

bool RunController::begin(RunWork work, bool lent) {
  inFlight_ = InFlight{work, lent};
  if (work == RunWork::prepare) {
    readiness_ = Readiness::notAttached;
    sharing_ = Sharing::none;
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
  const bool anew = startsAnew();
  forgetStart();
  return anew;
}

void RunController::requestRefused(bool otherSettings, bool hasDevice, std::optional<RunWork> work) {
  forgetStep();
  forgetStart();
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

} // namespace lloyd

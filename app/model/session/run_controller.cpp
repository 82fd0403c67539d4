// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/run_controller.hpp"

#include <utility>

namespace lloyd {

void ComputeTask::perform(KMeansRunner& runner, TaskResult& out) const {
  out.work = work;
  out.settings = runner.settings();
  runner.configure(settings);
  out.settings = settings;
  out.plan = runner.plan();
  if (restart) runner.restart();
  for (const auto& [cluster, position] : moves)
    runner.moveCentroid(cluster, position);
  const PointMemory* memory = lent ? &*lent : nullptr;
  const Traffic before = runner.device().traffic();
  const bool second = runner.halfway();
  switch (work) {
  case RunWork::prepare:
  case RunWork::attach:
    return; // no work on points
  case RunWork::iteration:
    out.result = runner.iterate(true, memory);
    if (second) out.half = Half::update;
    break;
  case RunWork::half:
    out.result = runner.halfStep(memory);
    out.half = second ? Half::update : Half::classify;
    break;
  case RunWork::back:
    out.result = runner.canStepBack() ? runner.stepBack(memory) : runner.preview(memory);
    break;
  case RunWork::adopt:
    out.state = state;
    out.result = runner.takeState(*state, memory);
    break;
  case RunWork::preview:
    out.result = runner.preview(memory);
    break;
  case RunWork::labels:
    out.result = runner.finish(memory, &out.labels);
    break;
  }
  out.canStepBack = runner.canStepBack();
  out.driftTime = runner.driftTime();
  out.wrote = runner.wroteBack();
  if (copies && out.wrote) out.frame = runner.frame(&out.result.times);
  const Traffic after = runner.device().traffic();
  out.result.hostBytes = after.toDevice - before.toDevice + after.toHost - before.toHost;
}

void RunController::change(const Change& change) {
  if (change.backend && readiness_ != Readiness::noData) readiness_ = Readiness::noDevice;
  if (change.sharing || readiness_ == Readiness::detached) attachAgain();
  if (readiness_ != Readiness::ready) shareRefused_ = false;
  // A finished run has nothing left to time: the same run again shows what the new variant costs.
  if (change.seeds || (change.selection && shown_->converged)) reseed_ = true;
  preview_ = preview_ || startsAnew() || !playing();
}

void RunController::pointsFitted() {
  if (readiness_ != Readiness::noDevice) readiness_ = Readiness::notAttached;
  forgetStart(); // new data start a run of their own
  resultHeld_ = false;
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
  const bool anew = startsAnew();
  const bool wanted = adoption_ || labels_ || preview_ || anew || request_ != RunRequest::none;
  if (shared_ && frameDue_ && wanted) return NothingToDo::forFrame; // the buffers are being drawn
  if (adoption_) return RunWork::adopt;
  // Labels are found for what is seen, so there must be something.
  if (labels_ && !anew && shown_->last) return RunWork::labels;
  if (request_ == RunRequest::stepBack && !anew) return RunWork::back;
  RunAction action = NothingToDo::nothing;
  if (request_ == RunRequest::halfStep)
    action = barrierOpen ? RunAction(RunWork::half) : RunAction(NothingToDo::forBarrier);
  else
    action = iterationOr(NothingToDo::nothing, barrierOpen, paceOpen);
  const bool preview = preview_ || anew || labels_;
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
  const bool anew = startsAnew();
  forgetStart();
  return anew;
}

void RunController::requestRefused(bool otherSettings, bool hasDevice, std::optional<RunWork> work) {
  forgetStep();
  forgetStart();
  labels_ = false;
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

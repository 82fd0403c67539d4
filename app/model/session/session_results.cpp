// SPDX-License-Identifier: GPL-3.0-or-later
// What the session makes of results and failures: the pace of iterations, the hand-over to the window, the
// way down from a path that failed.
#include "app/model/session/task_result.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/request_error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t historyLimit = 4096;
/// A surface that paints nothing (minimised, hidden) must not stop the run: after this long it goes on.
constexpr int unseenFrameMs = 150;
/// The pace of a run that nobody draws.
constexpr int undrawnFrameMs = 16;

} // namespace

/// On a copying path the worker is one iteration ahead of the window; its result waits for the screen.
bool Session::waitsForFrame() const {
  return surface_ && frameDue_ && sharing_ != Sharing::shared && playWanted_;
}

bool Session::iterationDue() {
  if (!gateOpen()) return false;
  if (stepWanted_) return true;
  if (!playWanted_ || converged_ || held_) return false;
  if (sharing_ == Sharing::shared && frameDue_) return false;
  if (rate_ > 0 && last_) return !paceIn(1000.0 / rate_);
  if (!surface_ && last_) return !paceIn(undrawnFrameMs);
  return true;
}

/// Whether the next iteration must still wait, because iterations start that many milliseconds apart. Then a
/// timer runs.
bool Session::paceIn(double ms) {
  const double leftMs = ms - live_.usSinceStart() / 1000.0;
  if (leftMs <= 0.5) return false;
  if (!pace_.isActive()) pace_.start(static_cast<int>(std::lround(leftMs)));
  return true;
}

/// What an iteration, or its going, means for the books.
void Session::takeIntoHistory(const Outcome& outcome) {
  const IterationResult& result = *last_;
  if (outcome.kind == Outcome::Kind::joined) {
    live_.halfTakenBack();
    history_.clear();
  } else if (outcome.kind == Outcome::Kind::takenBack) {
    live_.halfTakenBack();
    const int whole = result.iteration - (result.halfway ? 1 : 0);
    while (!history_.empty() && history_.back().iteration > whole)
      history_.pop_back();
  } else {
    const bool shared = sharing_ == Sharing::shared;
    if (outcome.half)
      live_.halfDone(*outcome.half, result.times, plan_, outcome.computeUs, shared);
    else
      live_.iterationDone(result.times, plan_, outcome.computeUs, shared);
    if (!result.halfway) history_.emplace_back(result);
    if (history_.size() > historyLimit) history_.pop_front();
  }
  converged_ = !data_->drift && !result.halfway && result.iteration > 0 &&
               lloyd::converged(result, settings_.tolerance);
}

void Session::publishHeld() {
  if (held_) publish(*std::exchange(held_, nullptr));
}

void Session::publish(Outcome& outcome) {
  const auto result = std::make_shared<const IterationResult>(std::move(outcome.result));
  const bool planIsNew = !(plan_ == outcome.plan);
  const bool wasHalfway = halfway_;
  const bool couldStepBack = canStepBack_;
  plan_ = outcome.plan;
  last_ = result;
  halfway_ = result->halfway;
  canStepBack_ = outcome.canStepBack;
  moment_ = outcome.moment;
  const bool iteratedNow = outcome.kind == Outcome::Kind::iterated;
  const bool joinedNow = outcome.kind == Outcome::Kind::joined;
  if (joinedNow && joinWanted_ == outcome.state) joinWanted_.reset();
  if (iteratedNow || joinedNow || outcome.kind == Outcome::Kind::takenBack) takeIntoHistory(outcome);
  if (planIsNew) pathChanged();
  if (surface_) {
    frameDue_ = true;
    if (outcome.frame.labels) {
      frame_ = outcome.frame;
      surface_->present(outcome.frame);
    }
    surface_->refresh();
    pace_.start(unseenFrameMs);
  } else if (outcome.frame.labels) {
    frame_ = outcome.frame;
  }
  if (joinedNow && !joinWanted_) joined();
  iterated(result);
  if (converged_ && iteratedNow) convergedNow(result->iteration);
  if (converged_) setState(State::paused);
  if (halfway_ != wasHalfway || canStepBack_ != couldStepBack) stateChanged();
}

void Session::handOverLabels(Outcome& outcome) {
  if (!(plan_ == outcome.plan)) {
    plan_ = outcome.plan;
    pathChanged();
  }
  const auto result = std::make_shared<const IterationResult>(std::move(outcome.result));
  const auto requests = std::exchange(labelRequests_, {});
  for (const auto& done : requests)
    done(outcome.labels, result);
}

void Session::frameShown(double paintUs, double uploadUs) {
  const bool due = std::exchange(frameDue_, false);
  live_.frameShown(paintUs, uploadUs, due && playWanted_, sharing_ == Sharing::shared);
  if (due) pace_.stop();
  publishHeld();
  takeUp();
}

void Session::failed(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    // Whoever cancelled wants something else, which is taken up next; points that were on their way set out
    // again.
    if (!computer_->hasDevice()) prepareWanted_ = true;
    if (!attached_) attachWanted_ = true;
  } catch (const RequestError& wrong) {
    message(QString::fromUtf8(wrong.what()), true);
    stepWanted_ = halfWanted_ = backWanted_ = restartWanted_ = false;
    joinWanted_.reset();
    labelRequests_.clear();
    if (settings_ == good_) { // nothing better to go back to
      playWanted_ = false;
    } else {
      settings_ = good_;
      settings_.k = data_
                        ? static_cast<int>(std::min<std::size_t>(data_->n, static_cast<std::size_t>(good_.k)))
                        : good_.k;
      prepareWanted_ = !computer_->hasDevice();
      previewWanted_ = true;
      settingsChanged();
    }
  } catch (const DeviceError& wrong) {
    deviceFailed(wrong);
  } catch (const std::exception& wrong) {
    message(tr("Computing stopped: %1").arg(QString::fromUtf8(wrong.what())), true);
    clearPending();
  }
  setState(!data_ ? State::empty : playWanted_ ? State::playing : State::paused);
  takeUp();
}

void Session::deviceFailed(const DeviceError& error) {
  const QString what = QString::fromStdString(std::string(error.meaning()));
  switch (error.severity()) {
  case Severity::noSharing:
    shareRefused_ = attachWanted_ = true;
    message(tr("The window's buffers could not be lent to CUDA: %1. Points are copied each frame instead.")
                .arg(what),
            true);
    return;
  case Severity::retrySmaller:
    message(
        tr("There is not enough memory for %L1 points and %2 clusters: %3. Try fewer points or a smaller k.")
            .arg(static_cast<qulonglong>(data_ ? data_->n : 0))
            .arg(settings_.k)
            .arg(what),
        true);
    break;
  case Severity::badRequest:
    message(tr("This launch is not possible here: %1. Choose another variant.").arg(what), true);
    break;
  case Severity::absent:
  case Severity::lost:
    deviceLost_ = prepareWanted_ = true;
    computer_->forgetDevice();
    message(tr("The GPU stopped working: %1. Computing goes on on the CPU; restart the program to use the "
               "GPU again.")
                .arg(what),
            true);
    return;
  }
  clearPending();
}

void Session::clearPending() {
  joinWanted_.reset();
  playWanted_ = stepWanted_ = halfWanted_ = backWanted_ = previewWanted_ = restartWanted_ = false;
  labelRequests_.clear();
}

void Session::setState(State state) {
  if (state_ == state) return;
  state_ = state;
  stateChanged();
}

} // namespace lloyd

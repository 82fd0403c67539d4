// SPDX-License-Identifier: GPL-3.0-or-later
// The session's tasks for the compute thread: which is due, what it does there, and what follows from its
// outcome.
#include "app/model/compute/stratified_sample.hpp"
#include "app/model/session/task_result.hpp"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace lloyd {

void Session::interruptCompute() {
  if (busy_) cancelCompute_ = true;
}

template <class Task>
void Session::post(Task task) {
  busy_ = true;
  cancelCompute_ = false;
  live_.started();
  compute_.post([this, task = std::move(task)]() mutable {
    const auto outcome = std::make_shared<Outcome>();
    const auto start = Clock::now();
    try {
      task(*computer_, *outcome);
    } catch (...) {
      outcome->error = std::current_exception();
    }
    outcome->computeUs = microseconds(Clock::now() - start);
    QMetaObject::invokeMethod(this, [this, outcome] { computed(*outcome); });
  });
}

/// Does the most urgent thing that is wanted, when nothing is running.
void Session::takeUp() {
  if (busy_) return;
  if (!playWanted_) publishHeld(); // what is done next begins where it ended
  if (prepareWanted_ && (data_ || newData_)) return prepare();
  if (newData_) {
    whole_ = std::exchange(newData_, nullptr);
    fitData(true);
  }
  if (!data_) return;
  if (attachWanted_) return attach();
  if (!attached_) return;
  if (!canStepBack_) backWanted_ = false;
  if (!labelRequests_.empty() || previewWanted_ || restartWanted_ || joinWanted_ || backWanted_ ||
      (halfWanted_ && gateOpen()) || iterationDue())
    compute();
}

/// Chooses the points for the present device: all, or as many as the simulator is given. Where that changes
/// nothing, nothing happens, unless the data are new.
void Session::fitData(bool isNew) {
  const bool part = simulated() && whole_->n > executorPoints;
  if (!isNew && part == (data_ != whole_)) return;
  data_ = whole_;
  QString said;
  if (part) {
    said = tr("%L1 of %L2 points: the simulator runs every thread of every kernel one by one")
               .arg(static_cast<qulonglong>(executorPoints))
               .arg(static_cast<qulonglong>(whole_->n));
    data_ = spreadSubset(*whole_, executorPoints, said.toStdString());
  } else if (!isNew) {
    said = tr("All %L1 points again").arg(static_cast<qulonglong>(whole_->n));
  }
  attachWanted_ = true;
  attached_ = false;
  restartWanted_ = false; // new data start a run of their own
  moves_.clear();
  if (static_cast<std::size_t>(settings_.k) > data_->n) {
    settings_.k = std::max(1, static_cast<int>(data_->n));
    message(tr("k is limited to %1, the number of points").arg(settings_.k), false);
    settingsChanged();
  }
  dataChanged();
  if (!said.isEmpty()) message(said, false);
}

void Session::prepare() {
  setState(State::preparing);
  prepareWanted_ = attached_ = false;
  attachWanted_ = true;
  if (surface_) surface_->withdraw();
  frame_ = {};
  const BackendRequest choice = deviceLost_ ? BackendRequest::cpu : settings_.backend;
  post([choice](KMeansRunner& computer, Outcome& outcome) {
    outcome.kind = Outcome::Kind::prepared;
    computer.chooseDevice(choice);
    outcome.device = computer.device().info();
    outcome.whyDevice = computer.whyDevice();
  });
}

void Session::attach() {
  setState(State::preparing);
  attachWanted_ = attached_ = false;
  previewWanted_ = true;
  std::string whyNotShared;
  bool share = false;
  double surfaceUploadUs = 0;
  if (surface_) {
    surface_->withdraw();
    const bool cuda = device_.backend == Backend::cuda;
    const bool tryShare = cuda && !shareRefused_ && settings_.interop != InteropRequest::staged;
    // The compute thread is idle, so the device may be used from here.
    whyNotShared = surface_->show(data_, tryShare ? &computer_->device() : nullptr, surfaceUploadUs);
    share = tryShare && whyNotShared.empty();
    if (!cuda) whyNotShared.clear();
    if (cuda && settings_.interop == InteropRequest::staged) whyNotShared = "a staged copy was asked for";
    if (shareRefused_ && whyNotShared.empty()) whyNotShared = "lending the window's buffers to CUDA failed";
  }
  const Sharing sharing = share                                          ? Sharing::shared
                          : device_.backend == Backend::cuda && surface_ ? Sharing::staged
                                                                         : Sharing::none;
  post([data = data_, sharing, whyNotShared, surfaceUploadUs](KMeansRunner& computer, Outcome& outcome) {
    outcome.kind = Outcome::Kind::attached;
    outcome.sharing = sharing;
    outcome.whySharing = whyNotShared;
    if (computer.data() != data) computer.setData(data);
    if (sharing == Sharing::shared)
      computer.useLentPoints();
    else
      computer.usePrivatePoints(sharing);
    outcome.newRun = !computer.seeded();
    outcome.uploadUs = computer.uploadUs() + surfaceUploadUs;
  });
}

Session::Work Session::nextWork() {
  if (joinWanted_) return Work::join;
  // Labels are found for what is seen, so there must be something.
  if (!labelRequests_.empty() && !restartWanted_ && last_) return Work::labels;
  if (backWanted_ && !restartWanted_) return Work::back;
  if (halfWanted_ && gateOpen()) return Work::half;
  if (iterationDue()) return Work::iteration;
  return Work::preview;
}

/// Posts one piece of work on the points: an iteration or half of one, forwards or back; or labels alone, to
/// be seen or for somebody who asked.
void Session::compute() {
  if (sharing_ == Sharing::shared && frameDue_) return; // the buffers are being drawn
  const Work work = nextWork();
  std::optional<PointMemory> lent;
  if (sharing_ == Sharing::shared) {
    const auto start = Clock::now();
    try {
      lent = surface_->map();
    } catch (const DeviceError& error) {
      return failed(std::make_exception_ptr(error));
    }
    if (!lent) { // the context is gone; the surface says surfaceChanged() when there is a new one
      return;
    }
    lent_ = true;
    live_.mapped(microseconds(Clock::now() - start));
  }
  const bool restart = std::exchange(restartWanted_, false);
  if (work != Work::labels) previewWanted_ = false;
  if (work == Work::iteration) stepWanted_ = false;
  if (work == Work::half) halfWanted_ = false;
  if (restart) startRun();
  if (work == Work::back) backWanted_ = false;
  const bool copies = sharing_ != Sharing::shared;
  iterating_ = work == Work::iteration || work == Work::half;
  setState(playWanted_ ? State::playing : State::paused);
  post([settings = settings_, moves = std::exchange(moves_, {}), lent, restart, work, copies,
        state = joinWanted_](KMeansRunner& computer, Outcome& outcome) {
    outcome.settings = computer.settings();
    computer.configure(settings);
    outcome.settings = settings;
    outcome.plan = computer.plan();
    if (restart) computer.restart();
    for (const auto& [cluster, position] : moves)
      computer.moveCentroid(cluster, position);
    const PointMemory* memory = lent ? &*lent : nullptr;
    const Traffic before = computer.device().traffic();
    const bool second = computer.halfway();
    switch (work) {
    case Work::iteration:
      outcome.kind = Outcome::Kind::iterated;
      outcome.result = computer.iterate(true, memory);
      if (second) outcome.half = Half::update;
      break;
    case Work::half:
      outcome.kind = Outcome::Kind::iterated;
      outcome.result = computer.halfStep(memory);
      outcome.half = second ? Half::update : Half::classify;
      break;
    case Work::back:
      outcome.kind = Outcome::Kind::takenBack;
      outcome.result = computer.canStepBack() ? computer.stepBack(memory) : computer.preview(memory);
      break;
    case Work::join:
      outcome.kind = Outcome::Kind::joined;
      outcome.state = state;
      outcome.result = computer.takeState(*state, memory);
      break;
    case Work::preview:
      outcome.kind = Outcome::Kind::previewed;
      outcome.result = computer.preview(memory);
      break;
    case Work::labels:
      outcome.kind = Outcome::Kind::labelled;
      outcome.result = computer.finish(memory, &outcome.labels);
      break;
    }
    outcome.canStepBack = computer.canStepBack();
    outcome.moment = computer.moment();
    outcome.wrote = computer.wroteBack();
    if (copies && outcome.wrote) outcome.frame = computer.frame(&outcome.result.times);
    const Traffic after = computer.device().traffic();
    outcome.result.hostBytes = after.toDevice - before.toDevice + after.toHost - before.toHost;
  });
}

void Session::returnBuffers(bool flip) {
  if (!std::exchange(lent_, false)) return;
  const auto start = Clock::now();
  surface_->unmap(flip);
  live_.unmapped(microseconds(Clock::now() - start));
}

void Session::computed(Outcome& outcome) {
  busy_ = iterating_ = false;
  live_.returned();
  returnBuffers(outcome.error == nullptr && outcome.wrote);
  if (outcome.error) return failed(outcome.error);
  switch (outcome.kind) {
  case Outcome::Kind::prepared:
    device_ = outcome.device;
    why_ = QString::fromStdString(outcome.whyDevice);
    if (deviceLost_) why_ = tr("the GPU was lost; restart the program to use it again");
    live_.clear();
    if (whole_) fitData(false);
    break;
  case Outcome::Kind::attached:
    attached_ = true;
    sharing_ = outcome.sharing;
    if (device_.backend == Backend::cuda) why_ = QString::fromStdString(outcome.whySharing);
    live_.restart(loadUs_, outcome.uploadUs);
    if (outcome.newRun) startRun();
    if (surface_ && settings_.interop == InteropRequest::shared && sharing_ != Sharing::shared)
      message(
          tr("Shared buffers were asked for, but cannot be had: %1. Points are copied instead.").arg(why_),
          true);
    pathChanged();
    break;
  case Outcome::Kind::labelled:
    good_ = outcome.settings;
    handOverLabels(outcome);
    break;
  default:
    good_ = outcome.settings;
    if (waitsForFrame() && !held_) {
      held_ = std::make_unique<Outcome>(std::move(outcome));
    } else {
      publishHeld();
      publish(outcome);
    }
  }
  takeUp();
}

void Session::startRun() {
  const bool stateIsNew = halfway_ || canStepBack_;
  history_.clear();
  last_.reset();
  converged_ = halfway_ = canStepBack_ = backWanted_ = false;
  live_.halfTakenBack();
  held_.reset();
  seeded();
  if (stateIsNew) stateChanged();
}

} // namespace lloyd

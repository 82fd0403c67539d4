// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"

#include "app/model/compute/stratified_sample.hpp"
#include "app/model/session/task_result.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/request_error.hpp"

#include <QMetaObject>

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

Session::Session(QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), computer_(std::make_unique<KMeansRunner>(std::move(factory))) {
  qRegisterMetaType<IterationPtr>();
  computer_->setCancel(&cancelCompute_);
  computer_->keepPast(true);
  pace_.setSingleShot(true);
  pace_.setTimerType(Qt::PreciseTimer);
  connect(&pace_, &QTimer::timeout, this, [this] {
    frameDue_ = false;
    publishPending();
    takeUp();
  });
}

Session::~Session() {
  if (cancelLoad_) *cancelLoad_ = true;
  cancelCompute_ = true;
  data_.reset(); // nothing is taken up any more
  newData_.reset();
  pendingFrame_.reset();
  setSurface(nullptr);
}

void Session::setSurface(PointSurface* surface) {
  if (surface_ == surface) return;
  cancelCompute_ = true;
  compute_.waitUntilIdle();
  if (surface_) {
    returnBuffers(false);
    surface_->withdraw();
  }
  surface_ = surface;
  frameDue_ = false;
  attachWanted_ = data_ != nullptr;
  takeUp();
}

// --- what a person can do

void Session::open(const DataRequest& wanted) {
  cancelLoading();
  const auto cancel = std::make_shared<std::atomic<bool>>(false);
  cancelLoad_ = cancel;
  loading_ = true;
  DataRequest request = wanted;
  // Where the number of points is left to us, none are made that would not be used.
  if (settings_.backend == BackendRequest::simt && request.path.empty())
    request.defaultCount =
        request.defaultCount == 0 ? simulatorPoints : std::min(request.defaultCount, simulatorPoints);
  const QString source = QString::fromStdString(request.path.empty() ? request.generator : request.path);
  loadProgress(source, 0, -1);
  loader_.post([this, request, cancel] {
    const auto start = Clock::now();
    const auto progress = [this, cancel](const LoadProgress& now) {
      QMetaObject::invokeMethod(this, [this, cancel, now] {
        if (cancel == cancelLoad_ && loading_)
          loadProgress(QString::fromStdString(now.source), now.rows, now.fraction);
      });
    };
    auto points = loadPoints(request, progress, cancel.get());
    const double us = microseconds(Clock::now() - start);
    QMetaObject::invokeMethod(this, [this, points = std::move(points), request, us, cancel] {
      if (cancel == cancelLoad_ && !cancel->load()) loaded(points, request, us);
    });
  });
}

void Session::adopt(const SharedPointSet& points, const DataRequest& request, double loadUs) {
  cancelLoading();
  newData_ = points;
  request_ = request;
  loadUs_ = loadUs;
  adoptWanted_.reset();
  interruptCompute();
  takeUp();
}

void Session::cancelLoading() {
  if (!loading_) return;
  *cancelLoad_ = true;
  loading_ = false;
  loadEnded();
}

void Session::loaded(const tl::expected<SharedPointSet, std::string>& points, const DataRequest& request,
                     double us) {
  loading_ = false;
  if (!points) {
    message(QString::fromStdString(points.error()), true);
  } else {
    newData_ = *points;
    request_ = request;
    loadUs_ = us;
    interruptCompute();
    takeUp();
  }
  loadEnded();
}

void Session::play() {
  playWanted_ = true;
  halfWanted_ = backWanted_ = false;
  if (converged_ && !restartWanted_) restartWanted_ = true;
  stateChanged();
  takeUp();
}

void Session::pause() {
  playWanted_ = false;
  if (state_ == State::playing) setState(State::paused);
  stateChanged();
}

void Session::togglePlay() { playWanted_ && !converged_ ? pause() : play(); }

void Session::step() {
  playWanted_ = halfWanted_ = backWanted_ = false;
  stepWanted_ = true;
  takeUp();
}

void Session::halfStep() {
  playWanted_ = stepWanted_ = backWanted_ = false;
  halfWanted_ = true;
  takeUp();
}

void Session::stepBack() {
  playWanted_ = stepWanted_ = halfWanted_ = false;
  backWanted_ = true;
  // What is on its way has not been seen, so it is no step to be taken back: it does not happen.
  if (iterating_) interruptCompute();
  takeUp();
}

void Session::restart() {
  stepWanted_ = halfWanted_ = backWanted_ = false;
  restartWanted_ = true;
  interruptCompute();
  takeUp();
}

void Session::setSettings(const Settings& wanted) {
  Settings settings = wanted;
  settings.k = std::max(1, settings.k);
  if (data_ && static_cast<std::size_t>(settings.k) > data_->n) {
    settings.k = static_cast<int>(data_->n);
    message(tr("k is limited to %1, the number of points").arg(settings.k), false);
  }
  if (settings == settings_) return;
  if (settings.backend != settings_.backend) prepareWanted_ = true;
  if (settings.interop != settings_.interop || !attached_) attachWanted_ = data_ != nullptr;
  if (prepareWanted_ || attachWanted_) shareRefused_ = false;
  // A finished run has nothing left to time: the same run again shows what the new variant costs.
  if (settings.selection != settings_.selection && converged_) restartWanted_ = true;
  if (settings.k != settings_.k || settings.seed != settings_.seed || settings.init != settings_.init)
    restartWanted_ = true;
  settings_ = settings;
  previewWanted_ = previewWanted_ || restartWanted_ || !playWanted_;
  interruptCompute();
  settingsChanged();
  takeUp();
}

void Session::moveCentroid(int cluster, const std::vector<float>& position) {
  moves_.emplace_back(cluster, position);
  converged_ = false;
  previewWanted_ = previewWanted_ || !playWanted_;
  takeUp();
}

void Session::adoptState(const RunState& state) {
  adoptWanted_ = std::make_shared<const RunState>(state);
  stepWanted_ = halfWanted_ = backWanted_ = false;
  moves_.clear();
  interruptCompute();
  takeUp();
}

void Session::setIterationBarrier(std::function<bool()> barrier) {
  barrier_ = std::move(barrier);
  takeUp();
}

void Session::barrierMoved() { takeUp(); }

void Session::setRate(double iterationsPerSecond) {
  rate_ = std::max(0.0, iterationsPerSecond);
  if (pace_.isActive() && !frameDue_) pace_.start(0);
}

void Session::surfaceChanged() {
  attachWanted_ = data_ != nullptr;
  shareRefused_ = false;
  frameDue_ = false;
  takeUp();
}

ShownLabels Session::labels() const {
  if (sharing_ != Sharing::shared) {
    const auto& labels = frame_.labels;
    return labels ? ShownLabels{labels, {labels->data(), labels->size()}} : ShownLabels{};
  }
  if (!surface_) return {};
  const auto read = std::make_shared<const std::vector<Label>>(surface_->labels());
  return {read, *read};
}

void Session::fetchLabels(std::function<void(std::vector<Label>, IterationPtr)> done) {
  labelRequests_.push_back(std::move(done));
  takeUp();
}

// --- tasks for the compute thread: which is due, what it does there, and what follows

void Session::interruptCompute() {
  if (busy_) cancelCompute_ = true;
}

template <class Task>
void Session::post(Task task) {
  busy_ = true;
  cancelCompute_ = false;
  live_.started();
  compute_.post([this, task = std::move(task)]() mutable {
    const auto outcome = std::make_shared<TaskResult>();
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
  if (!playWanted_) publishPending(); // what is done next begins where it ended
  if (prepareWanted_ && (data_ || newData_)) return prepare();
  if (newData_) {
    whole_ = std::exchange(newData_, nullptr);
    fitData(true);
  }
  if (!data_) return;
  if (attachWanted_) return attach();
  if (!attached_) return;
  if (!canStepBack_) backWanted_ = false;
  if (!labelRequests_.empty() || previewWanted_ || restartWanted_ || adoptWanted_ || backWanted_ ||
      (halfWanted_ && barrierOpen()) || iterationDue())
    compute();
}

/// Chooses the points for the present device: all, or as many as the simulator is given. Where that changes
/// nothing, nothing happens, unless the data are new.
void Session::fitData(bool isNew) {
  const bool part = simulated() && whole_->n > simulatorPoints;
  if (!isNew && part == (data_ != whole_)) return;
  data_ = whole_;
  QString said;
  if (part) {
    said = tr("%L1 of %L2 points: the simulator runs every thread of every kernel one by one")
               .arg(static_cast<qulonglong>(simulatorPoints))
               .arg(static_cast<qulonglong>(whole_->n));
    data_ = spreadSubset(*whole_, simulatorPoints, said.toStdString());
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
  post([choice](KMeansRunner& computer, TaskResult& outcome) {
    outcome.kind = TaskResult::Kind::prepared;
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
  post([data = data_, sharing, whyNotShared, surfaceUploadUs](KMeansRunner& computer, TaskResult& outcome) {
    outcome.kind = TaskResult::Kind::attached;
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

Work Session::nextWork() {
  if (adoptWanted_) return Work::adopt;
  // Labels are found for what is seen, so there must be something.
  if (!labelRequests_.empty() && !restartWanted_ && last_) return Work::labels;
  if (backWanted_ && !restartWanted_) return Work::back;
  if (halfWanted_ && barrierOpen()) return Work::half;
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
  iterating_ = work == Work::iteration || work == Work::half;
  setState(playWanted_ ? State::playing : State::paused);
  ComputeTask task{
      work, settings_, std::exchange(moves_, {}), lent, restart, sharing_ != Sharing::shared, adoptWanted_};
  post([task = std::move(task)](KMeansRunner& computer, TaskResult& outcome) {
    task.perform(computer, outcome);
  });
}

void Session::returnBuffers(bool flip) {
  if (!std::exchange(lent_, false)) return;
  const auto start = Clock::now();
  surface_->unmap(flip);
  live_.unmapped(microseconds(Clock::now() - start));
}

void Session::computed(TaskResult& outcome) {
  busy_ = iterating_ = false;
  live_.returned();
  returnBuffers(outcome.error == nullptr && outcome.wrote);
  if (outcome.error) return failed(outcome.error);
  switch (outcome.kind) {
  case TaskResult::Kind::prepared:
    device_ = outcome.device;
    why_ = QString::fromStdString(outcome.whyDevice);
    if (deviceLost_) why_ = tr("the GPU was lost; restart the program to use it again");
    live_.clear();
    if (whole_) fitData(false);
    break;
  case TaskResult::Kind::attached:
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
  case TaskResult::Kind::labelled:
    good_ = outcome.settings;
    handOverLabels(outcome);
    break;
  default:
    good_ = outcome.settings;
    if (waitsForFrame() && !pendingFrame_) {
      pendingFrame_ = std::make_unique<TaskResult>(std::move(outcome));
    } else {
      publishPending();
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
  pendingFrame_.reset();
  seeded();
  if (stateIsNew) stateChanged();
}

// --- results and failures: the pace of iterations, the hand-over, the way down from a path that failed

/// On a copying path the worker is one iteration ahead of the window; its result waits for the screen.
bool Session::waitsForFrame() const {
  return surface_ && frameDue_ && sharing_ != Sharing::shared && playWanted_;
}

bool Session::iterationDue() {
  if (!barrierOpen()) return false;
  if (stepWanted_) return true;
  if (!playWanted_ || converged_ || pendingFrame_) return false;
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
void Session::takeIntoHistory(const TaskResult& outcome) {
  const IterationResult& result = *last_;
  if (outcome.kind == TaskResult::Kind::adopted) {
    live_.halfTakenBack();
    history_.clear();
  } else if (outcome.kind == TaskResult::Kind::takenBack) {
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

void Session::publishPending() {
  if (pendingFrame_) publish(*std::exchange(pendingFrame_, nullptr));
}

void Session::publish(TaskResult& outcome) {
  const auto result = std::make_shared<const IterationResult>(std::move(outcome.result));
  const bool planIsNew = !(plan_ == outcome.plan);
  const bool wasHalfway = halfway_;
  const bool couldStepBack = canStepBack_;
  plan_ = outcome.plan;
  last_ = result;
  halfway_ = result->halfway;
  canStepBack_ = outcome.canStepBack;
  driftTime_ = outcome.driftTime;
  const bool iteratedNow = outcome.kind == TaskResult::Kind::iterated;
  const bool adoptedNow = outcome.kind == TaskResult::Kind::adopted;
  if (adoptedNow && adoptWanted_ == outcome.state) adoptWanted_.reset();
  if (iteratedNow || adoptedNow || outcome.kind == TaskResult::Kind::takenBack) takeIntoHistory(outcome);
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
  if (adoptedNow && !adoptWanted_) stateAdopted();
  iterated(result);
  if (converged_ && iteratedNow) convergedNow(result->iteration);
  if (converged_) setState(State::paused);
  if (halfway_ != wasHalfway || canStepBack_ != couldStepBack) stateChanged();
}

void Session::handOverLabels(TaskResult& outcome) {
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
  publishPending();
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
    adoptWanted_.reset();
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
  adoptWanted_.reset();
  playWanted_ = stepWanted_ = halfWanted_ = backWanted_ = previewWanted_ = restartWanted_ = false;
  labelRequests_.clear();
}

void Session::setState(State state) {
  if (state_ == state) return;
  state_ = state;
  stateChanged();
}

} // namespace lloyd

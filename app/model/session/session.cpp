// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"

#include "app/data/point_set.hpp"
#include "app/model/session/compute_task.hpp"
#include "app/model/session/memory_advice.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t historyLimit = 4096;
/// A surface that paints nothing (minimised, hidden) must not stop the run: after this long it goes on.
constexpr int unseenFrameMs = 150;
constexpr int undrawnFrameMs = 16; ///< the pace of a run that nobody draws

} // namespace

Session::Session(QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), runner_(std::make_unique<KMeansRunner>(std::move(factory))) {
  qRegisterMetaType<IterationPtr>();
  runner_->setCancel(&cancelCompute_);
  runner_->keepUndoHistory(true);
  runner_->onSeed([this](int done, int of) { toGui_.post([this, done, of] { seedProgress(done, of); }); });
  pace_.setSingleShot(true);
  pace_.setTimerType(Qt::PreciseTimer);
  connect(&pace_, &QTimer::timeout, this, [this] {
    run_.frameShown();
    publishPending();
    takeUp();
  });
}

Session::~Session() {
  if (cancelLoad_) *cancelLoad_ = true;
  cancelCompute_ = true;
  run_.noPoints(); // nothing is taken up any more
  data_ = newData_ = nullptr;
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
  run_.surfaceChanged();
  takeUp();
}

// --- what a person can do

void Session::open(const DataRequest& wanted) {
  cancelLoading();
  const auto cancel = cancelLoad_ = std::make_shared<std::atomic<bool>>(false);
  loading_ = true;
  remedy_ = Remedy::none;
  DataRequest request = wanted;
  // Where the number of points is left to us, none are made that would not be used.
  if (settings_.backend == BackendRequest::simt && request.path.empty())
    request.defaultCount =
        request.defaultCount == 0 ? simulatorPoints : std::min(request.defaultCount, simulatorPoints);
  const QString source = QString::fromStdString(request.path.empty() ? request.generator : request.path);
  loadNeeds_.clear();
  loadProgress(source, 0, -1);
  // The device takes as long to find as many points to read. prepare() finds it there, or meets the error
  // again.
  if (run_.readiness() == Readiness::noData)
    compute_.post([this, choice = settings_.backend] {
      try {
        runner_->chooseDevice(choice);
      } catch (const std::exception&) {
      }
    });
  loader_.post([this, request, cancel, room = roomForOthers(settings_.backend, device_, data_.get())] {
    const auto start = Clock::now();
    const auto progress = [this, cancel](const LoadProgress& now) {
      toGui_.post([this, cancel, now] {
        if (cancel == cancelLoad_ && loading_) tellLoading(now);
      });
    };
    auto points = whenThereIsRoom(request, room, [&](const std::string& takes) {
      progress({.source = request.path.empty() ? request.generator : request.path, .memory = takes});
      return loadPoints(request, progress, cancel.get());
    });
    const double us = microseconds(Clock::now() - start);
    toGui_.post([this, points = std::move(points), request, us, cancel] {
      if (cancel == cancelLoad_ && !cancel->load()) loaded(points, request, us);
    });
  });
}

void Session::adopt(const SharedPointSet& points, const DataRequest& request, double loadUs) {
  cancelLoading();
  run_.dropAdoption();
  takeOver(points, request, loadUs);
}

void Session::takeOver(const SharedPointSet& points, const DataRequest& request, double loadUs) {
  changing();
  newData_ = points;
  request_ = request;
  loadUs_ = loadUs;
  run_.pointsArrived();
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
  if (points)
    takeOver(*points, request, us);
  else
    message(QString::fromStdString(points.error()), true);
  if (!points && remedy_ != Remedy::none) refused(request, remedy_);
  loadEnded();
}

void Session::setSettings(const Settings& wanted) {
  Settings settings = wanted;
  settings.k = std::max(1, settings.k);
  if (settings.k != settings_.k) wantedK_ = settings.k;
  if (data_) settings.k = static_cast<int>(std::min(static_cast<std::size_t>(settings.k), data_->n));
  if (settings == settings_) {
    if (settings.k < wanted.k) settingsChanged(); // whoever asked shows another number
    return;
  }
  changing();
  run_.change({.backend = settings.backend != settings_.backend,
               .sharing = settings.interop != settings_.interop,
               .selection = settings.selection != settings_.selection,
               .seeds = settings.k != settings_.k || settings.seed != settings_.seed ||
                        settings.init != settings_.init});
  settings_ = settings;
  interruptCompute();
  settingsChanged();
  takeUp();
}

void Session::moveCentroid(int cluster, const std::vector<float>& position) {
  changing();
  moves_.emplace_back(cluster, position);
  run_.moveCentroid();
  takeUp();
}

void Session::adoptState(const RunState& state, const std::optional<Settings>& with) {
  changing();
  run_.adopt(std::make_shared<const RunState>(state));
  forgetMoves();
  interruptCompute();
  if (with && *with != settings_) {
    settings_ = *with;
    wantedK_ = settings_.k;
    settingsChanged();
  }
  takeUp();
}

std::optional<RunState> Session::runState() const {
  const RunSnapshot& shown = run_.shown();
  if (!shown.last || newData_ || run_.preparing()) return std::nullopt; // it may be of the points before
  if (run_.adoption()) return *run_.adoption();
  RunState state = shown.beside ? *shown.beside : RunState{};
  (state.result = *shown.last).times = {};
  return state;
}

void Session::setIterationBarrier(std::function<bool()> barrier) {
  barrier_ = std::move(barrier);
  takeUp();
}

Session::State Session::state() const {
  if (run_.readiness() == Readiness::noData) return State::empty;
  if (run_.preparing()) return State::preparing;
  if (!playing()) return State::paused;
  return converged() ? State::converged : State::playing;
}

void Session::surfaceChanged() {
  run_.surfaceChanged();
  run_.allowSharing();
  takeUp();
}

ShownLabels Session::labels() const {
  if (sharing() != Sharing::shared) {
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

template <class Task>
void Session::post(Task task) {
  cancelCompute_ = false;
  live_.started();
  compute_.post([this, task = std::move(task)]() mutable {
    auto outcome = std::make_shared<TaskResult>();
    const auto start = Clock::now();
    try {
      task(*runner_, *outcome);
    } catch (...) {
      outcome->error = std::current_exception();
    }
    outcome->computeUs = microseconds(Clock::now() - start);
    toGui_.post([this, outcome = std::move(outcome)] { computed(*outcome); });
  });
}

/// Does the most urgent thing that is wanted, when nothing is running.
void Session::takeUp() {
  if (run_.inFlight()) return;
  if (!playing()) publishPending(); // what is done next begins where it ended
  if (newData_ && !run_.inFlight() && run_.readiness() != Readiness::noDevice) {
    whole_ = std::exchange(newData_, nullptr);
    fitData(true);
  }
  const double left = msUntilIteration();
  const RunAction action = run_.next({.barrierOpen = barrierOpen(),
                                      .paceOpen = left <= 0.5,
                                      .labelsWanted = !labelRequests_.empty(),
                                      .resultHeld = pendingFrame_ != nullptr});
  if (action == RunAction(NothingToDo::forPace) && !pace_.isActive())
    pace_.start(static_cast<int>(std::lround(left)));
  const RunWork* work = std::get_if<RunWork>(&action);
  if (!work) return;
  // The last choice of a device may have failed.
  if (*work == RunWork::prepare || !runner_->hasDevice())
    prepare();
  else if (*work == RunWork::attach)
    attach();
  else
    compute(*work);
}

/// Chooses the points for the present device: all, or as many as the simulator is given. Where that changes
/// nothing, nothing happens, unless the data are new.
void Session::fitData(bool isNew) {
  const bool part = simulated() && tooManyForSimulator(whole_->n);
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
  run_.pointsFitted();
  pendingFrame_.reset(); // it is of other points
  frame_ = {};
  forgetMoves();
  const int k =
      std::max(1, static_cast<int>(std::min<std::size_t>(data_->n, static_cast<std::size_t>(wantedK_))));
  if (k != settings_.k) {
    settings_.k = k;
    settingsChanged();
  }
  dataChanged();
  if (!said.isEmpty()) message(said, false);
}

void Session::prepare() {
  run_.begin(RunWork::prepare);
  tellState();
  if (surface_) surface_->withdraw();
  frame_ = {};
  const BackendRequest choice = run_.lostDevice() ? BackendRequest::cpu : settings_.backend;
  post([choice, settings = settings_](KMeansRunner& runner, TaskResult& outcome) {
    outcome.work = RunWork::prepare;
    outcome.settings = settings;
    runner.chooseDevice(choice);
    outcome.device = runner.device().info();
    outcome.whyDevice = runner.whyDevice();
  });
}

void Session::attach() {
  run_.begin(RunWork::attach);
  tellState();
  std::string whyNotShared;
  bool share = false;
  double surfaceUploadUs = 0;
  if (surface_) {
    surface_->withdraw();
    const bool cuda = device_.backend == Backend::cuda;
    const bool tryShare = !run_.refusesSharing() && settings_.interop != InteropRequest::staged;
    // Whether the device can write its buffers is for the surface to find out. The compute thread is idle, so
    // the device may be used from here.
    whyNotShared = surface_->show(data_, tryShare ? &runner_->device() : nullptr, surfaceUploadUs);
    share = tryShare && whyNotShared.empty();
    if (!cuda) whyNotShared.clear();
    if (cuda && settings_.interop == InteropRequest::staged) whyNotShared = "a staged copy was asked for";
    if (run_.refusesSharing() && whyNotShared.empty())
      whyNotShared = "lending the window's buffers to CUDA failed";
  }
  const Sharing sharing = share                                          ? Sharing::shared
                          : device_.backend == Backend::cuda && surface_ ? Sharing::staged
                                                                         : Sharing::none;
  post([data = data_, sharing, whyNotShared, surfaceUploadUs](KMeansRunner& runner, TaskResult& outcome) {
    outcome.work = RunWork::attach;
    outcome.sharing = sharing;
    outcome.whySharing = whyNotShared;
    if (runner.data() != data) runner.setData(data);
    if (sharing == Sharing::shared)
      runner.useLentPoints();
    else
      runner.usePrivatePoints(sharing);
    outcome.newRun = !runner.seeded();
    outcome.uploadUs = runner.uploadUs() + surfaceUploadUs;
  });
}

/// Posts one piece of work on the points: an iteration or half of one, forwards or back; or labels alone, to
/// be seen or for somebody who asked.
void Session::compute(RunWork work) {
  std::optional<PointMemory> lent;
  if (sharing() == Sharing::shared) {
    const auto start = Clock::now();
    try {
      lent = surface_->map();
    } catch (const DeviceError& error) {
      return failed(std::make_exception_ptr(error));
    }
    if (!lent) return; // the context is gone; the surface says surfaceChanged() when there is a new one
    live_.mapped(microseconds(Clock::now() - start));
  }
  const bool restart = run_.begin(work, lent.has_value());
  if (restart) startRun();
  tellState();
  given_.insert(given_.end(), moves_.begin(), moves_.end());
  ComputeTask task{work,           settings_, std::exchange(moves_, {}),
                   lent,           restart,   sharing() != Sharing::shared,
                   run_.adoption()};
  post(
      [task = std::move(task)](KMeansRunner& runner, TaskResult& outcome) { task.perform(runner, outcome); });
}

void Session::returnBuffers(bool flip) {
  if (!run_.returnMemory()) return;
  const auto start = Clock::now();
  try {
    surface_->unmap(flip);
  } catch (const DeviceError& error) {
    // What was computed is known all the same; whoever draws gets it on the way that is left.
    deviceFailed(error);
  }
  live_.unmapped(microseconds(Clock::now() - start));
}

void Session::computed(TaskResult& outcome) {
  live_.returned();
  returnBuffers(outcome.error == nullptr && outcome.wrote);
  run_.end();
  if (outcome.error) return failed(outcome.error, outcome.work);
  switch (outcome.work) {
  case RunWork::prepare:
    device_ = outcome.device;
    chosenFor_ = outcome.settings.backend;
    why_ = QString::fromStdString(outcome.whyDevice);
    if (chosenFor_ == BackendRequest::automatic)
      whyNoCuda_ = device_.backend == Backend::cuda ? QString() : why_;
    if (run_.lostDevice()) why_ = tr("the GPU was lost; restart the program to use it again");
    live_.clear();
    if (whole_) fitData(false);
    break;
  case RunWork::attach: {
    // The same run drawn elsewhere in the same way takes as long as before.
    const bool timesHold = !outcome.newRun && outcome.sharing == sharing();
    run_.attached(outcome.sharing);
    if (device_.backend == Backend::cuda) why_ = QString::fromStdString(outcome.whySharing);
    timesHold ? live_.stopped() : live_.restart(loadUs_, outcome.uploadUs);
    if (outcome.newRun) startRun();
    if (surface_ && settings_.interop == InteropRequest::shared && sharing() != Sharing::shared)
      message(
          tr("Shared buffers were asked for, but cannot be had: %1. Points are copied instead.").arg(why_),
          true);
    pathChanged();
    break;
  }
  case RunWork::labels:
    good_ = outcome.settings;
    handOverLabels(outcome);
    break;
  default:
    good_ = outcome.settings;
    // A state that was taken over is there at once: as long as it is not, it would be taken over again.
    if (surface_ && !pendingFrame_ && run_.resultWaits() && outcome.work != RunWork::adopt) {
      pendingFrame_ = std::make_unique<TaskResult>(std::move(outcome));
    } else {
      publishPending();
      publish(outcome);
    }
  }
  takeUp();
}

void Session::startRun() {
  const bool stateIsNew = run_.shown().halfway() || canStepBack();
  history_.clear();
  run_.startRun();
  live_.halfTakenBack();
  live_.setProblem({data_->n, data_->d, settings_.k});
  pendingFrame_.reset();
  seeded();
  if (stateIsNew) stateChanged();
}

// --- results and failures

/// How long the next iteration must wait, because iterations start a given time apart.
double Session::msUntilIteration() const {
  if (!last() || (limitedRate() <= 0 && surface_)) return 0;
  return (limitedRate() > 0 ? 1000.0 / limitedRate() : undrawnFrameMs) - live_.usSinceStart() / 1000.0;
}

/// What an iteration, or its going, means for the books.
void Session::takeIntoHistory(const TaskResult& outcome, const IterationResult& result) {
  if (outcome.work == RunWork::adopt) {
    live_.halfTakenBack();
    live_.setProblem({data_->n, data_->d, settings_.k});
    history_.assign(outcome.state->history.begin(), outcome.state->history.end());
    if (history_.empty() && !result.halfway && result.inertia)
      history_.emplace_back(result); // where it was taken over
  } else if (outcome.work == RunWork::back) {
    live_.halfTakenBack();
    const int whole = result.iteration - (result.halfway ? 1 : 0);
    while (!history_.empty() && history_.back().iteration > whole)
      history_.pop_back();
  } else {
    const bool shared = sharing() == Sharing::shared;
    if (outcome.half)
      live_.halfDone(*outcome.half, result.times, outcome.plan, outcome.computeUs, shared);
    else
      live_.iterationDone(result.times, outcome.plan, outcome.computeUs, shared);
    if (result.rechecked && data_) live_.rechecked(outcome.plan, *result.rechecked, data_->n);
    if (!result.halfway) history_.emplace_back(result);
    if (history_.size() > historyLimit) history_.pop_front();
  }
}

void Session::publish(TaskResult& outcome) {
  const auto result = std::make_shared<const IterationResult>(std::move(outcome.result));
  const RunSnapshot before = run_.shown();
  if (!run_.inFlight()) given_.clear();
  const bool iteratedNow = outcome.work == RunWork::iteration || outcome.work == RunWork::half;
  const bool adoptedNow = outcome.work == RunWork::adopt;
  const bool moved = iteratedNow || adoptedNow || outcome.work == RunWork::back;
  const bool ended = moved ? !data_->drift && !result->halfway && result->iteration > 0 &&
                                 outcome.beside.usedLast.empty() &&
                                 lloyd::converged(*result, settings_.tolerance)
                           : before.converged;
  run_.publish({result, outcome.plan, ended, outcome.canStepBack, outcome.driftTime,
                std::make_shared<const RunState>(std::move(outcome.beside))});
  if (adoptedNow) run_.adopted(outcome.state);
  if (moved) takeIntoHistory(outcome, *result);
  if (before.plan != outcome.plan) pathChanged();
  if (surface_) {
    run_.frameGiven();
    if (outcome.frame.labels) {
      frame_ = outcome.frame;
      surface_->present(outcome.frame);
    }
    surface_->refresh();
    pace_.start(unseenFrameMs);
  } else if (outcome.frame.labels) {
    frame_ = outcome.frame;
  }
  if (adoptedNow && !run_.adoption()) stateAdopted();
  iterated(result);
  if (converged() && iteratedNow && !before.converged) convergedNow(result->iteration);
  tellState();
  if (run_.shown().halfway() != before.halfway() || canStepBack() != before.canStepBack) stateChanged();
}

void Session::handOverLabels(TaskResult& outcome) {
  if (plan() != outcome.plan) {
    RunSnapshot planned = run_.shown();
    planned.plan = outcome.plan;
    run_.publish(std::move(planned));
    pathChanged();
  }
  answerRequests(outcome.labels, std::make_shared<const IterationResult>(std::move(outcome.result)));
}

void Session::answerRequests(const std::vector<Label>& labels, const IterationPtr& result) {
  for (const auto& done : std::exchange(labelRequests_, {}))
    done(labels, result);
}

void Session::frameShown(double paintUs, double uploadUs) {
  const bool due = run_.frameShown();
  // Between iterations that are to come at a rate the time passes by intent: no frame waits for it.
  live_.frameShown(paintUs, uploadUs, due && playing() && limitedRate() <= 0, sharing() == Sharing::shared);
  if (state() != State::playing) live_.stopped();
  if (due) pace_.stop();
  publishPending();
  takeUp();
}

void Session::failed(const std::exception_ptr& error, std::optional<RunWork> work) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    // Whoever cancelled wants something else, which is taken up next; points that were on their way set out
    // again.
    run_.cancelled(runner_->hasDevice());
  } catch (const RequestError& wrong) {
    message(QString::fromUtf8(wrong.what()), true);
    answerRequests({}, nullptr);
    const bool otherSettings = settings_ != good_;
    run_.requestRefused(otherSettings, runner_->hasDevice(), work);
    if (otherSettings) {
      settings_ = good_;
      if (data_)
        settings_.k = static_cast<int>(std::min<std::size_t>(data_->n, static_cast<std::size_t>(good_.k)));
      // What was refused may have come with a device of its own, which computes by now.
      if (runner_->hasDevice() && chosenFor_ != settings_.backend) run_.change({.backend = true});
      settingsChanged();
    }
  } catch (const DeviceError& wrong) {
    deviceFailed(wrong);
  } catch (const std::bad_alloc&) {
    deviceFailed(DeviceError(0, Severity::retrySmaller, "new", "the system gives the program no more"));
  } catch (const std::exception& wrong) {
    message(tr("Computing stopped: %1").arg(QString::fromUtf8(wrong.what())), true);
    clearPending();
  }
  tellState();
  takeUp();
}

void Session::deviceFailed(const DeviceError& error) {
  const QString what = QString::fromStdString(std::string(error.meaning()));
  switch (error.severity()) {
  case Severity::noSharing:
    run_.sharingRefused();
    message(tr("The window's buffers could not be lent to CUDA: %1. Points are copied each frame instead.")
                .arg(what),
            true);
    return;
  case Severity::retrySmaller: {
    const std::size_t n = data_ ? data_->n : 0;
    // Where the points could be brought, what is free says little about how many could be iterated.
    const std::size_t fit =
        n > 0 && runner_->hasDevice() && run_.readiness() == Readiness::detached
            ? pointsThatFit(*data_, runner_->device().freeMemory(), device_.backend == Backend::cuda ? 0 : 3)
            : 0;
    message(tooLittleMemoryText(n, settings_.k, what, fit), true);
    break;
  }
  case Severity::badRequest:
    message(tr("This launch is not possible here: %1. Choose another variant.").arg(what), true);
    break;
  case Severity::absent:
  case Severity::lost:
    run_.deviceLost();
    if (surface_) surface_->withdraw(); // what it registered belongs to the device
    runner_->forgetDevice();
    message(tr("The GPU stopped working: %1. Computing goes on on the CPU; restart the program to use the "
               "GPU again.")
                .arg(what),
            true);
    return;
  }
  clearPending();
}

} // namespace lloyd

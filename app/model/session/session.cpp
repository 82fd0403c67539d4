// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"

#include "app/model/session/task_result.hpp"

#include <QMetaObject>

#include <algorithm>
#include <utility>

namespace lloyd {

Session::Session(QObject* parent, KMeansRunner::DeviceFactory factory)
    : QObject(parent), computer_(std::make_unique<KMeansRunner>(std::move(factory))) {
  qRegisterMetaType<IterationPtr>();
  computer_->setCancel(&cancelCompute_);
  computer_->keepPast(true);
  pace_.setSingleShot(true);
  pace_.setTimerType(Qt::PreciseTimer);
  connect(&pace_, &QTimer::timeout, this, [this] {
    frameDue_ = false;
    publishHeld();
    takeUp();
  });
}

Session::~Session() {
  if (cancelLoad_) *cancelLoad_ = true;
  cancelCompute_ = true;
  data_.reset(); // nothing is taken up any more
  newData_.reset();
  held_.reset();
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
        request.defaultCount == 0 ? executorPoints : std::min(request.defaultCount, executorPoints);
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
  joinWanted_.reset();
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

void Session::join(const RunState& state) {
  joinWanted_ = std::make_shared<const RunState>(state);
  stepWanted_ = halfWanted_ = backWanted_ = false;
  moves_.clear();
  interruptCompute();
  takeUp();
}

void Session::setIterationBarrier(std::function<bool()> mayIterate) {
  gate_ = std::move(mayIterate);
  takeUp();
}

void Session::gateMoved() { takeUp(); }

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

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/viewport.hpp"

#include "app/render/camera/bounds.hpp"
#include "app/render/gl/gl_report.hpp"
#include "gpu/core/contract/error.hpp"

#include <QOpenGLContext>

#include <algorithm>
#include <stdexcept>

namespace lloyd {

namespace {

constexpr double roomForDrift = 0.06; ///< around a centroid, of the box

/// The box with room for centroids that have drifted to its edge or beyond.
Bounds including(Bounds bounds, const std::vector<glm::dvec3>& centroids, double room) {
  for (const glm::dvec3& centroid : centroids) {
    bounds.low = glm::min(bounds.low, centroid - room * bounds.extent());
    bounds.high = glm::max(bounds.high, centroid + room * bounds.extent());
  }
  return bounds;
}

} // namespace

Viewport::Viewport(QWidget* parent) : QOpenGLWidget(parent) {
  QSurfaceFormat wanted = QSurfaceFormat::defaultFormat();
  wanted.setVersion(kGlMajor, kGlMinor);
  wanted.setProfile(QSurfaceFormat::CoreProfile);
  setFormat(wanted);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Points"));
  setAccessibleDescription(tr("The points coloured by cluster, with the numbered centroids"));
  cameraRests_.setSingleShot(true);
  cameraRests_.setInterval(160);
  connect(&gestures_, &ViewGestures::cameraMoved, this, &Viewport::moved);
  connect(&gestures_, &ViewGestures::selectionChanged, this, qOverload<>(&QWidget::update));
  connect(&gestures_, &ViewGestures::pointerMoved, this, [this] { setHovered(std::nullopt); });
  connect(&gestures_, &ViewGestures::inspected, this, &Viewport::inspect);
  connect(&gestures_, &ViewGestures::centroidMoved, this,
          [this](int cluster, const std::vector<float>& position) {
            Q_EMIT centroidMoved(cluster, position);
            update();
          });
  connect(&cameraRests_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  connect(&searchStep_, &QTimer::timeout, this, &Viewport::searchOn);
  connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
    // A GPU draws on after the paint has returned; what it took is known a frame or two later.
    const double drawUs = std::max(paintUs_, scene_ ? scene_->drawUs().value_or(0) : 0);
    if (std::exchange(resultDue_, false)) Q_EMIT shown(drawUs, uploadUs_);
    const bool drawsOn = !playing_ && data_ && !drawn_.complete();
    if (drawsOn || track_.gliding() || otherTrack_.gliding()) update();
  });
}

Viewport::~Viewport() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
  if (isValid()) makeCurrent();
  releaseContext();
  if (isValid()) doneCurrent();
}

void Viewport::initializeGL() {
  // The widget gets a new context whenever it changes its window, so this is done for each.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
    Q_EMIT lost();
    makeCurrent();
    releaseContext();
    doneCurrent();
  });
  try {
    software_ = reportGl(context()).software;
    scene_ = std::make_unique<SceneRenderer>(software_ ? ProgressiveView::kSoftwareBudget
                                                       : ProgressiveView::kEverything);
    makeBuffers();
    failure_.clear();
  } catch (const std::exception& error) {
    failure_ = QString::fromUtf8(error.what());
    Q_EMIT failed(failure_);
  }
  // Queued: whoever answers makes the context current, and this function has not returned yet.
  QMetaObject::invokeMethod(this, &Viewport::ready, Qt::QueuedConnection);
}

void Viewport::releaseContext() {
  registered_.reset();
  scene_.reset();
  otherScene_.reset();
  buffers_.reset();
}

void Viewport::makeBuffers() {
  registered_.reset();
  buffers_.reset();
  if (!data_ || data_->n == 0) return;
  buffers_ =
      std::make_unique<PointBuffers>(data_->n, data_->d, data_->values.data(), data_->drift.has_value());
  frameDue_ = frame_.labels != nullptr;
  groupsDue_ = groups_ || other_;
}

// --- the session's side

std::string Viewport::show(const SharedPointSet& points, Device* device, double& uploadUs) {
  const bool newData = points != data_;
  data_ = points;
  if (newData) {
    frame_ = {};
    groups_.reset();
    groupColours_.clear();
    other_.reset();
    otherTrack_.clear();
    ringed_.clear();
    track_.clear();
    hovered_.reset();
    search_.reset();
    readPositions_.reset();
    posterised_ = {};
    camera_.setData(drawnDimensions(points->d),
                    drawnBounds(points->values.data(), points->n, points->d, points->n));
  }
  if (!isValid() || !scene_) return "the window has no OpenGL context yet";
  makeCurrent();
  QElapsedTimer timer;
  timer.start();
  std::string why;
  try {
    if (newData || !buffers_) makeBuffers();
    if (device && buffers_) {
      registered_ = registerPoints(*device, buffers_->names());
      const int front = registered_->front();
      buffers_->setFront(front, buffers_->labelWidth(front));
    }
  } catch (const DeviceError& error) {
    why = error.meaning();
    registered_.reset();
  } catch (const std::exception& error) {
    why = error.what();
    registered_.reset();
    if (!buffers_) {
      failure_ = QString::fromUtf8(error.what());
      Q_EMIT failed(failure_);
    }
  }
  uploadUs = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
  doneCurrent();
  update();
  return why;
}

void Viewport::withdraw() {
  if (!registered_) return;
  makeCurrent();
  registered_.reset();
  doneCurrent();
}

std::optional<PointMemory> Viewport::map() {
  if (!registered_ || !isValid()) return std::nullopt;
  makeCurrent();
  return registered_->map();
}

void Viewport::unmap(bool flip) {
  if (!registered_ || !registered_->mapped()) return;
  makeCurrent();
  registered_->unmap(flip);
  if (flip && buffers_) buffers_->setFront(registered_->front(), registered_->frontWidth());
}

void Viewport::present(const Frame& frame) {
  frame_ = frame;
  frameDue_ = true;
}

void Viewport::refresh() {
  resultDue_ = true;
  update();
}

// --- what is shown

void Viewport::setResult(const IterationPtr& result, double rate) {
  if (!result || !data_) return;
  track_.take(*result, data_->d, rate);
  gestures_.checkSelected();
  posterisedDue_ = true;
  if (data_->drift && data_->d > 1) {
    const Bounds wider = including(camera_.bounds(), track_.positions(), roomForDrift);
    if (wider != camera_.bounds()) {
      camera_.setBounds(wider);
      Q_EMIT cameraChanged();
    }
  }
  update();
}

void Viewport::forgetRun() {
  track_.clear();
  update();
}

void Viewport::forgetData() {
  if (!data_) return;
  if (isValid()) makeCurrent();
  registered_.reset();
  buffers_.reset();
  if (isValid()) doneCurrent();
  data_.reset();
  frame_ = {};
  groups_.reset();
  other_.reset();
  ringed_.clear();
  readPositions_.reset();
  search_.reset();
  hovered_.reset();
  track_.clear();
  otherTrack_.clear();
  update();
}

void Viewport::setColours(const std::vector<Rgb>& colours) {
  if (colours_ == colours) return;
  colours_ = colours;
  update();
}

bool Viewport::setGroups(std::shared_ptr<const std::vector<std::int32_t>> groups, std::vector<Rgb> colours) {
  if (groups && (!data_ || groups->size() != data_->n)) return false;
  groupsDue_ = groupsDue_ || groups != groups_;
  groups_ = std::move(groups);
  groupColours_ = std::move(colours);
  update();
  return true;
}

void Viewport::setPlaying(bool playing) {
  if (std::exchange(playing_, playing) != playing) update();
}

void Viewport::setTrails(bool on) {
  trails_ = on;
  Q_EMIT lookChanged();
  update();
}

void Viewport::setSizeFactor(double factor) {
  sizeFactor_ = std::clamp(factor, 0.2, 8.0);
  Q_EMIT lookChanged();
  update();
}

void Viewport::setDark(bool dark) {
  dark_ = dark;
  update();
}

} // namespace lloyd

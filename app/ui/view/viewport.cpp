// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/viewport.hpp"

#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_report.hpp"
#include "app/ui/view/axis_texts.hpp"
#include "app/ui/view/overlay.hpp"
#include "gpu/core/contract/error.hpp"

#include <QLabel>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

namespace lloyd {

namespace {

constexpr double roomForDrift = 0.06; ///< around a centroid, of the box
constexpr int cameraRestsMs = 160;
constexpr int posterisedMs = 200; ///< between two pictures of a photograph
constexpr double reachPixels = 9; ///< of the pointer, logical

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
  cameraRests_.setInterval(cameraRestsMs);
  connect(&cameraRests_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  connect(&search_, &SteppedSearch::found, this, &Viewport::setHovered);
  connect(&gestures_, &ViewGestures::cameraMoved, this, &Viewport::cameraMoved);
  connect(&gestures_, &ViewGestures::selectionChanged, this, qOverload<>(&QWidget::update));
  connect(&gestures_, &ViewGestures::pointerMoved, this, [this] { setHovered(std::nullopt); });
  connect(&gestures_, &ViewGestures::inspected, this, &Viewport::inspect);
  connect(&gestures_, &ViewGestures::centroidMoved, this,
          [this](int cluster, const std::vector<float>& position) {
            Q_EMIT centroidMoved(cluster, position);
            update();
          });
  connect(&gestures_, &ViewGestures::centroidWanted, this, &Viewport::centroidWanted);
  connect(&gestures_, &ViewGestures::centroidUnwanted, this, &Viewport::centroidUnwanted);
  connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
    // A GPU draws on after the paint has returned; what it took is known a frame or two later.
    const double drawUs = std::max(paintUs_, painter_ ? painter_->drawUs().value_or(0) : 0);
    if (take(Dirty::shown)) Q_EMIT shown(drawUs, uploadUs_);
    const bool drawsOn = !playing_ && state_.points.data() && !drawn_.complete();
    if (drawsOn || gliding()) update();
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
    painter_ = std::make_unique<ViewPainter>(reportGl(context()).software);
    makeBuffers();
    failure_.clear();
  } catch (const std::exception& error) {
    fail(error);
  }
  // Queued: whoever answers makes the context current, and this function has not returned yet.
  QMetaObject::invokeMethod(this, &Viewport::ready, Qt::QueuedConnection);
}

void Viewport::fail(const std::exception& error) {
  failure_ = QString::fromUtf8(error.what());
  Q_EMIT failed(failure_);
}

bool Viewport::take(Dirty what) {
  const bool was = dirty_.testFlag(what);
  dirty_.setFlag(what, false);
  return was;
}

void Viewport::releaseContext() {
  painter_.reset();
  state_.points.releaseBuffers();
}

void Viewport::makeBuffers(Device* device) {
  state_.points.makeBuffers(device);
  dirty_ |= Dirty::frame;
  dirty_ |= Dirty::groups;
}

// --- the session's side

/// Nothing of other points is kept. The context must be current if there is one.
void Viewport::setPoints(const SharedPointSet& points) {
  axesGlide_.stop();
  state_.points.set(points);
  state_.centroids.clear();
  state_.centroids.setProjection(nullptr);
  state_.otherCentroids.clear();
  state_.otherCentroids.setProjection(nullptr);
  state_.other.reset();
  state_.groupColours.clear();
  state_.key = {};
  state_.hidden = 0;
  state_.hovered.reset();
  state_.hoveredCentroid.reset();
  state_.ringed.clear();
  state_.posterised = {};
  groups_.reset();
  ringed_.clear();
  search_.stop();
}

std::string Viewport::show(const SharedPointSet& points, Device* device, double& uploadUs) {
  const bool drawable = isValid() && painter_;
  if (drawable) makeCurrent();
  if (points != state_.points.data()) {
    setPoints(points);
    state_.camera.setData(state_.points.dimensions(), state_.points.bounds());
    state_.camera.setFigures(axisFigures(*points));
  }
  if (!drawable) return "the window has no OpenGL context yet";
  QElapsedTimer timer;
  timer.start();
  std::string why;
  try {
    const PointBuffers* made = state_.points.buffers();
    if (!made || (maybeLent(device) && made->dimensions() < points->d)) makeBuffers(device);
    if (device && !state_.points.buffers())
      why = "there are no points to lend";
    else if (device)
      state_.points.share(registerPoints(*device, state_.points.buffers()->names()));
  } catch (const DeviceError& error) {
    why = error.meaning();
    state_.points.withdraw();
  } catch (const std::exception& error) {
    why = error.what();
    state_.points.withdraw();
    if (!state_.points.buffers()) fail(error);
  }
  uploadUs = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
  doneCurrent();
  update();
  return why;
}

void Viewport::withdraw() {
  if (!state_.points.registered()) return;
  makeCurrent();
  state_.points.withdraw();
  doneCurrent();
}

std::optional<PointMemory> Viewport::map() {
  if (!state_.points.registered() || !isValid()) return std::nullopt;
  makeCurrent();
  return state_.points.registered()->map();
}

void Viewport::unmap(bool flip) {
  if (state_.points.readable()) return;
  makeCurrent();
  state_.points.unmap(flip);
  if (take(Dirty::point)) inspect(gestures_.pointer());
}

void Viewport::present(const Frame& frame) {
  state_.points.present(frame);
  dirty_ |= Dirty::frame;
}

std::vector<Label> Viewport::labels() {
  if (isValid()) makeCurrent();
  std::vector<Label> drawn = state_.points.labels();
  if (isValid()) doneCurrent();
  return drawn;
}

void Viewport::refresh() {
  // Nothing is painted in a context that is gone, so nothing would be noticed there.
  if (failure_.isEmpty() && isValid() && contextIsGone_(*context())) {
    failure_ =
        tr("The graphics card was reset, so points are drawn no more: start the program again to see them.");
    Q_EMIT failed(failure_);
  }
  dirty_ |= Dirty::shown;
  update();
}

// --- what is shown

void Viewport::setResult(const IterationPtr& result, double rate) {
  const SharedPointSet& points = state_.points.data();
  if (!result || !points) return;
  state_.centroids.take(*result, points->d, rate);
  gestures_.checkSelected();
  dirty_ |= Dirty::posterised;
  const bool drifts = points->drift && points->d > 1;
  if (drifts && state_.camera.makeRoomFor(state_.centroids.positions(), roomForDrift)) Q_EMIT cameraChanged();
  update();
}

void Viewport::forgetRun() {
  state_.centroids.clear();
  update();
}

void Viewport::forgetData() {
  if (!state_.points.data()) return;
  if (isValid()) makeCurrent();
  setPoints(nullptr);
  if (isValid()) doneCurrent();
  update();
}

void Viewport::setColours(const std::vector<Rgb>& colours) {
  if (std::exchange(state_.colours, colours) != colours) update();
}

bool Viewport::setGroups(std::shared_ptr<const std::vector<std::int32_t>> groups, std::vector<Rgb> colours,
                         ColourKey key) {
  if (groups && (!state_.points.data() || groups->size() != state_.points.data()->n)) return false;
  if (groups != groups_) {
    dirty_ |= Dirty::groups;
    state_.hidden = groups ? static_cast<std::size_t>(std::ranges::count(*groups, hiddenGroup)) : 0;
  }
  groups_ = std::move(groups);
  state_.groupColours = std::move(colours);
  state_.key = std::move(key);
  update();
  return true;
}

void Viewport::setProjection(const SharedProjection& projection) {
  ShownPoints& points = state_.points;
  if (projection == points.projection()) return;
  if (!points.data() || (projection && projection->points != points.data())) return;
  const bool drawable = isValid() && painter_;
  if (drawable) makeCurrent();
  const PickSource before = points.hostPositions();
  const Bounds box = state_.camera.bounds();
  const std::vector<glm::dvec3> centroids = state_.centroids.positions();
  try {
    points.setProjection(projection);
  } catch (const std::exception& error) {
    points.setProjection(nullptr);
    Q_EMIT failed(QString::fromUtf8(error.what()));
  }
  if (drawable) doneCurrent();
  state_.centroids.setProjection(points.projection());
  state_.otherCentroids.setProjection(points.projection());
  state_.camera.setData(points.dimensions(), points.bounds());
  state_.camera.setFigures(axisFigures(*points.data(), points.projection().get()));
  axesGlide_.start(before, box, points.hostPositions(), state_.camera.bounds());
  if (axesGlide_.begun())
    state_.centroids.glideFrom(centroids, box, state_.camera.bounds(), AxesGlide::milliseconds);
  cameraMoved();
}

void Viewport::setPlaying(bool playing) {
  if (std::exchange(playing_, playing) != playing) update();
}

void Viewport::setOrthographic(bool on) {
  if (on == state_.camera.orthographic()) return;
  state_.camera.setOrthographic(on);
  cameraMoved();
}

void Viewport::setSizeFactor(double factor) { setLook(state_.sizeFactor, std::clamp(factor, 0.2, 8.0)); }

void Viewport::setDark(bool dark) {
  state_.dark = dark;
  update();
}

// --- two runs

void Viewport::setCamera(const Camera& camera) {
  Camera& mine = state_.camera;
  if (state_.points.data() && camera.dimensions() != mine.dimensions())
    return; // it looks at other data still
  Camera as = camera;
  as.setViewport(mine.view().viewport.x, mine.view().viewport.y);
  if (as.view() == mine.view() && as.bounds() == mine.bounds()) return;
  mine = as;
  cameraRests_.start();
  update();
}

void Viewport::setPointed(std::optional<std::size_t> point) {
  if (point && (!state_.points.data() || *point >= state_.points.data()->n)) point.reset();
  if (state_.hovered == point) return;
  state_.hovered = point;
  state_.hoveredPosition.clear();
  state_.pointer.reset();
  search_.stop();
  update();
}

void Viewport::setRinged(std::vector<std::size_t> points, Rgb colour) {
  if (points.empty() && ringed_.empty()) return;
  const std::size_t shown = state_.points.data() ? state_.points.data()->n : 0;
  std::erase_if(points, [shown](std::size_t point) { return point >= shown; });
  if (points.size() > mostRinged) points.resize(mostRinged);
  ringed_ = std::move(points);
  state_.ringed.clear();
  state_.ringColour = colour;
  update();
}

bool Viewport::setOther(std::optional<OtherRun> other, double rate) {
  const SharedPointSet& points = state_.points.data();
  if (other && (!points || !other->labels || other->labels->size() != points->n || !other->result))
    return false;
  std::optional<OtherRun>& mine = state_.other;
  if (!other && !mine) return true;
  if (!other || !mine || other->labels != mine->labels) dirty_ |= Dirty::groups;
  const bool newResult = other && (!mine || other->result != mine->result);
  mine = std::move(other);
  if (!mine) state_.otherCentroids.clear();
  if (newResult) state_.otherCentroids.take(*mine->result, points->d, rate);
  update();
  return true;
}

void Viewport::setDivider(double share) {
  share = std::clamp(share, 0.0, 1.0);
  if (share == state_.divider) return;
  state_.divider = share;
  update();
}

// --- painting

void Viewport::resizeGL(int, int) {
  const double ratio = devicePixelRatioF();
  state_.camera.setHeadroom(0);
  state_.camera.setViewport(static_cast<int>(width() * ratio), static_cast<int>(height() * ratio));
  gestures_.setPixelRatio(ratio);
}

void Viewport::paintGL() {
  if (!painter_) return;
  try {
    uploadFrame();
    uploadGroups();
    uploadGlide();
    QElapsedTimer timer;
    timer.start();
    renewPosterised();
    keepHeadroom();
    locatePoints();
    state_.moving = playing_ || gestures_.dragging() || cameraRests_.isActive();
    state_.selected = gestures_.selected();
    if (state_.pointer) state_.pointer = gestures_.pointer();
    drawn_ = painter_->paint(state_, defaultFramebufferObject(), size(), devicePixelRatioF(), font());
    paintUs_ = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
  } catch (const std::exception& error) {
    if (failure_.isEmpty()) Q_EMIT failed(QString::fromUtf8(error.what()));
    failure_ = QString::fromUtf8(error.what());
  }
}

/// Whether there is something to take away, which is then up to date, with the context current.
bool Viewport::readyToTake() {
  if (!painter_ || !failure_.isEmpty() || !state_.points.data()) return false;
  makeCurrent();
  uploadFrame();
  uploadGroups();
  state_.centroids.arrive();
  state_.otherCentroids.arrive();
  if (axesGlide_.begun() && state_.points.buffers()) state_.points.setProjection(state_.points.projection());
  axesGlide_.stop();
  renewPosterised();
  return true;
}

std::unique_ptr<ViewPicture> Viewport::beginPicture(const PictureWish& wish) {
  if (!readyToTake()) return nullptr;
  return std::make_unique<ViewPicture>(state_, size(), devicePixelRatioF(), font(),
                                       reportGl(context()).software, wish);
}

bool Viewport::advancePicture(ViewPicture& picture) {
  makeCurrent();
  return picture.advance(state_);
}

void Viewport::endPicture(std::unique_ptr<ViewPicture> picture) {
  makeCurrent();
  picture.reset();
  doneCurrent();
}

QByteArray Viewport::svg(const SvgWish& wish, const SvgPoints* points) {
  if (!whyNoSvg().isEmpty() || !readyToTake()) return {};
  const auto groups = groups_ && !state_.other ? std::span(*groups_) : std::span<const std::int32_t>();
  QByteArray svg = viewSvg(state_, size(), devicePixelRatioF(), font(), groups, points, wish);
  doneCurrent();
  return svg;
}

/// Leaves room for what is written at the top and below a box in space, and notes where that is. The top only
/// grows while the size stays, so that the points stand still.
void Viewport::keepHeadroom() {
  const SharedPointSet& points = state_.points.data();
  if (!points) return;
  constexpr double apart = 4;
  const Drawn drawn = drawn_.total == points->n ? drawn_ : Drawn{.points = points->n, .total = points->n};
  double bottom =
      cornerPlate(font(), width(), drawnTextIn(size(), *points, drawn, projection().get())).bottom();
  state_.covered.clear();
  for (const QLabel* label : findChildren<QLabel*>(Qt::FindDirectChildrenOnly)) {
    if (!label->isVisible()) continue;
    state_.covered.push_back(label->geometry());
    if (label->y() < height() / 2) bottom = std::max(bottom, label->geometry().bottom() + 1.0);
  }
  const CameraView before = state_.camera.view();
  const auto devicePixels = [&](double pixels) {
    return static_cast<int>(std::ceil(pixels * devicePixelRatioF()));
  };
  state_.camera.setFootroom(devicePixels(axisTextsRoom(font())));
  state_.camera.setHeadroom(std::max(devicePixels(bottom + apart), state_.camera.headroom()));
  if (state_.camera.view() == before) return;
  // Queued: it is said in the middle of a paint, whose context must stay current.
  QMetaObject::invokeMethod(this, &Viewport::cameraChanged, Qt::QueuedConnection);
}

void Viewport::uploadFrame() {
  uploadUs_ = 0;
  if (!state_.points.buffers() || state_.points.registered() || !take(Dirty::frame)) return;
  QElapsedTimer timer;
  timer.start();
  state_.points.upload();
  uploadUs_ = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
}

/// On every path: the buffer of groups is never lent, so it can be written while CUDA has the labels.
void Viewport::uploadGroups() {
  if (!state_.points.buffers() || !take(Dirty::groups)) return;
  static_assert(std::is_same_v<Label, std::int32_t>, "labels are uploaded as groups");
  const std::int32_t* groups = groups_ ? groups_->data() : nullptr;
  state_.points.buffers()->setGroups(state_.other ? state_.other->labels->data() : groups);
}

void Viewport::uploadGlide() {
  PointBuffers* buffers = state_.points.buffers();
  if (!buffers) return axesGlide_.stop();
  if (axesGlide_.running())
    buffers->setDrawn(axesGlide_.rows());
  else if (axesGlide_.takeEnd())
    state_.points.setProjection(state_.points.projection());
}

void Viewport::renewPosterised() {
  const SharedPointSet& points = state_.points.data();
  if (!points || !points->colours || !dirty_.testFlag(Dirty::posterised)) return;
  // While a run plays the next result comes soon enough.
  if (playing_ && sincePosterised_.isValid() && sincePosterised_.elapsed() < posterisedMs) return;
  const std::vector<Label> labels = state_.points.labels();
  if (labels.empty()) return;
  state_.posterised = posterise(*points, labels, state_.centroids);
  dirty_.setFlag(Dirty::posterised, false);
  sincePosterised_.start();
}

/// Where the points are that are marked. While a device has the points they stay where they were seen last.
void Viewport::locatePoints() {
  const ShownPoints& points = state_.points;
  if (!points.data() || !points.readable()) return;
  state_.hoveredPosition = state_.hovered ? points.coordinates(*state_.hovered) : std::vector<float>();
  state_.ringed = points.places(ringed_);
}

// --- gestures, and the point under the pointer

void Viewport::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton)
    return gestures_.openMenu(event->position()); // it takes the release
  gestures_.press(event->position(), event->button(), event->modifiers());
  if (gestures_.carrying()) {
    setHovered(std::nullopt); // the point under the centroid that is carried away
    setCursor(Qt::ClosedHandCursor);
  }
}

void Viewport::mouseMoveEvent(QMouseEvent* event) {
  gestures_.move(event->position(), event->buttons(), event->modifiers());
}

void Viewport::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton) return;
  gestures_.release(event->position());
  unsetCursor();
  cameraRests_.start();
  update();
}

void Viewport::mouseDoubleClickEvent(QMouseEvent* event) {
  // Its first click has asked for a centroid.
  if (!(event->modifiers() & Qt::ControlModifier)) gestures_.centreUnderPointer();
}

void Viewport::wheelEvent(QWheelEvent* event) {
  gestures_.turnWheel(event->position(), event->angleDelta().y() / 120.0);
}

void Viewport::leaveEvent(QEvent*) {
  gestures_.leave();
  search_.stop();
  setHovered(std::nullopt);
}

/// Pictures grow again once the camera rests.
void Viewport::cameraMoved() {
  setHovered(std::nullopt);
  search_.stop();
  cameraRests_.start();
  update();
  Q_EMIT cameraChanged();
}

void Viewport::setCentroidText(std::function<QString(int)> text) {
  state_.centroidText = std::move(text);
  update();
}

void Viewport::setPointNote(std::function<QString(std::size_t)> note) {
  state_.pointNote = std::move(note);
  update();
}

void Viewport::setHoveredCentroid(std::optional<int> cluster) {
  if (state_.hoveredCentroid == cluster) return;
  state_.hoveredCentroid = cluster;
  state_.pointer = gestures_.pointer();
  update();
  Q_EMIT centroidPointed(cluster);
}

void Viewport::setHovered(std::optional<std::size_t> point) {
  setHoveredCentroid(std::nullopt);
  dirty_.setFlag(Dirty::point, false);
  state_.pointer = gestures_.pointer();
  if (state_.hovered == point) return;
  state_.hovered = point;
  state_.hoveredPosition.clear();
  update();
  Q_EMIT pointed(point);
}

void Viewport::inspect(QPointF at) {
  ShownPoints& points = state_.points;
  if (!points.data() || !isValid() || !rect().contains(at.toPoint())) return;
  // A centroid lies above all points.
  if (const auto cluster = state_.centroidText ? gestures_.centroidAt(at) : std::nullopt) {
    setHovered(std::nullopt);
    search_.stop();
    return setHoveredCentroid(cluster);
  }
  const double ratio = devicePixelRatioF();
  const glm::dvec2 pixel(at.x() * ratio, at.y() * ratio);
  const PickSource source = points.hostPositions();
  if (source.values) {
    search_.start(
        {source, state_.camera.view(), pixel, reachPixels * ratio, state_.other ? nullptr : groups_});
  } else if (points.readable()) {
    search_.stop();
    makeCurrent();
    const auto found = points.nearest(state_.camera.view(), pixel, reachPixels * ratio);
    doneCurrent();
    setHovered(found);
  } else {
    dirty_ |= Dirty::point;
  }
}

} // namespace lloyd

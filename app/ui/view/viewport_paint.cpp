// SPDX-License-Identifier: GPL-3.0-or-later
// What happens in one paint of the viewport.
#include "app/render/camera/bounds.hpp"
#include "app/ui/view/overlay.hpp"
#include "app/ui/view/point_tooltip.hpp"
#include "app/ui/view/viewport.hpp"

#include <QOpenGLPaintDevice>
#include <QPainter>

#include <span>
#include <stdexcept>
#include <type_traits>

namespace lloyd {

namespace {

constexpr int posterisedMs = 200; ///< between two pictures of a photograph

} // namespace

void Viewport::resizeGL(int, int) {
  const double ratio = devicePixelRatioF();
  camera_.setViewport(static_cast<int>(width() * ratio), static_cast<int>(height() * ratio));
  gestures_.setPixelRatio(ratio);
}

void Viewport::uploadFrame() {
  uploadUs_ = 0;
  if (!frameDue_ || !buffers_ || registered_) return;
  frameDue_ = false;
  if (!frame_.labels || frame_.labels->size() != buffers_->size()) return;
  QElapsedTimer timer;
  timer.start();
  buffers_->upload({frame_.labels->data(), LabelWidth::four},
                   frame_.positions ? frame_.positions->data() : nullptr, frame_.stride);
  uploadUs_ = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
}

/// On every path: the buffer of groups is never lent, so it can be written while CUDA has the labels.
void Viewport::uploadGroups() {
  if (!groupsDue_ || !buffers_) return;
  groupsDue_ = false;
  static_assert(std::is_same_v<Label, std::int32_t>, "labels are uploaded as groups");
  if (other_)
    buffers_->setGroups(other_->labels->data());
  else
    buffers_->setGroups(groups_ ? groups_->data() : nullptr);
}

void Viewport::paintGL() {
  if (!scene_) return;
  try {
    uploadFrame();
    uploadGroups();
    QElapsedTimer timer;
    timer.start();
    paintScene();
    paintOverlay();
    paintUs_ = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
  } catch (const std::exception& error) {
    if (failure_.isEmpty()) Q_EMIT failed(QString::fromUtf8(error.what()));
    failure_ = QString::fromUtf8(error.what());
  }
}

Scene Viewport::sceneOf(const std::vector<glm::dvec3>& centroids) {
  Scene scene;
  scene.points = buffers_.get();
  scene.camera = &camera_;
  scene.theme = dark_ ? Theme::dark : Theme::light;
  scene.colours = colours_;
  scene.groupColours = groupColours_;
  scene.centroids = centroids;
  scene.trails = trails_ ? &track_.trails() : nullptr;
  scene.moving = playing_ || gestures_.dragging() || cameraRests_.isActive();
  scene.pixelRatio = devicePixelRatioF();
  scene.sizeFactor = sizeFactor_;
  if (hovered_) {
    const PickSource source = pickSource();
    if (source.values && *hovered_ < source.n) {
      scene.hovered = drawnPosition(source.values, *hovered_, source.d, source.stride);
    }
  }
  return scene;
}

void Viewport::paintScene() {
  const std::vector<glm::dvec3> centroids = track_.positions();
  const std::vector<glm::dvec3> ringed = ringedPositions();
  Scene scene = sceneOf(centroids);
  scene.rings = ringed;
  scene.ringColour = ringColour_;
  if (other_) {
    scene.byLabels = true;
    scene.columns = glm::ivec2(0, dividerPixel());
  }
  drawn_ = scene_->render(scene, defaultFramebufferObject());
  if (other_) {
    paintOther(scene, dividerPixel());
  } else {
    otherScene_.reset();
  }
}

void Viewport::paintOverlay() {
  if (!data_) return;
  renewPosterised();
  OverlayContent content;
  content.data = data_.get();
  content.camera = &camera_;
  content.pixelRatio = devicePixelRatioF();
  content.centroids = projectCentroids(camera_, track_.positions());
  content.colours = colours_;
  content.drawn = drawn_;
  content.selected = gestures_.selected();
  content.posterised = posterised_;
  for (int c = 0; c < track_.clusters(); ++c)
    content.empty.push_back(track_.empty(c));
  const double ratio = devicePixelRatioF();
  if (hovered_) {
    const PickSource source = pickSource();
    content.hoverText = pointText(*data_, source, *hovered_, labelOf(*hovered_), track_);
    content.hoverAt = gestures_.pointer();
    if (hoveredElsewhere_ && source.values) {
      const auto at = camera_.project(drawnPosition(source.values, *hovered_, source.d, source.stride));
      content.hoverAt = at ? QPointF(at->x / ratio, at->y / ratio) : QPointF();
    }
  }
  // Not on the widget: while a picture of the window is grabbed, painting on a widget goes to that picture
  // and is covered by the points. This paints into the framebuffer that is bound, whichever it is.
  QOpenGLPaintDevice device(QSize(width(), height()) * ratio);
  device.setDevicePixelRatio(ratio);
  QPainter painter(&device);
  painter.setFont(font());
  if (!other_) return Overlay::paint(painter, size(), content);
  const double divider = dividerPixel() / ratio;
  painter.setClipRect(QRectF(0, 0, divider, height()));
  Overlay::paint(painter, size(), content);
  content.centroids = projectCentroids(camera_, otherTrack_.positions());
  content.colours = other_->colours;
  content.selected.reset();
  content.empty.clear();
  for (int c = 0; c < otherTrack_.clusters(); ++c)
    content.empty.push_back(otherTrack_.empty(c));
  if (hovered_)
    content.hoverText = pointText(*data_, pickSource(), *hovered_, (*other_->labels)[*hovered_], otherTrack_);
  painter.setClipRect(QRectF(divider, 0, width() - divider, height()));
  Overlay::paint(painter, size(), content);
}

void Viewport::renewPosterised() {
  if (!data_->colours || !posterisedDue_) return;
  if (sincePosterised_.isValid() && sincePosterised_.elapsed() < posterisedMs) {
    if (playing_) return; // the next result comes soon enough
  }
  std::vector<Label> read;
  std::span<const Label> labels;
  if (frame_.labels) labels = {frame_.labels->data(), frame_.labels->size()};
  if (registered_ && buffers_ && !registered_->mapped()) {
    read = readLabels(*buffers_);
    labels = read;
  }
  if (labels.empty()) return;
  posterised_ = posterise(*data_, labels, track_);
  posterisedDue_ = false;
  sincePosterised_.start();
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// What happens in one paint of the viewport.
#include "app/render/bounds.hpp"
#include "app/ui/overlay.hpp"
#include "app/ui/point_text.hpp"
#include "app/ui/viewport.hpp"

#include <QOpenGLPaintDevice>
#include <QPainter>

#include <span>
#include <stdexcept>

namespace lloyd {

namespace {

constexpr int posterisedMs = 200; ///< between two pictures of a photograph

} // namespace

void Viewport::resizeGL(int, int) {
  const double ratio = devicePixelRatioF();
  camera_.setViewport(static_cast<int>(width() * ratio), static_cast<int>(height() * ratio));
}

void Viewport::uploadFrame() {
  uploadUs_ = 0;
  if (!frameDue_ || !buffers_ || registered_) return;
  frameDue_ = false;
  if (!frame_.labels || frame_.labels->size() != buffers_->size()) return;
  QElapsedTimer timer;
  timer.start();
  buffers_->upload(frame_.labels->data(), frame_.positions ? frame_.positions->data() : nullptr,
                   frame_.stride);
  uploadUs_ = static_cast<double>(timer.nsecsElapsed()) / 1000.0;
}

/// On every path: the buffer of groups is never lent, so it can be written while CUDA has the labels.
void Viewport::uploadGroups() {
  if (!groupsDue_ || !buffers_) return;
  groupsDue_ = false;
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

void Viewport::paintScene() {
  Scene scene;
  const std::vector<glm::dvec3> centroids = track_.positions();
  scene.points = buffers_.get();
  scene.camera = &camera_;
  scene.theme = dark_ ? Theme::dark : Theme::light;
  scene.colours = colours_;
  scene.groupColours = groupColours_;
  scene.centroids = centroids;
  scene.trails = trails_ ? &track_.trails() : nullptr;
  scene.moving = playing_ || moves_.dragging() || cameraRests_.isActive();
  scene.pixelRatio = devicePixelRatioF();
  scene.sizeFactor = sizeFactor_;
  if (hovered_) {
    const PickSource source = pickSource();
    if (source.values && *hovered_ < source.n) {
      scene.hovered = drawnPosition(source.values, *hovered_, source.d, source.stride);
    }
  }
  drawn_ = scene_->render(scene, defaultFramebufferObject());
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
  content.selected = selected_;
  content.posterised = posterised_;
  for (int c = 0; c < track_.clusters(); ++c)
    content.empty.push_back(track_.empty(c));
  if (hovered_) {
    content.hoverText = pointText(*data_, pickSource(), *hovered_, labelOf(*hovered_), track_);
    content.hoverAt = pointer_;
  }
  // Not on the widget: while a picture of the window is grabbed, painting on a widget goes to that picture
  // and is covered by the points. This paints into the framebuffer that is bound, whichever it is.
  const double ratio = devicePixelRatioF();
  QOpenGLPaintDevice device(QSize(width(), height()) * ratio);
  device.setDevicePixelRatio(ratio);
  QPainter painter(&device);
  painter.setFont(font());
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_painter.hpp"

#include "app/ui/view/overlay.hpp"

#include <QOpenGLPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

/// What is written over one of the runs: its centroids, and of the hovered point its label there.
void describeRun(OverlayContent& content, const ViewState& state, const CentroidTrails& centroids,
                 const std::vector<Rgb>& colours, Label hovered) {
  content.centroids = projectCentroids(state.camera, centroids.positions());
  content.colours = colours;
  content.empty.clear();
  for (int c = 0; c < centroids.clusters(); ++c)
    content.empty.push_back(centroids.empty(c));
  if (state.hovered)
    content.hoverText =
        pointText(*state.points.data(), state.hoveredPosition, *state.hovered, hovered, centroids);
}

void paintOverlay(QPainter& painter, const ViewState& state, QSize size, double divider,
                  OverlayContent& content) {
  const Label label = state.hovered ? state.points.label(*state.hovered) : -1;
  describeRun(content, state, state.centroids, state.colours, label);
  content.selected = state.selected;
  if (!state.other) return Overlay::paint(painter, size, content);
  painter.setClipRect(QRectF(0, 0, divider, size.height()));
  Overlay::paint(painter, size, content);
  const Label other = state.hovered ? (*state.other->labels)[*state.hovered] : -1;
  describeRun(content, state, state.otherCentroids, state.other->colours, other);
  content.selected.reset();
  painter.setClipRect(QRectF(divider, 0, size.width() - divider, size.height()));
  Overlay::paint(painter, size, content);
}

} // namespace

ViewPainter::ViewPainter(bool software)
    : budget_(software ? ProgressiveView::kSoftwareBudget : ProgressiveView::kEverything), scene_(budget_) {}

Drawn ViewPainter::paint(const ViewState& state, GLuint framebuffer, QSize size, double ratio,
                         const QFont& font) {
  const auto devicePixels = [&](double share) {
    return static_cast<int>(std::lround(share * size.width() * ratio));
  };
  const int divider = devicePixels(state.divider);
  const Drawn drawn = drawScenes(state, framebuffer, devicePixels(1), divider, ratio);
  if (!state.points.data()) return drawn;
  OverlayContent content;
  content.data = state.points.data().get();
  content.projection = state.points.projection().get();
  content.camera = &state.camera;
  content.pixelRatio = ratio;
  content.drawn = drawn;
  content.posterised = state.posterised;
  content.covered = state.covered;
  if (state.pointer) {
    content.hoverAt = *state.pointer;
  } else if (state.hovered && !state.hoveredPosition.empty()) {
    const auto at = state.camera.project(state.points.drawnAt(*state.hovered, state.hoveredPosition));
    if (at) content.hoverAt = QPointF(at->x, at->y) / ratio;
  }
  // Not on the widget: while a picture of the window is grabbed, painting on a widget goes to that picture
  // and is covered by the points. This paints into the framebuffer that is bound, whichever it is.
  QOpenGLPaintDevice device(size * ratio);
  device.setDevicePixelRatio(ratio);
  QPainter painter(&device);
  painter.setFont(font);
  paintOverlay(painter, state, size, divider / ratio, content);
  return drawn;
}

Drawn ViewPainter::drawScenes(const ViewState& state, GLuint framebuffer, int width, int divider,
                              double ratio) {
  const std::vector<glm::dvec3> centroids = state.centroids.positions();
  Scene scene;
  scene.points = state.points.buffers();
  scene.camera = &state.camera;
  scene.theme = state.dark ? Theme::dark : Theme::light;
  scene.colours = state.colours;
  scene.groupColours = state.groupColours;
  scene.centroids = centroids;
  scene.trails = state.trails ? &state.centroids.trails() : nullptr;
  if (state.hovered && !state.hoveredPosition.empty())
    scene.hovered = state.points.drawnAt(*state.hovered, state.hoveredPosition);
  scene.rings = state.ringed;
  scene.ringColour = state.ringColour;
  scene.moving = state.moving;
  scene.pixelRatio = ratio;
  scene.sizeFactor = state.sizeFactor;
  if (!state.other) {
    otherScene_.reset();
    return scene_.render(scene, framebuffer);
  }
  scene.byLabels = true;
  scene.columns = glm::ivec2(0, divider);
  Drawn drawn = scene_.render(scene, framebuffer);
  // The right half: the same points and camera, in the colours of the other run, whose labels are groups.
  if (!otherScene_) otherScene_ = std::make_unique<SceneRenderer>(budget_);
  const std::vector<glm::dvec3> otherCentroids = state.otherCentroids.positions();
  scene.byLabels = false;
  scene.groupColours = state.other->colours;
  scene.colours = state.other->colours;
  scene.centroids = otherCentroids;
  scene.trails = state.trails ? &state.otherCentroids.trails() : nullptr;
  scene.columns = glm::ivec2(divider, width);
  drawn.points = std::min(drawn.points, otherScene_->render(scene, framebuffer).points);
  return drawn;
}

} // namespace lloyd

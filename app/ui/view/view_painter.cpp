// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/view_painter.hpp"

#include "app/ui/view/overlay.hpp"

#include <QOpenGLPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

int dividerPixels(const ViewState& state, const ViewCanvas& canvas) {
  return static_cast<int>(std::lround(state.divider * canvas.size.width() * canvas.ratio));
}

/// What is written over one of the runs: its centroids, and of the hovered point its label there.
void describeRun(OverlayContent& content, const ViewState& state, const CentroidTrails& centroids,
                 const std::vector<Rgb>& colours, Label hovered) {
  content.centroids = projectCentroids(*content.camera, centroids.positions(), content.enlarged);
  for (std::size_t c = 0; c < content.centroids.size(); ++c)
    if (!centroids.shows(c)) content.centroids[c].reset();
  content.colours = colours;
  content.empty.clear();
  for (int c = 0; c < centroids.clusters(); ++c)
    content.empty.push_back(centroids.empty(c));
  if (!state.hovered) return;
  content.hoverText =
      pointText(*state.points.data(), state.hoveredPosition, *state.hovered, hovered, centroids);
  const QString note = state.pointNote ? state.pointNote(*state.hovered) : QString();
  if (!note.isEmpty()) content.hoverText += QLatin1Char('\n') + note;
}

void paintOverlay(QPainter& painter, const ViewState& state, QSize size, double divider,
                  OverlayContent& content) {
  const Label label = state.hovered ? state.points.label(*state.hovered) : -1;
  describeRun(content, state, state.centroids, state.colours, label);
  content.selected = state.selected;
  const auto pointed = state.hoveredCentroid;
  if (pointed && *pointed < state.centroids.clusters() && state.centroidText)
    content.hoverText = state.centroidText(*pointed);
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

bool showsRegions(const ViewState& state) {
  const auto& data = state.points.data();
  const auto& projection = state.points.projection();
  return state.regions && data &&
         whyNoRegions(data->d, projection ? projection->projection.axes() : Axes{}).empty();
}

ViewPainter::ViewPainter(bool software)
    : budget_(software ? ProgressiveView::kSoftwareBudget : ProgressiveView::kEverything), scene_(budget_) {}

Drawn ViewPainter::paint(const ViewState& state, GLuint framebuffer, QSize size, double ratio,
                         const QFont& font) {
  ViewCanvas canvas;
  canvas.size = size;
  canvas.ratio = ratio;
  const Drawn drawn = drawScenes(state, state.camera, framebuffer, canvas);
  if (!state.points.data()) return drawn;
  // Not on the widget: while a picture of the window is grabbed, painting on a widget goes to that picture
  // and is covered by the points. This paints into the framebuffer that is bound, whichever it is.
  QOpenGLPaintDevice device(size * ratio);
  device.setDevicePixelRatio(ratio);
  QPainter painter(&device);
  painter.setFont(font);
  write(painter, state, state.camera, canvas, drawn);
  return drawn;
}

void ViewPainter::write(QPainter& painter, const ViewState& state, const Camera& camera,
                        const ViewCanvas& canvas, const Drawn& drawn) {
  OverlayContent content;
  content.data = state.points.data().get();
  content.projection = state.points.projection().get();
  content.camera = &camera;
  content.pixelRatio = canvas.ratio;
  content.enlarged = canvas.enlarged;
  content.drawn = drawn;
  content.posterised = state.posterised;
  content.covered = state.covered;
  content.transparent = canvas.transparent;
  // A window has it in its panel, and a picture has no panel.
  if (canvas.atOnce && !state.other && !state.key.empty()) content.key = &state.key;
  if (state.pointer) {
    content.hoverAt = *state.pointer;
  } else if (state.hovered && !state.hoveredPosition.empty()) {
    const auto at = camera.project(state.points.drawnAt(*state.hovered, state.hoveredPosition));
    if (at) content.hoverAt = QPointF(at->x, at->y) / canvas.ratio;
  }
  const double divider = dividerPixels(state, canvas) / canvas.ratio;
  paintOverlay(painter, state, canvas.size, divider, content);
  if (!state.other || !canvas.atOnce) return; // the window has a handle there
  painter.setClipping(false);
  QColor strong = state.dark ? QColor(255, 255, 255) : QColor(20, 22, 26);
  strong.setAlphaF(0.6F);
  painter.setPen(QPen(strong, 1.5 * canvas.enlarged));
  painter.drawLine(QPointF(divider, 0), QPointF(divider, canvas.size.height()));
}

Drawn ViewPainter::drawScenes(const ViewState& state, const Camera& camera, GLuint framebuffer,
                              const ViewCanvas& canvas) {
  const std::vector<glm::dvec3> centroids = state.centroids.positions();
  Scene scene;
  scene.points = state.points.buffers();
  scene.camera = &camera;
  scene.theme = state.dark ? Theme::dark : Theme::light;
  scene.colours = state.colours;
  scene.groupColours = state.groupColours;
  scene.centroids = centroids;
  scene.trails = state.trails ? &state.centroids.trails() : nullptr;
  scene.alone = state.centroids.alone();
  scene.regions = showsRegions(state);
  if (state.hovered && !state.hoveredPosition.empty())
    scene.hovered = state.points.drawnAt(*state.hovered, state.hoveredPosition);
  scene.rings = state.ringed;
  scene.ringColour = state.ringColour;
  scene.moving = state.moving;
  scene.pixelRatio = canvas.ratio;
  scene.sizeFactor = state.sizeFactor;
  scene.enlarged = canvas.enlarged;
  scene.part = canvas.part;
  scene.transparent = canvas.transparent;
  scene.pointsAlone = canvas.pointsAlone;
  scene.atOnce = canvas.atOnce;
  if (!state.other) {
    otherScene_.reset();
    Drawn drawn = scene_.render(scene, framebuffer);
    drawn.hidden = state.hidden;
    return drawn;
  }
  const int left = canvas.part ? canvas.part->topLeft.x : 0;
  const int width = canvas.part ? canvas.part->size.x : camera.view().viewport.x;
  const int divider = std::clamp(dividerPixels(state, canvas) - left, 0, width);
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
  scene.alone = state.otherCentroids.alone();
  scene.columns = glm::ivec2(divider, width);
  drawn.points = std::min(drawn.points, otherScene_->render(scene, framebuffer).points);
  return drawn;
}

} // namespace lloyd

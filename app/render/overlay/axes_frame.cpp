// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/axes_frame.hpp"

#include "app/plot/plot_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

constexpr double kPixelsPerTick = 110;

int tickCount(double pixels, double pixelRatio) {
  return std::clamp(static_cast<int>(pixels / (kPixelsPerTick * pixelRatio)), 2, 12);
}

// Pixels at the ends of a flat axis whose numbers give way: to the names of both axes, to the plate in the
// upper left corner, and to the edge of the view.
constexpr double kLeft = 30, kRight = 40, kBottom = 12, kTop = 64;

/// Of an axis so many device pixels long, with ends of so many pixels.
std::vector<PlotTick> ticksOf(double low, double high, double pixels, double pixelRatio, double atLow = 0,
                              double atHigh = 0) {
  const auto part = [&](double end) { return pixels > 0 ? std::min(0.4, end * pixelRatio / pixels) : 0; };
  return PlotAxis{.low = low, .high = high, .unsureLow = part(atLow), .unsureHigh = part(atHigh)}.ticksFor(
      tickCount(pixels, pixelRatio));
}

AxesFrame flatFrame(const Camera& camera, double pixelRatio) {
  AxesFrame frame;
  const glm::dvec2 size(camera.view().viewport);
  const glm::dvec3 low = camera.unproject({0, size.y});
  const glm::dvec3 high = camera.unproject({size.x, 0});
  for (const PlotTick& tick : ticksOf(low.x, high.x, size.x, pixelRatio, kLeft, kRight)) {
    const auto at = camera.project({tick.value, low.y, 0});
    if (!at) continue;
    const double x = std::floor(at->x) + 0.5;
    frame.lines.push_back({{x, 0}, {x, size.y}, tick.value == 0});
    frame.labels.push_back({{x, size.y}, 0, tick.label.toStdString(), {0, -1}});
  }
  for (const PlotTick& tick : ticksOf(low.y, high.y, size.y, pixelRatio, kBottom, kTop)) {
    const auto at = camera.project({low.x, tick.value, 0});
    if (!at) continue;
    const double y = std::floor(at->y) + 0.5;
    frame.lines.push_back({{0, y}, {size.x, y}, tick.value == 0});
    frame.labels.push_back({{0, y}, 1, tick.label.toStdString(), {1, 0}});
  }
  return frame;
}

/// The box of the data as it is drawn: flat sides get the camera's own width.
class Box {
public:
  explicit Box(const Camera& camera)
      : view_(camera.view()), bounds_(camera.bounds()), eye_(camera.towardsEye()) {
    for (int axis = 0; axis < 3; ++axis)
      far_[axis] = eye_[axis] > 0 ? bounds_.low[axis] : bounds_.high[axis];
    near_ = bounds_.low + bounds_.high - far_;
  }

  [[nodiscard]] bool flat(int axis) const { return !(bounds_.high[axis] > bounds_.low[axis]); }
  [[nodiscard]] double low(int axis) const { return bounds_.low[axis]; }
  [[nodiscard]] double high(int axis) const { return bounds_.high[axis]; }
  [[nodiscard]] glm::dvec3 far() const { return far_; }
  [[nodiscard]] glm::dvec3 near() const { return near_; }
  [[nodiscard]] double near(int axis) const { return near_[axis]; }
  [[nodiscard]] double far(int axis) const { return far_[axis]; }
  [[nodiscard]] std::optional<glm::dvec2> project(glm::dvec3 position) const {
    return projectToPixel(view_, position);
  }

private:
  CameraView view_;
  Bounds bounds_;
  glm::dvec3 eye_;
  glm::dvec3 far_{0}, near_{0};
};

void addLine(AxesFrame& frame, const Box& box, glm::dvec3 from, glm::dvec3 to, bool strong) {
  const auto a = box.project(from);
  const auto b = box.project(to);
  if (a && b) frame.lines.push_back({*a, *b, strong});
}

/// The numbers of one axis stand along the edge where a far side meets a near one: the silhouette, clear of
/// the points.
void addAxis(AxesFrame& frame, const Box& box, int axis, double pixelRatio) {
  const int other = axis == 2 ? 0 : 1 - axis;
  const int third = 3 - axis - other;
  // For the two lower axes the edge lies at the bottom, if it is the bottom that is seen from above.
  glm::dvec3 edge = box.far();
  if (axis == 2) {
    // Of the two upright edges between a far and a near side, the one further left.
    glm::dvec3 first = box.far(), second = box.far();
    first[0] = box.near(0);
    second[1] = box.near(1);
    const auto a = box.project(first);
    const auto b = box.project(second);
    edge = a && b && a->x < b->x ? first : second;
  } else {
    edge[other] = box.near(other);
  }
  glm::dvec3 from = edge, to = edge;
  from[axis] = box.low(axis);
  to[axis] = box.high(axis);
  const auto a = box.project(from);
  const auto b = box.project(to);
  const auto centre = box.project((box.far() + box.near()) / 2.0);
  if (!a || !b || !centre) return;
  const double pixels = glm::length(*b - *a);
  if (pixels < 24 * pixelRatio) return; // seen end on
  glm::dvec2 towards = (*a + *b) / 2.0 - *centre;
  const double away = glm::length(towards);
  towards = away > 1e-9 ? towards / away : glm::dvec2(0, 1);

  for (const PlotTick& tick : ticksOf(box.low(axis), box.high(axis), pixels, pixelRatio)) {
    glm::dvec3 at = edge;
    at[axis] = tick.value;
    if (const auto pixel = box.project(at))
      frame.labels.push_back({*pixel, axis, tick.label.toStdString(), towards});
    // On the two far sides that this axis runs along.
    for (const int along : {other, third}) {
      glm::dvec3 begin = box.far(), end = box.far();
      begin[axis] = end[axis] = tick.value;
      begin[along] = box.low(along);
      end[along] = box.high(along);
      addLine(frame, box, begin, end, false);
    }
  }
  frame.labels.push_back({(*a + *b) / 2.0, axis, {}, towards});
}

void addNearSide(AxesFrame& frame, const Box& box, int axis) {
  const int other = (axis + 1) % 3;
  const int third = (axis + 2) % 3;
  std::array<glm::dvec2, 4> side;
  for (int corner = 0; corner < 4; ++corner) {
    glm::dvec3 at = box.near();
    if (corner == 1 || corner == 2) at[other] = box.far(other);
    if (corner >= 2) at[third] = box.far(third);
    const auto pixel = box.project(at);
    if (!pixel) return;
    side[static_cast<std::size_t>(corner)] = *pixel;
  }
  frame.nearSides.push_back(side);
}

AxesFrame boxFrame(const Camera& camera, double pixelRatio) {
  AxesFrame frame;
  const Box box(camera);
  // The nine edges of the three far sides.
  for (int axis = 0; axis < 3; ++axis) {
    const int other = (axis + 1) % 3;
    const int third = (axis + 2) % 3;
    for (int corner = 0; corner < 3; ++corner) {
      glm::dvec3 from = box.far();
      if (corner == 1) from[other] = box.near(other);
      if (corner == 2) from[third] = box.near(third);
      glm::dvec3 to = from;
      from[axis] = box.low(axis);
      to[axis] = box.high(axis);
      addLine(frame, box, from, to, true);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!box.flat(axis)) addAxis(frame, box, axis, pixelRatio);
    addNearSide(frame, box, axis);
  }
  return frame;
}

} // namespace

AxesFrame axesFrame(const Camera& camera, double pixelRatio) {
  pixelRatio = pixelRatio > 0 ? pixelRatio : 1;
  return camera.dimensions() < 3 ? flatFrame(camera, pixelRatio) : boxFrame(camera, pixelRatio);
}

} // namespace lloyd

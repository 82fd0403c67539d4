// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/axes_frame.hpp"

#include "app/plot/plot_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

constexpr double kPixelsPerTick = 110;

int tickCount(double pixels, double pixelRatio) {
  return std::clamp(static_cast<int>(pixels / (kPixelsPerTick * pixelRatio)), 2, 12);
}

// Pixels at the ends of a flat axis whose numbers give way: to the names of both axes, and to the edge of the
// view. At the top the words in the corner come first.
constexpr double kLeft = 30, kRight = 40, kBottom = 30, kTop = 24;

constexpr double kShort = 40; ///< pixels of an axis in space that are few for its numbers
constexpr double kEdge = 4;   ///< pixels from the edge of a view in space within which no tick is numbered

/// A tick, and where it is along its axis.
struct AxisTick {
  double position = 0;
  bool zero = false; ///< its number is 0
  std::string label;
};

/// Between two positions on an axis so many device pixels long, with ends of so many pixels. The numbers are
/// round, wherever that is.
std::vector<AxisTick> ticksOf(const AxisFigures& figures, double low, double high, double pixels,
                              double pixelRatio, double atLow = 0, double atHigh = 0) {
  const auto part = [&](double end) { return pixels > 0 ? std::min(0.4, end * pixelRatio / pixels) : 0; };
  std::vector<AxisTick> ticks;
  for (const PlotTick& tick : PlotAxis{.low = figures.at(low),
                              .high = figures.at(high),
                              .unsureLow = part(atLow),
                              .unsureHigh = part(atHigh)}
                                  .ticksFor(tickCount(pixels, pixelRatio)))
    ticks.push_back({figures.position(tick.value), tick.value == 0, tick.label.toStdString()});
  return ticks;
}

AxesFrame flatFrame(const Camera& camera, double pixelRatio) {
  AxesFrame frame;
  const glm::dvec2 size(camera.view().viewport);
  const glm::dvec3 low = camera.unproject({0, size.y});
  const glm::dvec3 high = camera.unproject({size.x, 0});
  for (const AxisTick& tick : ticksOf(camera.figures(0), low.x, high.x, size.x, pixelRatio, kLeft, kRight)) {
    const auto at = camera.project({tick.position, low.y, 0});
    if (!at) continue;
    const double x = std::floor(at->x) + 0.5;
    frame.lines.push_back({{x, 0}, {x, size.y}, tick.zero});
    frame.labels.push_back({{x, size.y}, 0, tick.label, {0, -1}});
  }
  const double top = kTop + camera.headroom() / pixelRatio;
  for (const AxisTick& tick : ticksOf(camera.figures(1), low.y, high.y, size.y, pixelRatio, kBottom, top)) {
    const auto at = camera.project({low.x, tick.position, 0});
    if (!at) continue;
    const double y = std::floor(at->y) + 0.5;
    frame.lines.push_back({{0, y}, {size.x, y}, tick.zero});
    frame.labels.push_back({{0, y}, 1, tick.label, {1, 0}});
  }
  return frame;
}

/// The box of the data as it is drawn: flat sides get the camera's own width.
class Box {
public:
  Box(const Camera& camera, double pixelRatio)
      : view_(camera.view()), bounds_(camera.bounds()), eye_(camera.towardsEye()) {
    const glm::dvec2 size(view_.viewport);
    const double top = std::min(static_cast<double>(camera.headroom()), size.y / 2);
    const glm::dvec2 edge = glm::min(glm::dvec2(kEdge * pixelRatio), size / 8.0);
    least_ = 2.0 * edge / size - 1.0;
    most_ = 1.0 - 2.0 * (edge + glm::dvec2(0, top)) / size;
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
  [[nodiscard]] glm::dvec2 viewport() const { return view_.viewport; }

  /// Which part of the way from one place to another is in the view, below its words at the top: a range
  /// within 0 to 1.
  [[nodiscard]] std::optional<std::pair<double, double>> seenPart(glm::dvec3 from, glm::dvec3 to) const {
    const glm::dvec4 a = view_.clipFromOffset * glm::dvec4(from - view_.origin, 1);
    const glm::dvec4 b = view_.clipFromOffset * glm::dvec4(to - view_.origin, 1);
    const glm::dvec4 planes[] = {{1, 0, 0, -least_.x}, {-1, 0, 0, most_.x}, {0, 1, 0, -least_.y},
                                 {0, -1, 0, most_.y},  {0, 0, 1, 1},        {0, 0, -1, 1}};
    double first = 0, last = 1;
    for (const glm::dvec4& plane : planes) {
      const double begin = glm::dot(a, plane);
      const double end = glm::dot(b, plane);
      if (begin < 0 && end < 0) return std::nullopt;
      if (begin < 0) first = std::max(first, begin / (begin - end));
      if (end < 0) last = std::min(last, begin / (begin - end));
    }
    return first < last ? std::optional(std::pair(first, last)) : std::nullopt;
  }

  /// Places on the far side across an axis that are in the view, spread over it.
  [[nodiscard]] std::vector<glm::dvec3> seenOfFarSide(int axis) const {
    std::vector<glm::dvec3> places;
    const glm::dmat4 offsetFromClip = glm::inverse(view_.clipFromOffset);
    constexpr int steps = 6;
    for (int column = 0; column <= steps; ++column) {
      for (int row = 0; row <= steps; ++row) {
        const glm::dvec2 part = 0.05 + 0.9 * glm::dvec2(column, row) / static_cast<double>(steps);
        const glm::dvec2 clip = glm::mix(least_, most_, part);
        const glm::dvec4 front = offsetFromClip * glm::dvec4(clip, -1, 1);
        const glm::dvec4 back = offsetFromClip * glm::dvec4(clip, 1, 1);
        const glm::dvec3 begin = glm::dvec3(front) / front.w;
        const glm::dvec3 way = glm::dvec3(back) / back.w - begin;
        const double at = (far_[axis] - view_.origin[axis] - begin[axis]) / way[axis];
        if (!(at >= 0 && at <= 1)) continue;
        glm::dvec3 place = view_.origin + begin + at * way;
        place[axis] = far_[axis];
        if (glm::all(glm::greaterThanEqual(place, bounds_.low)) &&
            glm::all(glm::lessThanEqual(place, bounds_.high)))
          places.push_back(place);
      }
    }
    return places;
  }

private:
  CameraView view_;
  Bounds bounds_;
  glm::dvec3 eye_;
  glm::dvec2 least_{-1}, most_{1}; ///< clip coordinates of where numbers can stand
  glm::dvec3 far_{0}, near_{0};
};

void addLine(AxesFrame& frame, const Box& box, glm::dvec3 from, glm::dvec3 to, bool strong) {
  const auto a = box.project(from);
  const auto b = box.project(to);
  if (a && b) frame.lines.push_back({*a, *b, strong});
}

/// A line across the box along one axis, and what is seen of it.
struct Scale {
  glm::dvec3 edge{0};       ///< a place on it
  double low = 0, high = 0; ///< of its values that are in the view
  double pixels = 0;        ///< between those
  glm::dvec2 middle{0};
  glm::dvec2 towards{0, 1}; ///< away from what is drawn
  double out = 0;           ///< from the middle of the view to its edge: 0 to 0.5
};

/// Of the line through edge along the axis. middle: of what is drawn; none: that of the view.
Scale seenScale(const Box& box, glm::dvec3 edge, int axis, std::optional<glm::dvec2> middle) {
  Scale scale{.edge = edge};
  glm::dvec3 first = edge, last = edge;
  first[axis] = box.low(axis);
  last[axis] = box.high(axis);
  const auto part = box.seenPart(first, last);
  if (!part) return scale;
  scale.low = std::lerp(first[axis], last[axis], part->first);
  scale.high = std::lerp(first[axis], last[axis], part->second);
  first[axis] = scale.low;
  last[axis] = scale.high;
  const auto from = box.project(first);
  const auto to = box.project(last);
  if (!from || !to) return scale;
  const glm::dvec2 view = box.viewport();
  scale.middle = (*from + *to) / 2.0;
  scale.pixels = glm::length(*to - *from);
  scale.out = std::max(std::abs(scale.middle.x / view.x - 0.5), std::abs(scale.middle.y / view.y - 0.5));
  const glm::dvec2 away = scale.middle - middle.value_or(view / 2.0);
  if (glm::length(away) > 1e-9) scale.towards = away / glm::length(away);
  return scale;
}

/// Where the numbers of an axis stand: along the edge where a far side meets a near one, the silhouette,
/// clear of the points. Where that is short, or a close view shows too little of it, along another
/// edge or a line of a far side.
Scale scaleOf(const Box& box, int axis, double pixelRatio) {
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
  const auto middle = box.project((box.far() + box.near()) / 2.0);
  const Scale best = seenScale(box, edge, axis, middle);
  std::vector<Scale> lines;
  double longest = 0;
  const auto add = [&](glm::dvec3 at, std::optional<glm::dvec2> from) {
    longest = std::max(longest, lines.emplace_back(seenScale(box, at, axis, from)).pixels);
  };
  for (const int side : {other, third})
    for (const glm::dvec3& seen : box.seenOfFarSide(side))
      add(seen, std::nullopt);
  for (const glm::dvec3& one : {box.far(), box.near()})
    for (const glm::dvec3& two : {box.far(), box.near()}) {
      edge[other] = one[other];
      edge[third] = two[third];
      add(edge, middle);
    }
  if (best.pixels >= std::min(longest, std::max(0.5 * longest, kShort * pixelRatio))) return best;
  // Of those that show most the one farthest out.
  std::erase_if(lines, [&](const Scale& line) { return line.pixels < 0.75 * longest; });
  return *std::ranges::max_element(lines, {}, &Scale::out);
}

void addAxis(AxesFrame& frame, const Box& box, int axis, const AxisFigures& figures, double pixelRatio) {
  const Scale scale = scaleOf(box, axis, pixelRatio);
  if (scale.pixels < 24 * pixelRatio) return; // seen end on
  for (const AxisTick& tick : ticksOf(figures, scale.low, scale.high, scale.pixels, pixelRatio)) {
    glm::dvec3 at = scale.edge;
    at[axis] = tick.position;
    if (const auto pixel = box.project(at)) frame.labels.push_back({*pixel, axis, tick.label, scale.towards});
    // On the two far sides that this axis runs along.
    for (const int along : {(axis + 1) % 3, (axis + 2) % 3}) {
      glm::dvec3 begin = box.far(), end = box.far();
      begin[axis] = end[axis] = tick.position;
      begin[along] = box.low(along);
      end[along] = box.high(along);
      addLine(frame, box, begin, end, false);
    }
  }
  frame.labels.push_back({scale.middle, axis, {}, scale.towards});
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
  const Box box(camera, pixelRatio);
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
    if (!box.flat(axis)) addAxis(frame, box, axis, camera.figures(axis), pixelRatio);
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

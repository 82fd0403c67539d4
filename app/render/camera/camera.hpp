// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"

#include <glm/glm.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lloyd {

/// The smallest box around points, in data units. Axes beyond the data's dimensions are 0 to 0.
struct Bounds {
  glm::dvec3 low{0};
  glm::dvec3 high{0};

  [[nodiscard]] glm::dvec3 centre() const { return low + (high - low) / 2.0; }
  [[nodiscard]] glm::dvec3 extent() const { return high - low; }
  bool operator==(const Bounds&) const = default;
};

/// The box of what is drawn of n points: coordinate j of point i at values[j * stride + i]. d = 1 is drawn as
/// value (second axis) against position in memory (first axis); d > 3 by its first three coordinates. n = 0
/// gives 0 to 0.
[[nodiscard]] inline Bounds drawnBounds(const float* values, std::size_t n, int d, std::size_t stride) {
  Bounds bounds;
  if (n == 0 || d < 1) return bounds;
  const int rows = std::min(d, 3);
  for (int row = 0; row < rows; ++row) {
    const ValueRange range = valueRange({values + static_cast<std::size_t>(row) * stride, n});
    const int axis = d == 1 ? 1 : row;
    bounds.low[axis] = range.low;
    bounds.high[axis] = range.high;
  }
  if (d == 1) bounds.high.x = static_cast<double>(n - 1);
  return bounds;
}

/// How many axes the drawing of d-dimensional points has: 1 stays 1 (a flat drawing of its own kind), 2,
/// else 3.
[[nodiscard]] constexpr int drawnDimensions(int d) { return d < 1 ? 1 : (d > 3 ? 3 : d); }

/// Where point i is drawn, in data units.
[[nodiscard]] inline glm::dvec3 drawnPosition(const float* values, std::size_t i, int d, std::size_t stride) {
  if (d == 1) return {static_cast<double>(i), values[i], 0.0};
  return {values[i], values[stride + i], d > 2 ? values[2 * stride + i] : 0.0F};
}

/// What a shader needs of a camera. A position p in data units is drawn at clipFromOffset * (p - origin, 1);
/// taking the origin away first keeps unit spread at offset 1e4 sharp in single precision.
struct CameraView {
  glm::dvec3 origin{0};
  glm::dmat4 clipFromOffset{1};
  int dimensions = 2;        ///< 1 and 2 are flat, 3 has perspective
  bool orthographic = false; ///< 3-D without perspective
  double nearest = 1;        ///< distance from the eye at which the box of the data begins, 3-D only
  double farthest = 2;       ///< and where it ends; of an orthographic view only the difference counts
  glm::ivec2 viewport{1, 1}; ///< device pixels
  bool operator==(const CameraView&) const = default;
};

/// A CameraView in the single precision of shaders: clipFromOffset * (p - origin, 1) with what rounding the
/// origin lost moved into the matrix, where it is small against its surroundings.
struct ShaderCamera {
  glm::vec3 origin{0};
  glm::mat4 clipFromOffset{1};
};
[[nodiscard]] ShaderCamera shaderCamera(const CameraView& view);

/// The numbers that stand on an axis: those of positions times factor plus offset.
struct AxisFigures {
  double offset = 0;
  double factor = 1; ///< above 0

  [[nodiscard]] double at(double position) const { return position * factor + offset; }
  [[nodiscard]] double position(double figure) const { return (figure - offset) / factor; }
  bool operator==(const AxisFigures&) const = default;
};

/// What of a view is in a rectangle of its pixels, which may reach beyond it: the same drawing, cut.
[[nodiscard]] CameraView partOf(const CameraView& view, glm::ivec2 topLeft, glm::ivec2 size);
/// From where a camera looks: all of it that does not follow from the data.
struct CameraPose {
  bool fitted = true; ///< all of the box is seen, whatever the viewport; of the rest only the angles count
  glm::dvec3 target{0};
  glm::dvec2 pixelsPerUnit{1}; ///< of a flat view, in a viewport of this size
  glm::ivec2 viewport{1, 1};
  double yaw = 0, pitch = 0; ///< in space, radians
  double distance = 4;       ///< in space
  bool operator==(const CameraPose&) const = default;
};

/// Looks at a box of data, flat (pan, zoom at the cursor) or in space (orbit, pan, dolly). Pixels are device
/// pixels from the top left corner. Every viewport, 0x0 included, and every finite box is fit for it.
class Camera {
public:
  Camera() { fit(); }

  /// A new data set: dimensions as drawnDimensions() gives; fits it and looks at it from the default side.
  void setData(int dimensions, const Bounds& bounds);
  /// What the axes are numbered with, until other data are set: positions themselves at first.
  void setFigures(const std::array<AxisFigures, 3>& figures) { figures_ = figures; }
  [[nodiscard]] const AxisFigures& figures(int axis) const {
    return figures_[static_cast<std::size_t>(axis)];
  }
  /// The same data in a larger or smaller box (points that move): the view stays unless it was never touched.
  void setBounds(const Bounds& bounds);
  /// Grows the box so that such a part of it lies around every place, on every side; whether it had to.
  bool makeRoomFor(const std::vector<glm::dvec3>& places, double part);
  void setViewport(int width, int height);
  /// Device pixels at the top that text covers: what is fitted begins below them.
  void setHeadroom(int pixels);
  [[nodiscard]] int headroom() const { return headroom_; }
  /// Device pixels at the bottom that a fitted box in space leaves to the numbers of its axes.
  void setFootroom(int pixels);

  /// The same view with so many times as many pixels each way: everything is where it was, and grows.
  [[nodiscard]] Camera enlarged(int factor) const;

  /// 3-D: as from infinitely far away. What is looked at stays as large.
  void setOrthographic(bool on);
  [[nodiscard]] bool orthographic() const { return orthographic_; }

  void fit();              ///< all of the box, from the present side
  void reset();            ///< all of the box, from the default side
  void axisView(int axis); ///< 3-D: looks along axis 0, 1 or 2 and fits; flat: fits

  void pan(glm::dvec2 pixels);   ///< the data follows the cursor
  void orbit(glm::dvec2 pixels); ///< 3-D; flat pans
  void zoom(double factor,
            glm::dvec2 atPixel);      ///< > 1 is nearer; flat keeps the place under the cursor; 3-D dollies
  void centreOn(glm::dvec3 position); ///< brings a position, in data units, to the middle

  [[nodiscard]] CameraView view() const;
  /// Nothing behind the eye or beyond the clip planes.
  [[nodiscard]] std::optional<glm::dvec2> project(glm::dvec3 position) const;
  /// The position under a pixel, flat on the drawing, or in space on the plane through the point looked at
  /// that faces the eye.
  [[nodiscard]] glm::dvec3 unproject(glm::dvec2 pixel) const;
  /// Unit vector from the point looked at towards the eye, in the scaled axes; 3-D only.
  [[nodiscard]] glm::dvec3 towardsEye() const;

  [[nodiscard]] CameraPose pose() const;
  /// Looks from there at the present data; in a viewport of another size at as much of them, until it is of
  /// that size again.
  void setPose(const CameraPose& pose);

  [[nodiscard]] int dimensions() const { return dimensions_; }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  /// Whether one unit is the same length on every axis: so when the ranges differ by no more than a factor of
  /// four.
  [[nodiscard]] bool equalAxes() const { return equalAxes_; }

private:
  [[nodiscard]] bool flat() const { return dimensions_ < 3; }
  /// Where the target is drawn.
  [[nodiscard]] glm::dvec2 middle() const { return glm::dvec2(viewport_) / 2.0 + glm::dvec2(0, lowered()); }
  [[nodiscard]] double topMargin() const;
  [[nodiscard]] double moreAbove() const;
  [[nodiscard]] double moreBelow() const;
  [[nodiscard]] double lowered() const;
  [[nodiscard]] glm::dmat3 turn() const; ///< rows are right, up and towards the eye
  void scaleAxes();
  void resizeFrom(glm::ivec2 before);
  void leave() {
    untouched_ = false;
    posed_.reset();
  }
  void fitFlat();
  void fitSpace();

  Bounds bounds_;
  std::array<AxisFigures, 3> figures_;
  glm::dvec3 extent_{1}; ///< of the box, none of them 0
  int dimensions_ = 2;
  bool equalAxes_ = true;
  bool orthographic_ = false;
  bool untouched_ = true;           ///< a fitted view follows the viewport and the data
  std::optional<CameraPose> posed_; ///< that was set and is not left since
  glm::ivec2 viewport_{1, 1};
  int headroom_ = 0;
  int footroom_ = 0;

  glm::dvec3 target_{0};        ///< in data units, drawn at middle()
  glm::dvec2 pixelsPerUnit_{1}; ///< flat
  glm::dvec3 worldPerUnit_{1};  ///< 3-D: the longest scaled edge of the box is 2
  double yaw_ = 0, pitch_ = 0;  ///< 3-D, radians
  double distance_ = 4;         ///< 3-D, of the eye from the target in world units
};

/// CameraView::clipFromOffset applied by the CPU: device pixels from the top left, or nothing when it is not
/// before the eye.
[[nodiscard]] std::optional<glm::dvec2> projectToPixel(const CameraView& view, glm::dvec3 position);

} // namespace lloyd

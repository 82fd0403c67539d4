// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <glm/glm.hpp>

#include <array>
#include <string>
#include <vector>

namespace lloyd {

/// A line of the grid or the box, in device pixels.
struct FrameLine {
  glm::dvec2 from{0};
  glm::dvec2 to{0};
  bool strong = false; ///< an edge of the box, or the line at zero
};

/// A number, or the name of a column, to be written by whoever paints text.
struct FrameLabel {
  glm::dvec2 pixel{0}; ///< where the tick is, in device pixels
  int axis = 0;        ///< 0 to 2; the D = 1 drawing has 0 for position in memory and 1 for the value
  std::string text; ///< empty for the middle of an axis: the column's name belongs there, beyond the numbers
  /// From the tick, which way the text grows: away from the drawing. Unit length; flat drawings have (0, -1)
  /// for the first axis (above the lower edge) and (1, 0) for the second (right of the left edge), both
  /// inside.
  glm::dvec2 towards{0};
};

/// What helps to read positions: a light grid behind a flat drawing, the far sides of the box behind one in
/// space.
struct AxesFrame {
  std::vector<FrameLine> lines;
  std::vector<FrameLabel> labels;
  /// In space the near sides of the box, corner after corner: together they are where points are seen.
  std::vector<std::array<glm::dvec2, 4>> nearSides;
};

/// pixelRatio: device pixels in a logical one.
[[nodiscard]] AxesFrame axesFrame(const Camera& camera, double pixelRatio);

} // namespace lloyd

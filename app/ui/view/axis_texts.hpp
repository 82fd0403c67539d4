// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <QFont>
#include <QLineF>
#include <QRectF>
#include <QSize>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace lloyd {

/// A number on an axis, or the name of one, where it is written over the points. Logical pixels.
struct AxisText {
  QString text;
  QRectF box;
  int axis = 0; ///< as FrameLabel has it
  bool name = false;
  std::optional<QLineF> leader{}; ///< from its tick, where it found no room beside that
};

/// What is to be written of the axes in one view.
struct AxisTextsWanted {
  const Camera& camera;
  double pixelRatio = 1;
  QSize view; ///< logical pixels
  QFont font;
  std::array<QString, 3> names;
  std::vector<QRectF> taken{}; ///< by other words
};

/// All that is written of the axes: none over another or over what is taken. Each axis that is seen has at
/// least three numbers and its name wherever the view has room for them; where it has little, numbers go away
/// from their ticks, and a name is cut.
[[nodiscard]] std::vector<AxisText> axisTexts(const AxisTextsWanted& wanted);

/// The room that numbers need below a box in space. Logical pixels.
[[nodiscard]] double axisTextsRoom(const QFont& font);

} // namespace lloyd

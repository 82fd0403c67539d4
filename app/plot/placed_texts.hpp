// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"

#include <QLineF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <optional>
#include <vector>

namespace lloyd {

/// Words among the marks of a panel. Pixels.
struct PlacedText {
  QString text;
  PlotInk ink;
  QPointF at;         ///< its middle; of what is written along a line where it begins, on the line
  double degrees = 0; ///< clockwise
  bool along = false;
  bool above = false;             ///< of the line
  std::optional<QLineF> leader{}; ///< to its mark
};

/// Where a painter's own pixels are.
struct PlotPixels {
  std::function<QPointF(QPointF)> of;         ///< of a place in the axes' values
  QRectF area;                                ///< between the axes
  std::function<QSizeF(const QString&)> size; ///< of words
};

/// The part of a line that lies within the area; nothing of one whose ends are not finite.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& area);

/// The words along lines and those beside marks, none over another, over a mark or over a line that is named.
/// Words that find no room are left out.
[[nodiscard]] std::vector<PlacedText> placedTexts(const PlotPanel& panel, const PlotPixels& pixels);

} // namespace lloyd

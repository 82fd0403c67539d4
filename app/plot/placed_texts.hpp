// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/figure.hpp"

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <functional>
#include <optional>
#include <vector>

namespace lloyd {

/// Something in a plot that is to be named beside it. Pixels.
struct LabelRequest {
  QPointF at;
  QSizeF size; ///< of the words
};

/// A place for each label within the area, so that no two overlap and none covers a mark or what else is
/// taken: right of its mark, else left of it, moved up or down as little as it takes. Nothing for a label
/// that finds no room. The first are served first.
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& requests,
                                                             const QRectF& area,
                                                             std::vector<QRectF> taken = {}, double gap = 8);

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

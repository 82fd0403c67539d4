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
  /// Where in the words their place is: in the middle, at the left end, or there on a line that they stand
  /// above or below.
  enum class Anchor { middle, begin, above, below };
  QString text;
  PlotInk ink;
  QPointF at;
  Anchor anchor = Anchor::middle;
  double degrees = 0; ///< clockwise
  bool bold = false;
  std::optional<QLineF> leader{}; ///< to its mark
};

/// Where a painter's own pixels are.
struct PlotPixels {
  std::function<QPointF(QPointF)> of;         ///< of a place in the axes' values
  QRectF area;                                ///< between the axes
  std::function<QSizeF(const QString&)> size; ///< of words
};

/// Whether the point lies in the area; a point that is not finite, which QRectF takes in, lies nowhere.
[[nodiscard]] bool holds(const QRectF& area, QPointF at);

/// The part of a line that lies within the area; nothing of one whose ends are not finite.
[[nodiscard]] std::optional<QLineF> clipped(const QLineF& line, const QRectF& area);

/// The words along lines and those beside marks, none over another, over a mark or over a line that is named.
/// Words that find no room are left out; those behind marks stand there in any case.
[[nodiscard]] std::vector<PlacedText> placedTexts(const PlotPanel& panel, const PlotPixels& pixels);

/// How much of the width, from the begin of the x axis to the picture's end, must lie behind the axis for the
/// words behind marks; at most half. widthOf: of words, bold or not. Pixels.
[[nodiscard]] double roomBehind(const PlotPanel& panel, double width,
                                const std::function<double(const QString&, bool)>& widthOf);

} // namespace lloyd

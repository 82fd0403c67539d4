// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPointF>
#include <QRectF>
#include <QSizeF>

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
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& wishes,
                                                             const QRectF& area,
                                                             std::vector<QRectF> taken = {}, double gap = 8);

} // namespace lloyd

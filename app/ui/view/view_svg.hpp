// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/view/view_painter.hpp"

#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QSize>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lloyd {

/// The view as vectors: axes, trails, centroids and words always, and each point as a circle where there are
/// few enough.
struct SvgWish {
  /// Of more points a file would be slow to open, and they are an image in it.
  static constexpr std::size_t mostCircles = 20'000;

  int scale = 1; ///< times the size of the view
  bool transparent = false;
};

/// The points of a view that has too many of them to be circles.
struct SvgPoints {
  QImage image; ///< of the points alone, with nothing behind them
  Drawn drawn;
};

/// size: of the view in logical pixels, ratio device pixels each. groups: as the viewport has them, empty
/// while points are coloured by cluster; they wait while there is another run. Its side and that of the
/// state's own run are cut at the divider. points: null for circles. The context must be current.
[[nodiscard]] QByteArray viewSvg(ViewState& state, QSize size, double ratio, const QFont& font,
                                 std::span<const std::int32_t> groups, const SvgPoints* points,
                                 const SvgWish& wish);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/plot/plot_axis.hpp"
#include "gpu/core/contract/stage.hpp"

#include <QPointF>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// A colour by what it stands for; the painter has the theme.
struct PlotInk {
  enum class Of { text, dim, accent, series, stage };
  Of of = Of::text;
  std::size_t index = 0; ///< of the series

  [[nodiscard]] static PlotInk series(std::size_t index) { return {Of::series, index}; }
  [[nodiscard]] static PlotInk stage(Stage stage) { return {Of::stage, static_cast<std::size_t>(stage)}; }
};

/// What tells marks apart without their colour, in the order in which series take them.
enum class PlotMarker { disc, square, diamond, triangle, downTriangle, ring, cross };
inline constexpr std::size_t plotMarkers = 7;
[[nodiscard]] inline PlotMarker markerOf(std::size_t series) {
  return static_cast<PlotMarker>(series % plotMarkers);
}

/// What the place under the pointer says, and where it is in the axes' values.
struct PlotReading {
  QString text;
  QPointF at;
};

/// Values of one thing.
struct PlotSeries {
  enum class Style {
    marks,
    line,
    bars,   ///< upright, around each x
    steps,  ///< filled down to zero; a step begins at its x
    stacked ///< filled down to the stacked series before; a step has its x in the middle
  };
  QString name{}; ///< in the legend; empty: not named there
  Style style = Style::line;
  PlotInk ink{};
  bool dashed = false;
  double width = 1.6; ///< of the line, pixels
  double bar = 0;     ///< width of a bar
  std::optional<PlotMarker> marker{};
  bool hollow = false;
  double size = 6; ///< of a mark, pixels
  /// Ascending in x but for marks. What is not finite is a gap in a line.
  std::vector<QPointF> points{};
  std::vector<QString> labels{};   ///< beside the marks, where there is room
  std::vector<QString> readings{}; ///< what the points say under the pointer; without any they are silent
  bool atFoot = false;             ///< the marks stand at the foot of the plot, whatever their y
  /// Written along a straight line, at its beginning or its end.
  QString along{};
  bool alongEnd = false;
  bool alongAbove = true;
};

/// From one x to another, or a line where both are the same: over the whole height, or from zero one way.
struct PlotSpan {
  enum class Reach { whole, up, down };
  double from = 0;
  double to = 0;
  PlotInk ink{};
  bool dashed = false;
  Reach reach = Reach::whole;
};

/// Words in a corner.
struct PlotCaption {
  QString text;
  PlotInk ink{};
  bool bold = false;
  bool right = true;
  bool top = true;
};

/// A plane of values, column after column and row after row from the lower left; column i is around i.
struct PlotCells {
  struct Cell {
    double value = 0;   ///< not finite: a gap
    QStringList text{}; ///< the last line alone where there is no room for all
    QString reading{};
  };
  std::size_t columns = 0;
  std::vector<Cell> cells; ///< row after row
  QString title;           ///< of the values, with their unit
  bool lowIsBright = false;

  /// The least and the largest value; both 1 where there are none.
  [[nodiscard]] std::pair<double, double> range() const {
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const Cell& cell : cells) {
      if (!std::isfinite(cell.value)) continue;
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
    return high > 0 ? std::pair(low, high) : std::pair(1.0, 1.0);
  }
  /// Values that span more than a decade are coloured by their logarithms.
  [[nodiscard]] bool logarithmic() const {
    const auto [low, high] = range();
    return low > 0 && high > 10 * low;
  }
};

/// One pair of axes with all that stands between them.
struct PlotPanel {
  PlotAxis x{};
  PlotAxis y{};
  std::vector<PlotSeries> series{};
  std::vector<PlotSpan> spans{};
  std::vector<PlotCaption> captions{};
  std::optional<PlotCells> cells{};
  bool zeroLine = false;
  /// What a place says that is no mark's, from its x and y.
  std::function<std::optional<PlotReading>(QPointF)> read{};
};

/// A plot before anything draws it: the window's panes and the report's pictures are painted from the same.
/// What it says of itself is in words for people.
struct Figure {
  QString title{};
  QString toolTip{}; ///< what the title leaves open
  QString note{};    ///< what there is to know beside what is seen
  QString summary{}; ///< for a screen reader
  QString empty{};   ///< what would fill the plot; empty when there are data
  std::vector<PlotPanel> panels{};
};

} // namespace lloyd

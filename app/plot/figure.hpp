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
  enum class Of { text, dim, accent, bar, alert, series, stage, exact };
  Of of = Of::text;
  std::size_t index = 0; ///< of the series; exact: 0xrrggbb

  [[nodiscard]] static PlotInk series(std::size_t index) { return {Of::series, index}; }
  [[nodiscard]] static PlotInk stage(Stage stage) { return {Of::stage, static_cast<std::size_t>(stage)}; }
  /// Of what has a colour of its own elsewhere.
  [[nodiscard]] static PlotInk exact(std::size_t rrggbb) { return {Of::exact, rrggbb}; }
};

/// What tells marks apart without their colour, in the order in which series take them. Beyond the first
/// plotMarkers: an upright stroke, and grains, of which many make one mark.
enum class PlotMarker { disc, square, diamond, triangle, downTriangle, ring, cross, stroke, grain };
inline constexpr std::size_t plotMarkers = 7;
[[nodiscard]] inline PlotMarker markerOf(std::size_t series) {
  return static_cast<PlotMarker>(series % plotMarkers);
}

/// What the place under the pointer says, and where it is in the axes' values.
struct PlotReading {
  QString text;
  QPointF at;
  double reach =
      std::numeric_limits<double>::infinity(); ///< pixels from the pointer; farther it is not meant
};

/// Values of one thing.
struct PlotSeries {
  enum class Style {
    marks,
    line,
    bars,    ///< upright, around each x
    lying,   ///< bars that lie, each from a point to the next around their y
    whisker, ///< lines with a stroke at either end, each from a point to the next
    steps,   ///< filled down to zero; a step begins at its x
    stacked  ///< filled down to the stacked series before; a step has its x in the middle
  };
  QString name{}; ///< in the legend; empty: not named there
  Style style = Style::line;
  PlotInk ink{};
  bool dashed = false;
  double width = 1.6; ///< of the line, pixels
  double bar = 0;     ///< width of a bar, in the units of the axis across it
  std::optional<PlotMarker> marker{};
  bool hollow = false; ///< an outline; of a bar a dashed one
  bool pale = false;   ///< what lies below is seen through
  double size = 6;     ///< of a mark, pixels
  /// Ascending in x but for marks and pairs. What is not finite is a gap in a line, and no mark.
  std::vector<QPointF> points{};
  std::vector<PlotInk> inks{};   ///< of single bars; without any all have that of the series
  std::vector<QString> labels{}; ///< beside the marks, where there is room
  bool labelsBehind = false;     ///< they stand right of their marks, whatever is there, and have room made
  bool bold = false;             ///< the labels
  std::vector<QString> within{}; ///< lying bars, one each: in the window, where a bar is long enough
  /// What the points, or the pairs, say under the pointer: one each, or one for all. Without any they are
  /// silent.
  std::vector<QString> readings{};
  bool atFoot = false; ///< the marks stand at the foot of the plot, whatever their y
  /// Written along a straight line, at its beginning or its end.
  QString along{};
  bool alongEnd = false;
  bool alongAbove = true;

  [[nodiscard]] bool inPairs() const { return style == Style::lying || style == Style::whisker; }
  /// What a point says.
  [[nodiscard]] QString readingAt(std::size_t point) const {
    const std::size_t one = readings.size() == 1 ? 0 : inPairs() ? point / 2 : point;
    return one < readings.size() ? readings[one] : QString();
  }
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

/// What colours span: values that are nearly the same look nearly the same, so that noise does not.
[[nodiscard]] inline std::pair<double, double> rangeOfColours(double low, double high, bool lowIsBright) {
  constexpr double least = 1.1;
  if (!(low > 0) || !(high > low) || high >= least * low) return {low, high};
  return lowIsBright ? std::pair(low, least * low) : std::pair(high / least, high);
}

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
  bool scaled = true; ///< beside it a scale says what its colours mean
  /// The range that colours span where several planes are to be compared.
  std::optional<std::pair<double, double>> shared{};

  /// The least and the largest value, but a tenth apart at least where they differ; or what is shared. Both 1
  /// where there are none.
  [[nodiscard]] std::pair<double, double> range() const {
    if (shared) return *shared;
    double low = std::numeric_limits<double>::max();
    double high = 0;
    for (const Cell& cell : cells) {
      if (!std::isfinite(cell.value)) continue;
      low = std::min(low, cell.value);
      high = std::max(high, cell.value);
    }
    if (!(high > 0)) return {1.0, 1.0};
    return rangeOfColours(low, high, lowIsBright);
  }
  /// Values that span more than a decade are coloured by their logarithms.
  [[nodiscard]] bool logarithmic() const {
    const auto [low, high] = range();
    return low > 0 && high > 10 * low;
  }
  /// Where a value stands from the darkest, 0, to the brightest, 1.
  [[nodiscard]] double brightness(double value) const {
    const auto [low, high] = range();
    if (!(high > low)) return lowIsBright ? 1 : 0;
    const double part =
        logarithmic() ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return lowIsBright ? 1 - part : part;
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
  QString shortTitle{}; ///< where there is no room for the title; empty: it is cut
  QString toolTip{};    ///< what the title leaves open
  QString note{};       ///< what there is to know beside what is seen
  QString summary{};    ///< for a screen reader
  QString empty{};      ///< what would fill the plot; empty when there are data
  std::vector<PlotPanel> panels{};
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/html/markup.hpp"
#include "app/plot/figure.hpp"
#include "app/plot/placed_texts.hpp"

#include <QPointF>
#include <QString>
#include <QStringList>

#include <span>

namespace lloyd {

/// A plot as an SVG element that stands in an HTML page. Its colours are classes, for the page's style sheet
/// to fill by colour scheme and for print: s0 to s7 are series, and a mark may have more of the page's words.
/// Every mark carries what it shows as a title, which browsers show under the pointer and read aloud. Marks
/// are in the axes' units and lie over each other in the order of the calls; what has no finite place is left
/// out. QtCore only.
class SvgChart {
public:
  /// Pixels at the picture's own size; it may be shown larger or smaller.
  struct Size {
    double width = 960;
    double height = 360;
    double left = 70; ///< for the numbers and the title of the y axis
    double right = 20;
    double top = 12;
    double bottom = 46;
  };

  /// label is read aloud for the whole picture. gridY: lines across the picture at the ticks of y.
  SvgChart(const Size& size, const QString& label, const PlotAxis& x, const PlotAxis& y, bool gridY = true);

  /// A horizontal bar around y, thick pixels high.
  void bar(double fromX, double toX, double y, double thick, const QString& marks, const QString& title);
  /// A horizontal line from lowX to highX around y with a short stroke at either end.
  void whisker(double lowX, double highX, double y, double tall, const QString& marks, const QString& title);
  /// A short upright line at x, tall pixels.
  void tick(double x, double y, double tall, const QString& marks, const QString& title);
  /// The part between the axes; what is not finite is a gap.
  void line(std::span<const QPointF> points, const QString& marks, const QString& title = {});
  /// A mark at a pixel; shape tells series apart without their colour: 0 circle, 1 square, 2 diamond, 3
  /// triangle.
  void pointAt(QPointF pixel, int shape, const QString& marks, const QString& title);
  /// Many small dots in one mark, around y and spread over tall pixels, so that equal ones can be counted.
  void strip(std::span<const double> xs, double y, double tall, const QString& marks, const QString& title);
  /// A filled rectangle from one pair of values to another, with text in its middle. fill: "#rrggbb".
  void cell(double fromX, double toX, double fromY, double toY, const QString& fill, const QStringList& text,
            bool darkText, const QString& title);
  /// Text at a pixel. anchor: start, middle or end.
  void textAt(QPointF pixel, const QString& content, const QString& marks, const char* anchor = "start");
  /// Words among the marks, with their leader.
  void placed(const PlacedText& text, const QString& marks);
  /// Text within the picture's left margin, ending at the axis.
  void rowLabel(double y, const QString& content, const QString& marks);

  [[nodiscard]] QPointF pixel(QPointF value) const { return {px(value.x()), py(value.y())}; }
  [[nodiscard]] QRectF area() const; ///< between the axes, pixels

  /// The element. marks: classes of the whole picture.
  [[nodiscard]] QString toSvg(const QString& marks) const;

  /// About how wide text is at the pictures' 12 pixels: no font is asked, because bench has none.
  /// A wide font's figures, so that nothing is cut in a narrower one.
  [[nodiscard]] static double widthOf(const QString& text) { return 7.1 * static_cast<double>(text.size()); }
  [[nodiscard]] static double boldWidthOf(const QString& text) { return 1.14 * widthOf(text); }

private:
  [[nodiscard]] double px(double x) const;
  [[nodiscard]] double py(double y) const;
  [[nodiscard]] static QString number(double pixels);
  [[nodiscard]] static bool placed(std::initializer_list<double> pixels);
  void drawAxes(bool gridY);
  void path(const QString& classes, const QString& way, const QString& title);
  void titled(const QString& title);

  Size size_;
  QString label_;
  PlotAxis x_;
  PlotAxis y_;
  Markup marks_;
};

/// Colours whose lightness rises evenly from 0 to 1, readable without seeing hues (cividis: Nunez, Anderton
/// and Renslow, 2018), as "#rrggbb". darkText: whether black is read better on it than white.
struct RampColour {
  QString fill;
  bool darkText = false;
};
[[nodiscard]] RampColour rampColour(double fraction);

/// The report's painter of figures: one panel as an SVG element. Lines are named at their right ends, in the
/// right margin; series of marks above the axes. label is read aloud for the whole picture; classes are the
/// picture's for the style sheet.
[[nodiscard]] QString svgFigure(const PlotPanel& panel, const SvgChart::Size& size, const QString& label,
                                const QString& classes);

/// The class of a stage's colour, the same in every plot of a race.
[[nodiscard]] QString stageSeries(Stage stage);

} // namespace lloyd

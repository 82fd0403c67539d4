// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/figure_file.hpp"

#include "app/model/report/html/markup.hpp"
#include "app/plot/plot_palette.hpp"

namespace lloyd {
namespace {

/// Colours as they are, and none by a variable: programs that draw vectors know none.
QString styleSheet() {
  QString rules =
      QStringLiteral("svg { font: 12px sans-serif; } text { fill: #1b1f24; } .axes text { fill: #57606a; } "
                     ".axes text.name { fill: #1b1f24; } text.bold { font-weight: bold; } "
                     ".grid { stroke: #e7eaee; fill: none; } .axis { stroke: #d5dae0; fill: none; } ");
  for (std::size_t hue = 0; hue < plotHues; ++hue)
    rules +=
        QStringLiteral(".s%1 { fill: #%2; } ").arg(hue).arg(seriesRgb(hue, false), 6, 16, QLatin1Char('0'));
  return rules + QStringLiteral(".plain { fill: #8895a3; } .wrong { fill: #b3261e; } .dim { fill: #57606a; } "
                                ".whisker { stroke: #1b1f24; stroke-width: 1.2; fill: none; } "
                                ".line { stroke: #57606a; fill: none; } .dashed { stroke-dasharray: 4 3; }");
}

} // namespace

QByteArray figureSvg(const Figure& figure, const SvgSize& size, const QString& classes) {
  Markup page;
  page.raw(QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
  if (figure.panels.empty()) {
    page.open("svg", {{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")}});
    page.element("title", figure.empty);
    page.close();
    return page.toString().toUtf8();
  }
  const QString width = QString::number(size.width);
  const QString height = QString::number(size.height);
  page.open("svg", {{"xmlns", QStringLiteral("http://www.w3.org/2000/svg")},
                    {"width", width},
                    {"height", height},
                    {"viewBox", QStringLiteral("0 0 %1 %2").arg(width, height)}});
  page.element("title", figure.title);
  page.element("desc", figure.summary + u' ' + figure.toolTip);
  page.element("style", styleSheet());
  page.empty("rect", {{"width", width}, {"height", height}, {"fill", QStringLiteral("#ffffff")}});
  page.raw(svgFigure(figure.panels.front(), size, figure.summary, classes));
  page.close();
  return page.toString().toUtf8();
}

} // namespace lloyd

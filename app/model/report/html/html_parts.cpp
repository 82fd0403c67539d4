// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_parts.hpp"

#include "app/model/measure/report_strings.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <cmath>
#include <vector>

namespace lloyd {

void writeFigure(Markup& page, const QString& title, const QString& caption, const QStringList& pictures) {
  page.open("figure");
  page.open("figcaption");
  page.element("b", title);
  page.text(caption);
  page.close();
  for (const QString& picture : pictures) {
    page.open("div", {{"class", QStringLiteral("plot")}});
    page.raw(picture);
    page.close();
  }
  page.close();
}

void writeList(Markup& page, const QString& heading, const QStringList& items) {
  if (items.isEmpty()) return;
  page.element("h3", heading);
  page.open("ul", {{"class", items.size() > 6 ? QStringLiteral("columns") : QStringLiteral("short")}});
  for (const QString& item : items)
    page.element("li", item);
  page.close();
}

QString stageSeries(Stage stage) { return QStringLiteral("s%1").arg(ReportOrder::of(stage) % 8); }

double quantileOf(std::span<const double> values, double p) {
  const std::vector<double> sorted = sortedFinite(values);
  return sorted.empty() ? std::nan("") : quantile(sorted, p);
}

} // namespace lloyd

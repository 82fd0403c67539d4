// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/cluster_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/plot/cluster_figure.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/report/centroid_texts.hpp"
#include "app/model/report/class_report.hpp"
#include "app/model/report/html/cluster_pictures.hpp"
#include "app/model/report/html/html_page.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace lloyd {
namespace {

constexpr int mostClasses = 24; ///< columns of a table that a person reads
constexpr std::size_t mostBars = 64;
constexpr double width = 1060;
const QString numberClass = QStringLiteral("n");

/// Whether every point can be asked for its place.
bool inMemory(const PointSet& points) { return points.n > 0 && points.values.size() >= points.n; }

QString scalingText(const RunReport& report) {
  switch (report.scaling) {
  case Scale::standard:
    return ReportStrings::tr("standard: each column to mean 0 and standard deviation 1");
  case Scale::minmax:
    return ReportStrings::tr("minmax: each column to 0 to 1");
  case Scale::none:
    break;
  }
  return ReportStrings::tr("none: columns count by their own units");
}

bool isNamed(const RunReport& report) {
  return std::ranges::any_of(report.clusterNames, [](const std::string& name) { return !name.empty(); });
}

/// What became of the rows of the file.
QString rowsText(const PointSet& points) {
  if (points.selected) {
    const RowCounts rows(points);
    QString text = ReportStrings::tr("%1 in the file: %2 clustered, %3 not chosen")
                       .arg(countText(rows.all), countText(points.n), countText(rows.notChosen));
    if (rows.dropped > 0) text += ReportStrings::tr(", %1 dropped").arg(countText(rows.dropped));
    return text;
  }
  if (points.dropped.empty()) return countText(points.inputRows);
  return ReportStrings::tr("%1 in the file, of which %2 were left out")
      .arg(countText(points.inputRows), countText(points.dropped.size()));
}

std::vector<PageFact> factsAbout(const RunReport& report, const QString& command) {
  const PointSet& points = *report.data;
  std::vector<PageFact> facts{
      {ReportStrings::tr("rows"), rowsText(points)},
      {ReportStrings::tr("columns clustered"),
       QStringLiteral("%1: %2").arg(points.d).arg(columnNames(points).join(QStringLiteral(", ")))},
      {ReportStrings::tr("scaling"), scalingText(report)}};
  for (const auto& [fact, value] : runFacts(report))
    if (!value.isEmpty()) facts.push_back({fact, value});
  facts.push_back({ReportStrings::tr("again"), command, true});
  return facts;
}

/// A dot in the colour that the cluster has in the pictures.
void writeSwatch(Markup& page, const RunReport& report, std::size_t cluster) {
  const QString style = clusterStyle(report, cluster);
  if (!style.isEmpty()) page.open("span", {{"style", style}});
  page.open("svg", {{"class", QStringLiteral("swatch")},
                    {"viewBox", QStringLiteral("0 0 12 12")},
                    {"aria-hidden", QStringLiteral("true")}});
  page.empty("circle", {{"class", QStringLiteral("point ") +
                                      (style.isEmpty() ? clusterClass(cluster) : QStringLiteral("own"))},
                        {"cx", QStringLiteral("6")},
                        {"cy", QStringLiteral("6")},
                        {"r", QStringLiteral("5")}});
  page.close();
  if (!style.isEmpty()) page.close();
}

void writeClusters(Markup& page, const RunReport& report, const std::vector<double>& spreads) {
  page.element("h2", ReportStrings::tr("Clusters"));
  std::vector<TableHeading> headings{
      {ReportStrings::tr("cluster"), ReportStrings::tr("Its number in labels, and its colour here"),
       QStringLiteral("variant")},
      {ReportStrings::tr("name"), ReportStrings::tr("That a person gave the cluster"),
       QStringLiteral("variant")},
      {ReportStrings::tr("size"), ReportStrings::tr("Points in the cluster; a count"), numberClass},
      {ReportStrings::tr("share %"), ReportStrings::tr("Of all points; per cent"), numberClass}};
  const bool named = isNamed(report);
  if (!named) headings.erase(headings.begin() + 1);
  if (!spreads.empty())
    headings.push_back({ReportStrings::tr("spread"),
                        ReportStrings::tr("The root of the mean squared distance of its points from its "
                                          "centroid; in the units that were clustered"),
                        numberClass});
  const std::vector<double> silhouettes = report.scores && report.scores->silhouette
                                              ? report.scores->silhouette->clusters
                                              : std::vector<double>();
  if (!silhouettes.empty())
    headings.push_back({ReportStrings::tr("silhouette"),
                        ReportStrings::tr("The mean over its points: 1 far from other clusters, 0 between "
                                          "two, below 0 nearer to another"),
                        numberClass});
  for (const QString& name : columnNames(*report.data))
    headings.push_back(
        {name, ReportStrings::tr("The centroid's %1; in the units of the file").arg(name), numberClass});
  openTable(page, headings);
  std::vector<QStringList> coordinates;
  for (std::size_t j = 0; j < static_cast<std::size_t>(report.data->d); ++j)
    coordinates.push_back(centroidTexts(report, j));
  for (std::size_t c = 0; c < report.result.sizes.size(); ++c) {
    page.open("tr");
    page.open("td", {{"class", QStringLiteral("variant")}});
    writeSwatch(page, report, c);
    page.text(QString::number(c));
    page.close();
    if (named) page.element("td", clusterName(report, c), {{"class", QStringLiteral("variant")}});
    page.element("td", countText(report.result.sizes[c]), {{"class", numberClass}});
    const double share = static_cast<double>(report.result.sizes[c]) / static_cast<double>(report.data->n);
    page.element("td", percentText(share), {{"class", numberClass}});
    if (!spreads.empty())
      page.element("td", std::isfinite(spreads[c]) ? significantText(spreads[c], 4) : unknownText(),
                   {{"class", numberClass}});
    if (!silhouettes.empty())
      page.element("td", std::isfinite(silhouettes[c]) ? significantText(silhouettes[c], 4) : unknownText(),
                   {{"class", numberClass}});
    for (const QStringList& column : coordinates)
      page.element("td", column[static_cast<qsizetype>(c)], {{"class", numberClass}});
    page.close();
  }
  closeTable(page);
}

/// Clusters held against the class of the points.
void writeClasses(Markup& page, const RunReport& report) {
  if (!report.classes) return;
  page.element("h2", ReportStrings::tr("Clusters by %1").arg(qtext(report.classes->column)));
  const TextTable table = confusionTable(*report.classes, mostClasses);
  std::vector<TableHeading> headings;
  for (const QString& heading : table.headings())
    headings.push_back(
        headings.empty()
            ? TableHeading{heading, ReportStrings::tr("Its number in labels"), QStringLiteral("variant")}
            : TableHeading{heading, ReportStrings::tr("Points of each cluster; a count"), numberClass});
  openTable(page, headings);
  for (const QStringList& row : table.rows()) {
    page.open("tr");
    const auto cluster = static_cast<std::size_t>(row.front().toULongLong());
    for (qsizetype cell = 0; cell < row.size(); ++cell) {
      if (cell > 0) {
        page.element("td", row[cell], {{"class", numberClass}});
        continue;
      }
      page.open("td", {{"class", QStringLiteral("variant")}});
      writeSwatch(page, report, cluster);
      const QString name = clusterName(report, cluster);
      page.text(name.isEmpty() ? row[cell] : ReportStrings::tr("%1, %2").arg(row[cell], name));
      page.close();
    }
    page.close();
  }
  closeTable(page);
}

void writeConvergence(Markup& page, const RunReport& report) {
  if (report.history.empty()) return;
  ConvergenceRuns runs;
  runs.run.assign(report.history.begin(), report.history.end());
  const Figure figure = convergence(std::make_shared<const ConvergenceRuns>(std::move(runs)), false);
  QStringList pictures;
  for (const PlotPanel& panel : figure.panels) {
    const bool last = pictures.size() + 1 == static_cast<qsizetype>(figure.panels.size());
    const SvgSize size{.width = width,
                       .height = last ? 196.0 : 160.0,
                       .left = 78,
                       .right = 24,
                       .top = 14,
                       .bottom = last ? 48.0 : 14.0};
    pictures << svgFigure(panel, size, figure.summary, QStringLiteral("convergence"));
  }
  writeFigure(page, ReportStrings::tr("Convergence"),
              ReportStrings::tr("Inertia, the points that changed their cluster, and the farthest that a "
                                "centroid moved, by iteration."),
              pictures);
}

void writeSizes(Markup& page, const RunReport& report) {
  std::vector<QString> titles;
  titles.reserve(report.result.sizes.size());
  for (std::size_t c = 0; c < report.result.sizes.size(); ++c)
    titles.push_back(clusterTitle(report, c));
  Figure figure = clusterSizes(report.result.sizes, {}, mostBars, titles);
  if (figure.panels.empty()) return;
  PlotPanel& panel = figure.panels.front();
  panel.x.title = ReportStrings::tr("cluster");
  panel.y.title = ReportStrings::tr("points");
  panel.y.numbered = panel.y.grid = true;
  const SvgSize size{.width = width, .height = 240, .left = 78, .right = 24, .top = 14, .bottom = 48};
  writeFigure(page, ReportStrings::tr("Sizes"), figure.title + u'.',
              {svgFigure(panel, size, figure.summary, QStringLiteral("sizes"))});
}

} // namespace

std::vector<double> clusterSpreads(const RunReport& report, std::span<const Label> labels) {
  const PointSet& points = *report.data;
  if (!inMemory(points) || labels.size() != points.n) return {};
  const std::size_t clusters = report.result.sizes.size();
  const auto d = static_cast<std::size_t>(points.d);
  std::vector<double> sums(clusters, 0);
  std::vector<std::size_t> counts(clusters, 0);
  for (std::size_t i = 0; i < points.n; ++i)
    if (labels[i] >= 0 && static_cast<std::size_t>(labels[i]) < clusters)
      ++counts[static_cast<std::size_t>(labels[i])];
  for (std::size_t j = 0; j < d; ++j) {
    const float* row = points.row(static_cast<int>(j));
    for (std::size_t i = 0; i < points.n; ++i) {
      const auto c = static_cast<std::size_t>(labels[i]);
      if (labels[i] < 0 || c >= clusters) continue;
      const double off =
          static_cast<double>(row[i]) - static_cast<double>(report.result.centroids[c * d + j]);
      sums[c] += off * off;
    }
  }
  for (std::size_t c = 0; c < clusters; ++c)
    sums[c] = counts[c] > 0 ? std::sqrt(sums[c] / static_cast<double>(counts[c]))
                            : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

QByteArray clusterHtml(const RunReport& report, std::span<const Label> labels, const QString& command,
                       const ProjectedPoints* projection) {
  const PointSet& points = *report.data;
  const QString source = qtext(points.source);
  const QString title =
      ReportStrings::tr("%1 in %2")
          .arg((QFileInfo(source).fileName().isEmpty() ? source : QFileInfo(source).fileName()) +
                   (points.part.empty() ? QString() : QStringLiteral(" (%1)").arg(qtext(points.part))),
               countedText(report.result.sizes.size(), ReportStrings::tr("%1 cluster"),
                           ReportStrings::tr("%1 clusters")));
  // Points that move are elsewhere by now, and those of a mapped file were never here.
  const bool drawable = inMemory(points) && !points.drift && labels.size() == points.n;
  Markup page;
  openPage(page, title);
  page.open("main");
  page.open("header");
  page.element("h1", title);
  if (!report.converged)
    page.element("p",
                 countedText(static_cast<std::uint64_t>(report.iterations),
                             ReportStrings::tr("The run has not converged after %1 iteration."),
                             ReportStrings::tr("The run has not converged after %1 iterations.")),
                 {{"class", QStringLiteral("warning")}});
  writeFacts(page, factsAbout(report, command));
  QStringList remarks;
  for (const std::string& remark : points.remarks)
    remarks << qtext(remark);
  writeList(page, ReportStrings::tr("Of the data"), remarks);
  page.close();
  writeClusters(page, report, drawable ? clusterSpreads(report, labels) : std::vector<double>());
  writeClasses(page, report);
  if (drawable) {
    writePhotograph(page, report, labels);
    writePoints(page, report, labels, projection);
  }
  writeSizes(page, report);
  writeConvergence(page, report);
  page.element("footer",
               ReportStrings::tr("Written by lloydscope %1. Headers and marks say more under the pointer.")
                   .arg(QStringLiteral(LLOYD_VERSION)));
  page.close();
  closePage(page);
  return page.toString().toUtf8();
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/cluster_pictures.hpp"

#include "app/data/write/recoloured.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/plot/plot_palette.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t mostDrawn = 6000; ///< points of a picture, so that a page opens at once
constexpr std::size_t few = 1000;       ///< of which each is to be seen alone
constexpr double width = 1060;
constexpr int mostSide = 1600; ///< of a photograph, pixels
constexpr std::size_t mostAxes = 3;

PlotRgb colourOf(const RunReport& report, std::size_t cluster) {
  const Channels colour = channelsOf(
      report.result.centroids.data() + cluster * static_cast<std::size_t>(report.data->d), *report.data);
  return PlotRgb{colour[0]} << 16 | PlotRgb{colour[1]} << 8 | PlotRgb{colour[2]};
}

/// What the axes of the pictures show, in the units of the file; principal components in those that were
/// clustered. A single column stands over its rows.
class DrawnAxes {
public:
  DrawnAxes(const PointSet& points, const ProjectedPoints* projection)
      : points_(points), projection_(projection) {}

  [[nodiscard]] std::size_t count() const {
    if (projection_) return projection_->projection.dimensions();
    return points_.d == 1 ? 2 : std::min<std::size_t>(mostAxes, static_cast<std::size_t>(points_.d));
  }
  [[nodiscard]] bool rows() const { return !projection_ && points_.d == 1; }
  [[nodiscard]] QString name(std::size_t axis) const {
    if (projection_) return qtext(projection_->projection.name(axis));
    if (rows() && axis == 0) return ReportStrings::tr("row");
    return columnNames(points_)[static_cast<qsizetype>(column(axis).value_or(0))];
  }
  [[nodiscard]] double point(std::size_t point, std::size_t axis) const {
    if (rows() && axis == 0) return static_cast<double>(points_.inputRow(point)) + 1;
    const float drawn = projection_ ? projection_->rows[axis * points_.n + point]
                                    : points_.row(static_cast<int>(*column(axis)))[point];
    return inFile(axis, static_cast<double>(drawn));
  }
  /// stored: [d], of a centroid; not over rows, where it has no place.
  [[nodiscard]] double centroid(std::span<const float> stored, std::size_t axis) const {
    return inFile(axis, projection_ ? projection_->projection.place(stored)[axis]
                                    : static_cast<double>(stored[*column(axis)]));
  }

private:
  /// Nothing where an axis shows a principal component.
  [[nodiscard]] std::optional<std::size_t> column(std::size_t axis) const {
    if (!projection_) return points_.d == 1 ? 0 : axis;
    const Axis& shown = projection_->projection.axes()[axis];
    if (shown.kind == Axis::Kind::column) return static_cast<std::size_t>(shown.index);
    return std::nullopt;
  }
  [[nodiscard]] double inFile(std::size_t axis, double drawn) const {
    const auto from = column(axis);
    return from ? points_.scaleOf(*from).inFile(drawn) : drawn;
  }

  const PointSet& points_;
  const ProjectedPoints* projection_;
};

PlotAxis axisAround(double low, double high, const QString& title) {
  const double room = high > low ? 0.03 * (high - low) : std::max(1.0, std::abs(low) * 1e-3);
  return {.title = title, .low = low - room, .high = high + room};
}

/// Points that lie sorted are all met: every so many are drawn.
std::size_t drawnPoint(std::size_t i, std::size_t drawn, std::size_t all) { return i * all / drawn; }

PlotPanel pointsPanel(const RunReport& report, std::span<const Label> labels, const DrawnAxes& axes,
                      std::array<std::size_t, 2> pair) {
  const PointSet& points = *report.data;
  const std::size_t clusters = report.result.sizes.size();
  const std::size_t drawn = std::min(points.n, mostDrawn);
  const bool photograph = isPhotograph(points);
  PlotPanel panel;
  panel.series.resize(clusters);
  std::array low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  std::array high{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};
  const auto include = [&](QPointF at) {
    low = {std::min(low[0], at.x()), std::min(low[1], at.y())};
    high = {std::max(high[0], at.x()), std::max(high[1], at.y())};
  };
  for (std::size_t c = 0; c < clusters; ++c)
    panel.series[c] = {.style = PlotSeries::Style::marks,
                       .ink = photograph ? PlotInk::exact(colourOf(report, c)) : PlotInk::series(c),
                       .marker = PlotMarker::grain,
                       .readings = {ReportStrings::tr("%1: %2").arg(clusterTitle(report, c),
                                                                    pointsText(report.result.sizes[c]))}};
  for (std::size_t i = 0; i < drawn; ++i) {
    const std::size_t point = drawnPoint(i, drawn, points.n);
    const auto c = static_cast<std::size_t>(labels[point]);
    if (labels[point] < 0 || c >= clusters) continue;
    panel.series[c].points.emplace_back(axes.point(point, pair[0]), axes.point(point, pair[1]));
    include(panel.series[c].points.back());
  }
  if (!axes.rows()) {
    const auto d = static_cast<std::size_t>(points.d);
    PlotSeries middles{.style = PlotSeries::Style::marks,
                       .ink = {PlotInk::Of::text},
                       .marker = PlotMarker::disc,
                       .bold = true};
    for (std::size_t c = 0; c < clusters; ++c) {
      const auto stored = std::span<const float>(report.result.centroids).subspan(c * d, d);
      middles.points.emplace_back(axes.centroid(stored, pair[0]), axes.centroid(stored, pair[1]));
      middles.labels.push_back(QString::number(c));
      middles.readings.push_back(ReportStrings::tr("centroid of %1").arg(clusterTitle(report, c)));
      include(middles.points.back());
    }
    panel.series.push_back(std::move(middles));
  }
  panel.x = axisAround(low[0], high[0], axes.name(pair[0]));
  panel.y = axisAround(low[1], high[1], axes.name(pair[1]));
  return panel;
}

QString pointsCaption(const RunReport& report, const DrawnAxes& axes, bool projected) {
  const PointSet& points = *report.data;
  QStringList says{projected
                       ? ReportStrings::tr("Each point in the colour of its cluster, columns in the units of "
                                           "the file.")
                       : ReportStrings::tr("Each point in the colour of its cluster, in the units of the "
                                           "file.")};
  if (isPhotograph(points)) says << ReportStrings::tr("A cluster has the colour of its centroid.");
  if (!axes.rows()) says << ReportStrings::tr("Numbered discs are the centroids.");
  if (points.d > static_cast<int>(axes.count())) {
    QStringList names;
    for (std::size_t axis = 0; axis < axes.count(); ++axis)
      names << axes.name(axis);
    says << ReportStrings::tr("Drawn by %1; all %2 columns are clustered.")
                .arg(names.join(QStringLiteral(", ")))
                .arg(points.d);
  }
  if (points.n > mostDrawn)
    says << ReportStrings::tr("%1 of %2 points are drawn, every so many of the rows.")
                .arg(countText(mostDrawn), countText(points.n));
  if (!isPhotograph(points) && report.result.sizes.size() > plotHues)
    says << ReportStrings::tr("Colours come again after %1 clusters.").arg(plotHues);
  return says.join(u' ');
}

} // namespace

QString clusterClass(std::size_t cluster) { return QStringLiteral("s%1").arg(cluster % plotHues); }

QString clusterStyle(const RunReport& report, std::size_t cluster) {
  return isPhotograph(*report.data) ? exactStyle(colourOf(report, cluster)) : QString();
}

QString clusterTitle(const RunReport& report, std::size_t cluster) {
  const QString number = ReportStrings::tr("cluster %1").arg(cluster);
  const QString name = clusterName(report, cluster);
  return name.isEmpty() ? number : ReportStrings::tr("%1, %2").arg(number, name);
}

void writePoints(Markup& page, const RunReport& report, std::span<const Label> labels,
                 const ProjectedPoints* projection) {
  const DrawnAxes axes(*report.data, projection);
  const bool space = axes.count() > 2;
  const SvgSize size{
      .width = width, .height = space ? 480.0 : 620.0, .left = 78, .right = 24, .top = 16, .bottom = 48};
  const QString classes = report.data->n < few ? QStringLiteral("points few") : QStringLiteral("points");
  QStringList pictures;
  for (std::size_t other = 1; other < axes.count(); ++other)
    pictures << svgFigure(
        pointsPanel(report, labels, axes, {0, other}), size,
        ReportStrings::tr("The points by cluster: %1 and %2").arg(axes.name(0), axes.name(other)), classes);
  writeFigure(page, ReportStrings::tr("Points"), pointsCaption(report, axes, projection != nullptr),
              pictures);
}

void writePhotograph(Markup& page, const RunReport& report, std::span<const Label> labels) {
  const PointSet& points = *report.data;
  const QByteArray png = recolouredPng(points, labels, report.result.centroids, mostSide);
  if (png.isEmpty()) return;
  QString caption = ReportStrings::tr("Each pixel in the colour of its centroid.");
  if (std::max(points.imageWidth, points.imageHeight) > mostSide)
    caption += u' ' + ReportStrings::tr("Made smaller for this page; the photograph has %1 x %2 pixels.")
                          .arg(points.imageWidth)
                          .arg(points.imageHeight);
  Markup picture;
  picture.empty("img",
                {{"alt", caption},
                 {"src", QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64())}});
  writeFigure(page,
              ReportStrings::tr("The photograph in %1")
                  .arg(countedText(report.result.sizes.size(), ReportStrings::tr("%1 colour"),
                                   ReportStrings::tr("%1 colours"))),
              caption, {picture.toString()});
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/point_tooltip.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr int mostColumns = 8; ///< of a tooltip

QString words(const char* text) { return QCoreApplication::translate("PointText", text); }

} // namespace

QString pointText(const PointSet& data, std::span<const float> position, std::size_t point, Label label,
                  const CentroidTrails& centroids) {
  QStringList lines;
  const std::uint64_t row = data.inputRow(point);
  if (data.colours && data.imageWidth > 0) {
    const auto width = static_cast<std::uint64_t>(data.imageWidth);
    lines << words("pixel %1, %2").arg(countText(row % width), countText(row / width));
  } else {
    lines << words("row %1 of the data").arg(countText(row + 1));
  }
  const std::size_t shown = std::min<std::size_t>(position.size(), mostColumns);
  for (std::size_t column = 0; column < shown; ++column) {
    const ColumnScale scale = column < data.scales.size() ? data.scales[column] : ColumnScale{};
    const QString name = column < data.columns.size() ? QString::fromStdString(data.columns[column])
                                                      : words("column %1").arg(column + 1);
    lines << QStringLiteral("%1: %2").arg(
        name, withSeparators(QString::number(
                  static_cast<double>(position[column]) * scale.factor + scale.offset, 'g', 6)));
  }
  if (data.d > mostColumns) lines << words("and %1 more columns").arg(data.d - mostColumns);
  if (label < 0 || label >= centroids.clusters()) {
    lines << words("no cluster yet");
    return lines.join(QLatin1Char('\n'));
  }
  lines << words("cluster %1").arg(label);
  if (!position.empty()) {
    const std::vector<float> centroid = centroids.coordinates(label);
    double square = 0;
    for (std::size_t j = 0; j < position.size(); ++j) {
      const double off = static_cast<double>(position[j]) - static_cast<double>(centroid[j]);
      square += off * off;
    }
    lines << words("distance to its centroid: %1").arg(significantText(std::sqrt(square), 4));
  }
  return lines.join(QLatin1Char('\n'));
}

QImage posterise(const PointSet& data, std::span<const Label> labels, const CentroidTrails& centroids) {
  const auto pixels = static_cast<std::size_t>(data.imageWidth) * static_cast<std::size_t>(data.imageHeight);
  if (!data.colours || data.d != 3 || pixels != data.n || labels.size() < pixels) return {};
  std::vector<QRgb> colours;
  for (int c = 0; c < centroids.clusters(); ++c) {
    const Rgb colour = colourOfCentroid(centroids.coordinates(c).data(), data);
    colours.push_back(qRgb(colour.r, colour.g, colour.b));
  }
  QImage image(data.imageWidth, data.imageHeight, QImage::Format_RGB32);
  for (int y = 0; y < data.imageHeight; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const Label* row =
        labels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(data.imageWidth);
    for (int x = 0; x < data.imageWidth; ++x) {
      const auto label = static_cast<std::size_t>(row[x]);
      line[x] = row[x] >= 0 && label < colours.size() ? colours[label] : qRgb(128, 128, 128);
    }
  }
  return image;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/point_tooltip.hpp"

#include "app/render/gl/gl.hpp"
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

template <class Value>
std::vector<Value> readBuffer(GLuint buffer, std::size_t first, std::size_t count) {
  std::vector<Value> values(count);
  Gl& gl = currentGl();
  gl.glBindBuffer(GL_ARRAY_BUFFER, buffer);
  gl.glGetBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(first * sizeof(Value)),
                        static_cast<GLsizeiptr>(count * sizeof(Value)), values.data());
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  return values;
}

std::vector<Label> readLabels(const PointBuffers& buffers, std::size_t first, std::size_t count) {
  const int front = buffers.frontLabels();
  const LabelWidth width = buffers.labelWidth(front);
  const std::size_t bytes = bytesOf(width);
  const auto stored = readBuffer<std::byte>(buffers.names().labels[static_cast<std::size_t>(front)],
                                            first * bytes, count * bytes);
  std::vector<Label> labels(count);
  widen({stored.data(), width}, labels);
  return labels;
}

} // namespace

QString pointText(const PointSet& data, const PickSource& positions, std::size_t point, Label label,
                  const CentroidTrails& centroids) {
  QStringList lines;
  const std::uint64_t row = data.inputRow(point);
  if (data.colours && data.imageWidth > 0) {
    const auto width = static_cast<std::uint64_t>(data.imageWidth);
    lines << words("pixel %1, %2").arg(countText(row % width), countText(row / width));
  } else {
    lines << words("row %1 of the data").arg(countText(row + 1));
  }
  const auto coordinate = [&positions, point](int j) {
    return static_cast<double>(positions.values[static_cast<std::size_t>(j) * positions.stride + point]);
  };
  const bool known = positions.values && point < positions.n;
  for (int j = 0; known && j < std::min(data.d, mostColumns); ++j) {
    const auto column = static_cast<std::size_t>(j);
    const ColumnScale scale = column < data.scales.size() ? data.scales[column] : ColumnScale{};
    const QString name = column < data.columns.size() ? QString::fromStdString(data.columns[column])
                                                      : words("column %1").arg(j + 1);
    lines << QStringLiteral("%1: %2").arg(
        name, withSeparators(QString::number(coordinate(j) * scale.factor + scale.offset, 'g', 6)));
  }
  if (data.d > mostColumns) lines << words("and %1 more columns").arg(data.d - mostColumns);
  if (label < 0 || label >= centroids.clusters()) {
    lines << words("no cluster yet");
    return lines.join(QLatin1Char('\n'));
  }
  lines << words("cluster %1").arg(label);
  if (known) {
    const std::vector<float> centroid = centroids.coordinates(label);
    double square = 0;
    for (int j = 0; j < data.d; ++j) {
      const double off = coordinate(j) - static_cast<double>(centroid[static_cast<std::size_t>(j)]);
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

Label readLabel(const PointBuffers& buffers, std::size_t point) {
  return readLabels(buffers, point, 1).front();
}

std::vector<Label> readLabels(const PointBuffers& buffers) { return readLabels(buffers, 0, buffers.size()); }

std::vector<float> readFrontPositions(const PointBuffers& buffers) {
  const auto front = static_cast<std::size_t>(buffers.frontPositions());
  return readBuffer<float>(buffers.names().positions[front], 0,
                           buffers.stride() * static_cast<std::size_t>(buffers.dimensions()));
}

} // namespace lloyd

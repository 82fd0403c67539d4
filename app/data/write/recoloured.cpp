// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/recoloured.hpp"

#include <QBuffer>
#include <QImage>
#include <QString>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace lloyd {
namespace {

constexpr QRgb unlabelled = 0xff808080;

/// ".png" of "A.PNG"
std::string endingOf(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return ending;
}

QString hex(Channels colour) {
  return QStringLiteral("%1%2%3")
      .arg(colour[0], 2, 16, QLatin1Char('0'))
      .arg(colour[1], 2, 16, QLatin1Char('0'))
      .arg(colour[2], 2, 16, QLatin1Char('0'));
}

/// One line, which is what a palette's name may be.
QString lineOf(const std::string& text) { return QString::fromStdString(text).simplified(); }

} // namespace

bool isPhotograph(const PointSet& points) {
  const auto pixels =
      static_cast<std::size_t>(points.imageWidth) * static_cast<std::size_t>(points.imageHeight);
  return points.colours && pixels > 0 && pixels == points.n && points.d >= 3;
}

Channels channelsOf(const float* centroid, const PointSet& points) {
  Channels channels{};
  const std::size_t first = static_cast<std::size_t>(points.d) - 3;
  for (std::size_t c = 0; c < 3; ++c) {
    const double value = points.scaleOf(first + c).inFile(static_cast<double>(centroid[first + c]));
    channels[c] = static_cast<std::uint8_t>(
        std::clamp(std::lround(value * 255 / static_cast<double>(points.white)), 0L, 255L));
  }
  return channels;
}

QImage recoloured(const PointSet& points, std::span<const Label> labels, std::span<const float> centroids) {
  if (!isPhotograph(points) || labels.size() < points.n) return {};
  const auto d = static_cast<std::size_t>(points.d);
  std::vector<QRgb> colours;
  for (std::size_t c = 0; c < centroids.size() / d; ++c) {
    const Channels colour = channelsOf(centroids.data() + c * d, points);
    colours.push_back(qRgb(colour[0], colour[1], colour[2]));
  }
  QImage image(points.imageWidth, points.imageHeight, QImage::Format_RGB32);
  if (image.isNull()) return image;
  for (int y = 0; y < points.imageHeight; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    const Label* row =
        labels.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(points.imageWidth);
    for (int x = 0; x < points.imageWidth; ++x) {
      const auto label = static_cast<std::size_t>(row[x]);
      line[x] = row[x] >= 0 && label < colours.size() ? colours[label] : unlabelled;
    }
  }
  return image;
}

QByteArray recolouredPng(const PointSet& points, std::span<const Label> labels,
                         std::span<const float> centroids, int most) {
  QImage image = recoloured(points, labels, centroids);
  if (image.isNull()) return {};
  if (std::max(image.width(), image.height()) > most)
    image = image.scaled(most, most, Qt::KeepAspectRatio, Qt::SmoothTransformation);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  return image.save(&buffer, "PNG") ? bytes : QByteArray();
}

tl::expected<AtomicFile, std::string> recolouredFile(const std::string& path, const PointSet& points,
                                                     std::span<const Label> labels,
                                                     std::span<const float> centroids) {
  const QByteArray bytes = recolouredPng(points, labels, centroids);
  if (bytes.isEmpty()) return tl::unexpected(path + ": the photograph could not be put together again");
  return writtenFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

tl::expected<AtomicFile, std::string> paletteFile(const std::string& path, const PointSet& points,
                                                  std::span<const float> centroids,
                                                  std::span<const std::uint32_t> sizes) {
  if (const std::string why = whyNotPaletteName(path); !why.empty()) return tl::unexpected(why);
  const auto d = static_cast<std::size_t>(points.d);
  std::vector<std::size_t> order(std::min(centroids.size() / d, sizes.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  const std::string ending = endingOf(path);
  QString text;
  if (ending == ".gpl")
    text = QStringLiteral("GIMP Palette\nName: %1 in %2 colours\nColumns: 8\n#\n")
               .arg(lineOf(std::filesystem::path(points.source).filename().string()))
               .arg(order.size());
  if (ending == ".csv") text = QStringLiteral("cluster,pixels,red,green,blue,hex\n");
  for (const std::size_t c : order) {
    const Channels colour = channelsOf(centroids.data() + c * d, points);
    if (ending == ".gpl")
      text += QStringLiteral("%1 %2 %3\tcluster %4\n")
                  .arg(colour[0], 3)
                  .arg(colour[1], 3)
                  .arg(colour[2], 3)
                  .arg(c);
    else if (ending == ".csv")
      text += QStringLiteral("%1,%2,%3,%4,%5,#%6\n")
                  .arg(c)
                  .arg(sizes[c])
                  .arg(colour[0])
                  .arg(colour[1])
                  .arg(colour[2])
                  .arg(hex(colour));
    else
      text += hex(colour) + QLatin1Char('\n');
  }
  const QByteArray bytes = text.toUtf8();
  return writtenFile(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

std::string whyNotPhotographName(const std::string& path) {
  return endingOf(path) == ".png"
             ? std::string()
             : path + ": a recoloured photograph is a PNG, and its name must end in .png";
}

std::string whyNotPaletteName(const std::string& path) {
  const std::string ending = endingOf(path);
  return ending == ".gpl" || ending == ".csv" || ending == ".hex"
             ? std::string()
             : path + ": the name of a palette must end in .gpl, .csv or .hex";
}

} // namespace lloyd

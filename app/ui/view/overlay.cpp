// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/overlay.hpp"

#include "app/data/precision/figures.hpp"
#include "app/data/table/table.hpp"
#include "app/data/write/recoloured.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/view/axis_texts.hpp"
#include "app/ui/view/cluster_colours.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr qsizetype longestName = 40; ///< characters of a column's name beside points

QString words(const char* text) { return QCoreApplication::translate("Overlay", text); }

constexpr double platePadding = 6;
constexpr int textFrom = 160;        ///< pixels of a view's height below which it belongs to the points
constexpr int textFromWidth = 280;   ///< and of its width
constexpr QPointF drawnCorner(8, 8); ///< where the number of drawn points stands

QRectF plateBox(const QFont& font, double right, const QString& text, QPointF topLeft,
                double padding = platePadding) {
  const QFontMetricsF metrics(font);
  // Not wider than what is left of the view.
  const double room = right - topLeft.x() - 2 * padding;
  const QRectF inner =
      metrics.boundingRect(QRectF(0, 0, std::clamp(room, 80.0, 420.0), 2000), Qt::TextWordWrap, text);
  return {topLeft, QSizeF(std::ceil(inner.width()) + 2 * padding, std::ceil(inner.height()) + padding)};
}

QRectF plateBox(const QPainter& painter, const QString& text, QPointF topLeft,
                double padding = platePadding) {
  return plateBox(painter.font(), painter.window().right(), text, topLeft, padding);
}

/// What keeps words legible over any points.
void paintGround(QPainter& painter, const QRectF& outer) {
  QColor ground = UiTheme::current().panel;
  ground.setAlphaF(0.88F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(outer, 5, 5);
}

/// Text on a plate. bare: without it, in a picture with nothing behind the points; then in a grey that can be
/// read on dark and light pages alike.
QRectF plate(QPainter& painter, const QString& text, QPointF topLeft, double padding = platePadding,
             bool bare = false) {
  const QRectF outer = plateBox(painter, text, topLeft, padding);
  if (!bare) paintGround(painter, outer);
  painter.setPen(bare ? UiTheme::current().dim : UiTheme::current().text);
  painter.drawText(outer.adjusted(padding, padding / 2, -padding, -padding / 2), Qt::TextWordWrap, text);
  return outer;
}

/// In the corner opposite the number of drawn points; empty where there is no key, or no room.
QRectF keyPlate(const QFont& font, QSize size, const ColourKey* key) {
  if (!key || size.height() < textFrom || size.width() < textFromWidth) return {};
  const QSizeF wanted = colourKeySize(font, *key);
  const double width = std::min(wanted.width(), 0.4 * size.width()) + 2 * platePadding;
  return {QPointF(size.width() - 8 - width, drawnCorner.y()),
          QSizeF(width, wanted.height() + 2 * platePadding)};
}

void paintKey(QPainter& painter, QSize size, const OverlayContent& content) {
  const QRectF outer = keyPlate(painter.font(), size, content.key);
  if (outer.isEmpty()) return;
  paintGround(painter, outer);
  QRectF inner = outer.adjusted(platePadding, platePadding, -platePadding, -platePadding);
  const int line = colourKeyLine(painter.font());
  painter.setPen(UiTheme::current().dim);
  painter.drawText(
      QRectF(inner.topLeft(), QSizeF(inner.width(), line)), Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(painter.font()).elidedText(content.key->title, Qt::ElideRight, inner.width()));
  paintColourKey(painter, inner.adjusted(0, line, 0, 0), *content.key);
}

void paintAxes(QPainter& painter, QSize size, const OverlayContent& content) {
  const UiTheme& theme = UiTheme::current();
  AxisTextsWanted wanted{.camera = *content.camera,
                         .pixelRatio = content.pixelRatio,
                         .view = size,
                         .font = painter.font(),
                         .names = {},
                         .taken = content.covered};
  for (int axis = 0; axis < 3; ++axis)
    wanted.names[static_cast<std::size_t>(axis)] = axisName(*content.data, axis, content.projection);
  if (const QString text = drawnTextIn(size, *content.data, content.drawn, content.projection);
      !text.isEmpty())
    wanted.taken.push_back(cornerPlate(painter.font(), size.width(), text));
  if (const QRectF key = keyPlate(painter.font(), size, content.key); !key.isEmpty())
    wanted.taken.push_back(key);
  const std::vector<AxisText> texts = axisTexts(wanted);
  for (const AxisText& text : texts) {
    if (!text.leader) continue;
    QColor line = theme.dim;
    line.setAlphaF(0.6F);
    painter.setPen(QPen(line, 1));
    painter.drawLine(*text.leader);
  }
  for (const AxisText& text : texts) {
    QColor ground = theme.view;
    ground.setAlphaF(0.72F);
    if (!content.transparent) painter.fillRect(text.box, ground);
    painter.setPen(theme.dim);
    painter.drawText(text.box, Qt::AlignCenter, text.text);
  }
}

void paintCentroids(QPainter& painter, const OverlayContent& content) {
  const double ratio = content.pixelRatio;
  const double radius = SceneRenderer::markerRadius(ratio, content.centroids.size()) / ratio;
  QFont font = painter.font();
  font.setBold(true);
  const double fitting = radius * (content.centroids.size() > 99 ? 0.85 : 1.05);
  font.setPixelSize(std::max(6, static_cast<int>(std::lround(fitting))));
  painter.save();
  painter.setFont(font);
  for (std::size_t c = 0; c < content.centroids.size(); ++c) {
    if (!content.centroids[c]) continue;
    const QPointF at(content.centroids[c]->x / ratio, content.centroids[c]->y / ratio);
    const Rgb colour = c < content.colours.size() ? content.colours[c] : Rgb{128, 128, 128};
    const QRectF box(at - QPointF(2 * radius, radius), QSizeF(4 * radius, 2 * radius));
    if (content.empty.size() > c && content.empty[c]) {
      painter.setBrush(UiTheme::current().view);
      painter.setPen(QPen(toQColor(colour), 2, Qt::DashLine));
      painter.drawEllipse(at, radius - 1, radius - 1);
      painter.setPen(UiTheme::current().text);
    } else {
      painter.setPen(toQColor(inkOn(colour)));
    }
    if (fitting >= 6) painter.drawText(box, Qt::AlignCenter, QString::number(c));
    if (content.selected == static_cast<int>(c)) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(UiTheme::current().accent, 2));
      painter.drawEllipse(at, radius + 4, radius + 4);
    }
  }
  painter.restore();
}

void paintPosterised(QPainter& painter, QSize size, const OverlayContent& content) {
  // Where there is little room it belongs to the points.
  if (content.posterised.isNull() || size.width() < 480 || size.height() < 300) return;
  const double scale = std::min({0.34 * size.width() / content.posterised.width(),
                                 0.34 * size.height() / content.posterised.height(), 1.0});
  const QSizeF extent(content.posterised.width() * scale, content.posterised.height() * scale);
  if (extent.width() < 24 || extent.height() < 24) return;
  const QRectF box(QPointF(size.width() - extent.width() - 12, 12), extent);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.fillRect(box.adjusted(-1, -1, 1, 1), UiTheme::current().line);
  painter.drawImage(box, content.posterised);
  plate(painter, words("each pixel in its centroid's colour"), box.bottomLeft() + QPointF(0, 4), 4,
        content.transparent);
}

constexpr std::size_t mostColumns = 20; ///< of a tooltip

QString valueLine(const std::string& column, const std::string& value) {
  return QStringLiteral("%1: %2").arg(
      withShortWords(QString::fromStdString(column), longestName),
      withSeparators(withShortWords(QString::fromStdString(value), longestName)));
}

/// All columns of the table, as far as there is room; the name and the class come first.
void addCells(QStringList& lines, const PointSet& data, std::size_t point) {
  const Table& table = *data.table;
  const auto nameColumn = table.columnWith(ColumnRole::name);
  std::size_t shown = 0;
  std::vector<std::size_t> order;
  if (const auto classes = table.columnWith(ColumnRole::classes)) order.push_back(*classes);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (c != nameColumn && table.columns[c].role != ColumnRole::classes) order.push_back(c);
  for (const std::size_t c : order) {
    if (shown == mostColumns) break;
    const std::string cell = cellAt(data, c, point);
    lines << valueLine(table.columns[c].name,
                       cell.empty() && !table.columns[c].tooManyWords ? std::string("\u2013") : cell);
    ++shown;
  }
  const std::size_t all = table.columns.size() - (nameColumn ? 1 : 0);
  if (all > shown)
    lines << countedText(all - shown, words("and %1 more column"), words("and %1 more columns"));
  if (nameColumn)
    lines.prepend(withShortWords(QString::fromStdString(cellAt(data, *nameColumn, point)), longestName));
}

/// The coordinates as they are now.
void addCoordinates(QStringList& lines, const PointSet& data, std::span<const float> position) {
  const std::size_t shown = std::min(position.size(), mostColumns);
  for (std::size_t column = 0; column < shown; ++column) {
    constexpr int digits = 6; // of what changes in every frame
    const std::string value =
        data.drift
            ? QString::number(data.scaleOf(column).inFile(static_cast<double>(position[column])), 'g', digits)
                  .toStdString()
            : figureText(data, column, position[column]);
    lines << valueLine(column < data.columns.size() ? data.columns[column]
                                                    : words("column %1").arg(column + 1).toStdString(),
                       value);
  }
  if (static_cast<std::size_t>(data.d) > mostColumns)
    lines << countedText(static_cast<std::size_t>(data.d) - mostColumns, words("and %1 more column"),
                         words("and %1 more columns"));
}

/// How many points there are to be seen. Which of those that are not drawn yet are hidden is not known.
std::size_t seenOf(const Drawn& drawn) {
  return std::min(drawn.points, drawn.total - std::min(drawn.hidden, drawn.total));
}

} // namespace

QString axisName(const PointSet& data, int axis, const ProjectedPoints* projection) {
  if (projection) {
    const auto which = static_cast<std::size_t>(axis);
    return which < projection->projection.dimensions()
               ? withShortWords(QString::fromStdString(projection->projection.name(which)), longestName)
               : QString();
  }
  if (data.d == 1 && axis == 0) return words("position in memory");
  const auto column = static_cast<std::size_t>(data.d == 1 ? 0 : axis);
  if (column >= data.columns.size()) return {};
  return withShortWords(QString::fromStdString(data.columns[column]), longestName);
}

std::array<AxisFigures, 3> axisFigures(const PointSet& data, const ProjectedPoints* projection) {
  std::array<AxisFigures, 3> figures;
  for (std::size_t axis = 0; axis < figures.size(); ++axis) {
    std::size_t column = data.d == 1 ? 0 : axis;
    if (projection) {
      const Axes& axes = projection->projection.axes();
      if (axis >= axes.size() || axes[axis].kind != Axis::Kind::column) continue;
      column = static_cast<std::size_t>(axes[axis].index);
    } else if (data.d == 1 && axis != 1) {
      continue; // the first axis is the position in memory
    }
    const ColumnScale scale = data.scaleOf(column);
    figures[axis] = {.offset = scale.offset, .factor = scale.factor};
  }
  return figures;
}

QString drawnText(const PointSet& data, const Drawn& drawn, const ProjectedPoints* projection) {
  QString text = drawn.complete() && drawn.hidden == 0
                     ? words("%1 drawn").arg(pointsText(drawn.total))
                     : words("%1 of %2 points drawn").arg(countText(seenOf(drawn)), countText(drawn.total));
  if (drawn.hidden > 0) text += words(", %1 hidden").arg(countText(drawn.hidden));
  if (!drawn.complete()) text += words("; all are clustered");
  if (drawn.density)
    text += drawn.majority ? words(", lightness is their number")
                           : words(", lightness is their number, colour that of any one of them (the "
                                   "majority's needs OpenGL 4.3)");
  if (data.d > 3 && !projection) text += words("; columns 1 to 3 of %1").arg(data.d);
  return text;
}

QString drawnTextIn(QSize view, const PointSet& data, const Drawn& drawn, const ProjectedPoints* projection) {
  if (view.height() >= textFrom && view.width() >= textFromWidth) return drawnText(data, drawn, projection);
  return drawn.complete() && drawn.hidden == 0
             ? QString()
             : words("%1 of %2 drawn").arg(countText(seenOf(drawn)), countText(drawn.total));
}

QRectF cornerPlate(const QFont& font, int width, const QString& text) {
  return text.isEmpty() ? QRectF() : plateBox(font, width - 1, text, drawnCorner);
}

void Overlay::paint(QPainter& painter, QSize size, const OverlayContent& content) {
  if (!content.data || !content.camera || size.width() < 8 || size.height() < 8) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paintAxes(painter, size, content);
  paintCentroids(painter, content);
  paintPosterised(painter, size, content);
  paintKey(painter, size, content);
  if (const QString text = drawnTextIn(size, *content.data, content.drawn, content.projection);
      !text.isEmpty())
    plate(painter, text, drawnCorner, platePadding, content.transparent);
  if (!content.hoverText.isEmpty()) {
    const QFontMetricsF metrics(painter.font());
    const QRectF text = metrics.boundingRect(QRectF(0, 0, 420, 2000), Qt::TextWordWrap, content.hoverText);
    QPointF at = content.hoverAt + QPointF(14, 14);
    at.setX(std::clamp(at.x(), 0.0, std::max(0.0, size.width() - text.width() - 16)));
    if (at.y() + text.height() + 12 > size.height())
      at.setY(std::max(0.0, content.hoverAt.y() - text.height() - 20));
    plate(painter, content.hoverText, at);
  }
}

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
  if (data.table)
    addCells(lines, data, point);
  else
    addCoordinates(lines, data, position);
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
  std::vector<float> all;
  for (int c = 0; c < centroids.clusters(); ++c) {
    const std::vector<float> one = centroids.coordinates(c);
    all.insert(all.end(), one.begin(), one.end());
  }
  return recoloured(data, labels, all);
}

} // namespace lloyd

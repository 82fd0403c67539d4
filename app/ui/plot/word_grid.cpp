// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/word_grid.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/plot/plot_palette.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <QBuffer>
#include <QFileInfo>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>
#include <QToolTip>

#include <algorithm>
#include <bit>
#include <utility>

namespace lloyd {
namespace {

using Cell = WordGridPicture::Cell;
using Hue = WordGridPicture::Hue;

constexpr double pad = 6;      ///< pixels around everything
constexpr double groupGap = 4; ///< between groups of columns
constexpr double rowGap = 4;
constexpr double apartGap = 8; ///< more between rows that are apart
constexpr double laneGap = 20; ///< below the lanes, for what ties them to their words
constexpr double leastCell = 5;
constexpr double mostCell = 30;
constexpr double smallText = 0.72;  ///< times the widget's
constexpr double leastShrink = 0.7; ///< of a cell's text, times that
constexpr int linesWide = 44;       ///< a saved picture, in lines of text

QColor colourOf(const Hue& hue) {
  const UiTheme& theme = UiTheme::current();
  switch (hue.of) {
  case Hue::Of::lane:
    return QColor::fromRgb(rampRgb(0.12 + 0.88 * static_cast<double>(hue.index % 32) / 31));
  case Hue::Of::series:
    return seriesColour(hue.index % plotHues, theme);
  case Hue::Of::several:
    return theme.accent;
  default:
    return theme.control;
  }
}

/// Lines from lower left to upper right, cut at the edges: not every viewer of SVG knows patterns.
void hatch(QPainter& painter, const QRectF& at) {
  constexpr double step = 4;
  const int lines = static_cast<int>((at.width() + at.height()) / step);
  for (int line = 0; line < lines; ++line) {
    const double along = step * (line + 0.5);
    const double left = std::max(0.0, along - at.height());
    const double right = std::min(along, at.width());
    if (right <= left) continue;
    painter.drawLine(QPointF(at.left() + left, at.top() + along - left),
                     QPointF(at.left() + right, at.top() + along - right));
  }
}

} // namespace

struct WordGrid::Layout {
  double labels = 0; ///< width before the columns
  double cell = leastCell;
  double height = leastCell;   ///< of a cell
  double lanes = 0;            ///< top of the lanes
  double columns = 0;          ///< top of the columns' numbers
  std::vector<double> rows;    ///< their tops
  std::vector<QPointF> legend; ///< of its entries, one for each
  double bottom = 0;
  int group = 8;

  [[nodiscard]] QRectF at(std::size_t column, double top) const {
    const std::size_t groups = column / static_cast<std::size_t>(group);
    return {pad + labels + static_cast<double>(column) * cell +
                static_cast<double>(groups) * (group > 1 ? groupGap : 0),
            top, cell, height};
  }
};

WordGrid::WordGrid(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void WordGrid::setPicture(WordGridPicture picture) {
  picture_ = std::move(picture);
  current_.reset();
  setAccessibleDescription(picture_.sentence);
  updateGeometry();
  update();
}

WordGrid::Layout WordGrid::layoutFor(double width) const {
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * smallText);
  const QFontMetricsF metrics(small);
  Layout layout;
  layout.group = std::max(1, picture_.group);
  const auto widen = [&](const QString& text) {
    layout.labels = std::max(layout.labels, metrics.horizontalAdvance(text) + pad);
  };
  widen(picture_.aboveText);
  widen(picture_.columnsText);
  for (const WordGridPicture::Row& row : picture_.rows)
    widen(row.label);
  const int groups = 31 / layout.group; // beside the first
  const double gaps = layout.group > 1 ? groups * groupGap : 0;
  layout.cell = std::clamp((width - 2 * pad - layout.labels - gaps) / 32, leastCell, mostCell);
  layout.height = metrics.height() + 2;
  double top = pad;
  layout.lanes = top;
  if (picture_.lanes) top += layout.height + laneGap;
  layout.columns = top;
  if (!picture_.columnsText.isEmpty()) top += metrics.height();
  bool first = true;
  for (const WordGridPicture::Row& row : picture_.rows) {
    if (row.apart && !first) top += apartGap;
    first = false;
    layout.rows.push_back(top);
    top += layout.height + rowGap;
  }
  top += rowGap;
  // An entry that does not fit behind the others begins a row of its own.
  double left = pad + layout.labels;
  for (const auto& [words, cell] : picture_.legend) {
    const double wide = layout.height + metrics.horizontalAdvance(words) + 3 * pad;
    if (left + wide > width && !layout.legend.empty()) {
      left = pad;
      if (layout.legend.back().y() == top) top += layout.height + rowGap;
    }
    layout.legend.emplace_back(left, top);
    left += wide;
  }
  layout.bottom = top + (picture_.legend.empty() ? 0 : layout.height) + pad;
  return layout;
}

QSize WordGrid::sizeHint() const {
  const Layout layout = layoutFor(width());
  return {560, static_cast<int>(layout.bottom)};
}

QSize WordGrid::minimumSizeHint() const {
  const int least = static_cast<int>(layoutFor(0).at(31, 0).right() + pad);
  return {least, static_cast<int>(layoutFor(std::max(least, width())).bottom)};
}

QRectF WordGrid::cellAt(std::size_t row, std::size_t column) const {
  const Layout layout = layoutFor(width());
  return row < layout.rows.size() ? layout.at(column, layout.rows[row]) : QRectF();
}

void WordGrid::drawCell(QPainter& painter, const QRectF& at, const Cell& cell) const {
  const UiTheme& theme = UiTheme::current();
  const QRectF inside = at.adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setBrush(Qt::NoBrush);
  if (!cell.fetched) {
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(inside);
    return;
  }
  const QColor colour = colourOf(cell.hue);
  painter.setPen(QPen(theme.dim, 1));
  // Runs of bytes, because a seam would show between two.
  for (unsigned first = 0, end = 0; first < 4; first = end) {
    const unsigned used = cell.used >> first & 1;
    while (end < 4 && (cell.used >> end & 1) == used)
      ++end;
    const double byte = inside.width() / 4;
    const QRectF part(inside.left() + first * byte, inside.top(), (end - first) * byte, inside.height());
    if (used != 0)
      painter.fillRect(part, colour);
    else
      hatch(painter, part);
  }
  const bool framed = cell.contended || cell.marked;
  painter.setPen(QPen(cell.contended ? theme.alert : cell.marked ? theme.text : theme.line, framed ? 2 : 1));
  painter.drawRect(inside);
  if (cell.text.isEmpty()) return;
  // A little smaller where that makes it fit; else it is left to the tooltip.
  const QFont font = painter.font();
  const double room = (at.width() - 1) / painter.fontMetrics().horizontalAdvance(cell.text);
  if (room < leastShrink) return;
  if (room < 1) {
    QFont smaller = font;
    smaller.setPointSizeF(font.pointSizeF() * room);
    painter.setFont(smaller);
  }
  painter.setPen(cell.used == 0xf ? lloyd::inkOn(colour) : theme.text);
  painter.drawText(at, Qt::AlignCenter, cell.text);
  painter.setFont(font);
}

void WordGrid::drawLanes(QPainter& painter, const Layout& layout) const {
  const UiTheme& theme = UiTheme::current();
  painter.setPen(theme.dim);
  painter.drawText(QRectF(pad, layout.lanes, layout.labels, layout.height), Qt::AlignLeft | Qt::AlignVCenter,
                   picture_.aboveText);
  // What ties lanes to words goes to the first row that has them, and is drawn first: boxes stand over it.
  painter.setRenderHint(QPainter::Antialiasing, true);
  for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
    for (std::size_t column = 0; column < 32; ++column) {
      const Cell& cell = picture_.rows[row].cells[column];
      const bool pointed = current_ && current_->row == row && current_->column == column;
      if (row > 0 && !pointed) continue;
      for (std::uint32_t left = cell.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(left));
        const QRectF from = layout.at(lane, layout.lanes);
        QRectF to = layout.at(column, layout.rows[row]);
        if (row == 0 && !picture_.columnsText.isEmpty()) to.setTop(layout.columns);
        painter.setPen(pointed ? QPen(theme.accent, 2) : QPen(theme.dim, 1));
        painter.drawLine(QPointF(from.center().x(), from.bottom()), QPointF(to.center().x(), to.top()));
      }
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    Cell box;
    box.hue = {Hue::Of::lane, lane};
    box.text = QString::number(lane);
    box.fetched = (*picture_.lanes >> lane & 1) != 0;
    box.used = 0xf;
    drawCell(painter, layout.at(lane, layout.lanes), box);
  }
}

void WordGrid::drawLegend(QPainter& painter, const Layout& layout) const {
  for (std::size_t entry = 0; entry < picture_.legend.size(); ++entry) {
    const auto& [words, cell] = picture_.legend[entry];
    const QPointF at = layout.legend[entry];
    const double width = painter.fontMetrics().horizontalAdvance(words);
    drawCell(painter, {at.x(), at.y(), layout.height, layout.height}, cell);
    painter.setPen(UiTheme::current().dim);
    painter.drawText(QRectF(at.x() + layout.height + 4, at.y(), width + 4, layout.height),
                     Qt::AlignLeft | Qt::AlignVCenter, words);
  }
}

void WordGrid::draw(QPainter& painter, const Layout& layout, bool onScreen) const {
  const UiTheme& theme = UiTheme::current();
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * smallText);
  painter.setFont(small);
  if (picture_.lanes) drawLanes(painter, layout);
  if (!picture_.columnsText.isEmpty()) {
    painter.setPen(theme.dim);
    const double height = painter.fontMetrics().height();
    painter.drawText(QRectF(pad, layout.columns, layout.labels, height), Qt::AlignLeft | Qt::AlignVCenter,
                     picture_.columnsText);
    const double room = painter.fontMetrics().horizontalAdvance(QStringLiteral("00 "));
    std::size_t each = 1;
    while (static_cast<double>(each) * layout.cell < room && each < 8)
      each *= 2;
    for (std::size_t column = 0; column < 32; column += each) {
      QRectF at = layout.at(column, layout.columns);
      at.setHeight(height);
      const double more = std::max(0.0, room - at.width());
      painter.drawText(at.adjusted(-more / 2, 0, more / 2, 0), Qt::AlignCenter, QString::number(column));
    }
  }
  for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
    painter.setPen(theme.dim);
    painter.drawText(QRectF(pad, layout.rows[row], layout.labels, layout.height),
                     Qt::AlignLeft | Qt::AlignVCenter, picture_.rows[row].label);
    for (std::size_t column = 0; column < 32; ++column)
      drawCell(painter, layout.at(column, layout.rows[row]), picture_.rows[row].cells[column]);
  }
  drawLegend(painter, layout);
  if (!onScreen || !current_) return;
  painter.setPen(QPen(theme.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(layout.at(current_->column, layout.rows[current_->row]).adjusted(-1, -1, 1, 1));
}

void WordGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  updateGeometry(); // the legend may take more rows, or fewer
}

QRectF WordGrid::legendAt(std::size_t entry) const {
  const Layout layout = layoutFor(width());
  if (entry >= layout.legend.size()) return {};
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * smallText);
  const double words = QFontMetricsF(small).horizontalAdvance(picture_.legend[entry].first);
  return {layout.legend[entry], QSizeF(layout.height + 4 + words, layout.height)};
}

void WordGrid::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter, layoutFor(width()), true);
  if (!hasFocus()) return;
  painter.setPen(QPen(UiTheme::current().accent, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// The same for every window: a narrow pane would leave no room for the numbers of lanes.
QSize WordGrid::wholeSize() const {
  const int text = static_cast<int>(QFontMetricsF(font()).height());
  const int wide = std::max(linesWide * text, minimumSizeHint().width());
  return {wide, static_cast<int>(layoutFor(wide).bottom) + 3 * text + 2 * static_cast<int>(pad)};
}

void WordGrid::drawWhole(QPainter& painter, QSize size) const {
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(QRect(QPoint(), size), theme.panel);
  QFont bold = font();
  bold.setBold(true);
  const QFontMetricsF metrics(bold);
  painter.setFont(bold);
  painter.setPen(theme.text);
  painter.drawText(QPointF(pad, pad + metrics.ascent()),
                   metrics.elidedText(picture_.title, Qt::ElideRight, size.width() - 2 * pad));
  painter.setFont(font());
  painter.drawText(QRectF(pad, pad + metrics.height(), size.width() - 2 * pad, 2 * metrics.height()),
                   Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, picture_.sentence);
  painter.translate(0, 3 * metrics.height() + pad);
  draw(painter, layoutFor(size.width()), false);
}

QImage WordGrid::image(double scale) const {
  const QSize size = wholeSize();
  QImage image((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&image);
  painter.scale(scale, scale);
  drawWhole(painter, size);
  return image;
}

QByteArray WordGrid::svg() const {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  const QSize size = wholeSize();
  generator.setOutputDevice(&buffer);
  generator.setSize(size);
  generator.setResolution(logicalDpiX()); // letters as large as on the screen
  generator.setViewBox(QRect(QPoint(), size));
  generator.setTitle(picture_.title.toHtmlEscaped()); // which Qt writes as it is
  generator.setDescription(picture_.sentence.toHtmlEscaped());
  QPainter painter(&generator);
  drawWhole(painter, size);
  painter.end();
  return bytes;
}

QString WordGrid::saveTo(const QString& path) const {
  const QString kind = QFileInfo(path).suffix().toLower();
  if (kind == QLatin1String("png")) return savePicture(image(), path);
  if (kind != QLatin1String("svg"))
    return tr("%1 was not written: pictures are saved as .svg or .png").arg(path);
  const QByteArray bytes = svg();
  const auto written =
      writeWholeFile(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  return written ? QString() : QString::fromStdString(written.error());
}

std::optional<WordGrid::Place> WordGrid::placeAt(const QPointF& at) const {
  const Layout layout = layoutFor(width());
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    if (at.y() < layout.rows[row] || at.y() >= layout.rows[row] + layout.height) continue;
    for (std::size_t column = 0; column < 32; ++column)
      if (layout.at(column, layout.rows[row]).contains(at)) return Place{row, column};
  }
  return std::nullopt;
}

QString WordGrid::wordsAt(const QPointF& place) const {
  const auto at = placeAt(place);
  return at ? picture_.rows[at->row].cells[at->column].tip : QString();
}

void WordGrid::point(std::optional<Place> at) {
  current_ = at;
  Q_EMIT said(at ? picture_.rows[at->row].cells[at->column].tip : QString());
  update();
}

void WordGrid::mouseMoveEvent(QMouseEvent* event) { point(placeAt(event->position())); }

void WordGrid::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  point(std::nullopt);
}

void WordGrid::keyPressEvent(QKeyEvent* event) {
  if (picture_.rows.empty()) return QWidget::keyPressEvent(event);
  Place at = current_.value_or(Place{});
  const bool first = !current_;
  switch (event->key()) {
  case Qt::Key_Left:
    if (!first && at.column > 0) --at.column;
    break;
  case Qt::Key_Right:
    if (!first && at.column < 31) ++at.column;
    break;
  case Qt::Key_Up:
    if (!first && at.row > 0) --at.row;
    break;
  case Qt::Key_Down:
    if (!first && at.row + 1 < picture_.rows.size()) ++at.row;
    break;
  default:
    return QWidget::keyPressEvent(event);
  }
  point(at);
}

void WordGrid::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
  updateGeometry();
  update();
}

bool WordGrid::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    // The window has arrows of its own.
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool arrow = key->key() >= Qt::Key_Left && key->key() <= Qt::Key_Down;
    if (arrow && !(key->modifiers() & ~Qt::KeypadModifier)) {
      event->accept();
      return true;
    }
  }
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), wordsAt(help->pos()), this);
  return true;
}

} // namespace lloyd

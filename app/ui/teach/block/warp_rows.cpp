// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/block/warp_rows.hpp"

#include "app/plot/plot_palette.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

using Doing = BlockReplay::WarpState::Doing;

constexpr double smallText = 0.8; ///< times the widget's
constexpr int pad = 6;
constexpr int leastBox = 5, mostBox = 11; ///< pixels of a lane
constexpr double boxesPart = 0.42;        ///< of the width, at the most
constexpr int shownAtLeast = 2;           ///< rows

QChar signOf(Doing doing) {
  constexpr QChar signs[] = {u'\u25b8', u'\u2016', u'\u2713', u'\u2715'};
  return signs[static_cast<std::size_t>(doing)];
}

QColor inkOf(Doing doing) {
  const UiTheme& theme = UiTheme::current();
  switch (doing) {
  case Doing::running:
    return theme.text;
  case Doing::waiting:
    return theme.accent;
  case Doing::stopped:
    return theme.alert;
  default:
    return theme.dim;
  }
}

} // namespace

QColor warpColour(std::size_t warp) { return seriesColour(warp % plotHues, UiTheme::current()); }

WarpRows::WarpRows(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setBackgroundRole(QPalette::Base);
}

QFont WarpRows::smallFont() const {
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * smallText);
  return small;
}

int WarpRows::rowHeight() const { return QFontMetrics(smallFont()).height() + 2; }
int WarpRows::wholeHeight() const { return rowHeight() * static_cast<int>(rows_.size()); }
int WarpRows::heightWithin(int most) const {
  return std::max(minimumSizeHint().height(), std::min(most, wholeHeight()) / rowHeight() * rowHeight());
}
QSize WarpRows::sizeHint() const { return {420, wholeHeight()}; }
QSize WarpRows::minimumSizeHint() const {
  return {260, rowHeight() * std::clamp(static_cast<int>(rows_.size()), 1, shownAtLeast)};
}

void WarpRows::setRows(std::vector<Row> rows, std::optional<std::size_t> current) {
  const bool other = rows.size() != rows_.size();
  rows_ = std::move(rows);
  current_ = current;
  if (other) {
    pointed_.reset();
    updateGeometry();
    fitBar();
  }
  if (current_) scrollTo(*current_);
  if (pointed_) point(pointed_); // what is said of it may be another thing now
  viewport()->update();
}

int WarpRows::seenHeight() const { return std::max(1, viewport()->height() / rowHeight()) * rowHeight(); }

void WarpRows::fitBar() {
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setPageStep(seenHeight());
  verticalScrollBar()->setRange(0, std::max(0, wholeHeight() - seenHeight()));
}

void WarpRows::scrollTo(std::size_t row) {
  const int top = rowHeight() * static_cast<int>(row);
  QScrollBar& bar = *verticalScrollBar();
  if (top < bar.value()) bar.setValue(top);
  if (top + rowHeight() > bar.value() + seenHeight()) bar.setValue(top + rowHeight() - seenHeight());
}

void WarpRows::resizeEvent(QResizeEvent*) {
  fitBar();
  if (current_) scrollTo(*current_);
}

void WarpRows::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(viewport());
  painter.setFont(smallFont());
  const QFontMetrics metrics(smallFont());
  const int width = viewport()->width(), height = rowHeight();
  const int labels = metrics.horizontalAdvance(tr("warp %1").arg(88)) + 2 * pad;
  const int box = std::clamp(static_cast<int>(width * boxesPart) / 32, leastBox, mostBox);
  const int boxHeight = std::min(height - 4, mostBox + 2);
  const int texts = labels + 32 * box + pad;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const int top = height * static_cast<int>(row) - verticalScrollBar()->value();
    if (top < 0 || top >= seenHeight()) continue;
    const Row& one = rows_[row];
    if (row == current_) painter.fillRect(0, top, width, height, theme.control);
    painter.setPen(row == current_ ? theme.text : theme.dim);
    painter.drawText(QRect(pad, top, labels, height), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("warp %1").arg(row));
    for (int lane = 0; lane < 32; ++lane) {
      const QRect at(labels + lane * box, top + (height - boxHeight) / 2, box - 1, boxHeight);
      const bool takesPart = (one.lanes >> lane & 1) != 0;
      painter.setPen(Qt::NoPen);
      if (takesPart && (one.doing == Doing::running || one.doing == Doing::stopped)) {
        painter.fillRect(at, one.doing == Doing::running ? warpColour(row) : theme.alert);
      } else {
        painter.setPen(takesPart ? theme.dim : theme.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(at.adjusted(0, 0, -1, -1));
      }
    }
    painter.setPen(inkOf(one.doing));
    painter.drawText(QRect(texts, top, 2 * pad, height), Qt::AlignCenter, signOf(one.doing));
    const QRect room(texts + 3 * pad, top, width - texts - 3 * pad, height);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(one.text, Qt::ElideRight, room.width()));
    if (row == pointed_ && hasFocus()) {
      painter.setPen(theme.accent);
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(0, top, width - 1, height - 1);
    }
  }
}

void WarpRows::point(std::optional<std::size_t> row) {
  pointed_ = row;
  Q_EMIT said(row ? tr("warp %1: %2").arg(*row).arg(rows_[*row].text) : QString());
  viewport()->update();
}

void WarpRows::keyPressEvent(QKeyEvent* event) {
  const bool up = event->key() == Qt::Key_Up, down = event->key() == Qt::Key_Down;
  if (rows_.empty() || (!up && !down)) return QAbstractScrollArea::keyPressEvent(event);
  std::size_t row = pointed_.value_or(current_.value_or(0));
  if (pointed_ && up && row > 0) --row;
  if (pointed_ && down && row + 1 < rows_.size()) ++row;
  point(row);
  scrollTo(row);
}

void WarpRows::mouseMoveEvent(QMouseEvent* event) {
  const int row = (qRound(event->position().y()) + verticalScrollBar()->value()) / rowHeight();
  const bool has = row >= 0 && row < static_cast<int>(rows_.size());
  point(has ? std::optional(static_cast<std::size_t>(row)) : std::nullopt);
}

void WarpRows::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
  updateGeometry();
  fitBar();
  viewport()->update();
}

bool WarpRows::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) point(std::nullopt);
  return QAbstractScrollArea::viewportEvent(event);
}

} // namespace lloyd

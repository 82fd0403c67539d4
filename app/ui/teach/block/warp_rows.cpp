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
constexpr int leastBox = 4, mostBox = 11; ///< pixels of a lane
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

/// Names become numbers and boxes smaller before words stand below. It depends on the width alone: a row must
/// not jump when its warp does another thing, or when a scroll bar comes.
WarpRows::Place WarpRows::place() const {
  const QFontMetrics metrics(smallFont());
  const int wide = width() - verticalScrollBar()->sizeHint().width();
  const int needed = metrics.horizontalAdvance(tr("line 888: waits"));
  const int usual = std::clamp(static_cast<int>(width() * boxesPart) / 32, leastBox, mostBox);
  Place place{};
  for (const auto& [named, box] :
       {std::pair(true, usual), std::pair(false, usual), std::pair(false, leastBox)}) {
    place = {.named = named, .box = box};
    place.labels = metrics.horizontalAdvance(nameOf(88, place)) + 2 * pad;
    place.sign = place.labels + 32 * box + pad / 2;
    place.words = place.sign + 3 * pad;
    if (wide - place.words >= needed) return place;
  }
  place = {.named = true, .box = usual, .sign = 2 * pad, .words = 5 * pad, .below = true};
  place.labels = metrics.horizontalAdvance(nameOf(88, place)) + 2 * pad;
  return place;
}

QString WarpRows::nameOf(std::size_t row, const Place& place) {
  return place.named ? tr("warp %1").arg(row) : QString::number(row);
}

int WarpRows::lineHeight() const { return QFontMetrics(smallFont()).height() + 2; }
int WarpRows::rowHeight() const { return lineHeight() * (place().below ? 2 : 1); }
int WarpRows::wholeHeight() const { return rowHeight() * static_cast<int>(rows_.size()); }
int WarpRows::heightWithin(int most) const {
  return std::max(minimumSizeHint().height(), std::min(most, wholeHeight()) / rowHeight() * rowHeight());
}
QSize WarpRows::sizeHint() const { return {420, wholeHeight()}; }
QSize WarpRows::minimumSizeHint() const {
  return {place().labels + leastBox * 32 + pad,
          rowHeight() * std::clamp(static_cast<int>(rows_.size()), 1, shownAtLeast)};
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
  if (const bool below = place().below; std::exchange(below_, below) != below) updateGeometry();
  fitBar();
  if (current_) scrollTo(*current_);
}

QString WarpRows::shownText(std::size_t row) const {
  const QFontMetrics metrics(smallFont());
  const int room = viewport()->width() - place().words;
  const Row& one = rows_[row];
  if (metrics.horizontalAdvance(one.text) <= room) return one.text;
  if (one.brief.isEmpty()) return metrics.elidedText(one.text, Qt::ElideRight, room);
  return metrics.elidedText(one.brief, Qt::ElideLeft,
                            room); // the number of the line is behind the file's name
}

void WarpRows::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(viewport());
  painter.setFont(smallFont());
  const int width = viewport()->width(), height = rowHeight(), line = lineHeight();
  const Place place = this->place();
  const int boxHeight = std::min(line - 4, mostBox + 2);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const int top = height * static_cast<int>(row) - verticalScrollBar()->value();
    if (top < 0 || top >= seenHeight()) continue;
    const Row& one = rows_[row];
    if (row == current_) painter.fillRect(0, top, width, height, theme.control);
    painter.setPen(row == current_ ? theme.text : theme.dim);
    painter.drawText(QRect(pad, top, place.labels, line), Qt::AlignLeft | Qt::AlignVCenter,
                     nameOf(row, place));
    for (int lane = 0; lane < 32; ++lane) {
      const QRect at(place.labels + lane * place.box, top + (line - boxHeight) / 2, place.box - 1, boxHeight);
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
    const int words = top + height - line;
    painter.drawText(QRect(place.sign, words, 2 * pad, line), Qt::AlignCenter, signOf(one.doing));
    painter.drawText(QRect(place.words, words, width - place.words, line), Qt::AlignLeft | Qt::AlignVCenter,
                     shownText(row));
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

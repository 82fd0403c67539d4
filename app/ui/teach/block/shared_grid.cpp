// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/block/shared_grid.hpp"

#include "app/model/teach/block/block_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/teach/block/warp_rows.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace lloyd {
namespace {

constexpr double smallText = 0.72; ///< times the widget's
constexpr double tinyText = 0.75;  ///< times that, for numbers of warps that are too wide
constexpr int pad = 6;
constexpr int leastCell = 5, mostCell = 26; ///< pixels
constexpr int shownAtLeast = 2;             ///< rows
constexpr std::size_t banks = 32;

} // namespace

SharedGrid::SharedGrid(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setBackgroundRole(QPalette::Base);
}

QFont SharedGrid::smallFont() const {
  QFont small = font();
  small.setPointSizeF(font().pointSizeF() * smallText);
  return small;
}

int SharedGrid::rowHeight() const { return QFontMetrics(smallFont()).height() + 3; }
int SharedGrid::labelWidth() const {
  return QFontMetrics(smallFont()).horizontalAdvance(QStringLiteral("888,888")) + 2 * pad;
}
int SharedGrid::cellWidth() const {
  return std::clamp((viewport()->width() - labelWidth() - pad) / static_cast<int>(banks), leastCell,
                    mostCell);
}
/// One row more for the numbers of the banks.
int SharedGrid::wholeHeight() const { return rowHeight() * (static_cast<int>(rows_.size()) + 1); }
QSize SharedGrid::sizeHint() const { return {420, wholeHeight()}; }
QSize SharedGrid::minimumSizeHint() const {
  return {labelWidth() + leastCell * static_cast<int>(banks) + pad,
          rowHeight() * std::clamp(static_cast<int>(rows_.size()) + 1, 1, shownAtLeast)};
}

void SharedGrid::setReplay(std::shared_ptr<const BlockReplay> replay) {
  replay_ = std::move(replay);
  rows_.clear();
  step_ = 0;
  touched_.clear();
  raced_.clear();
  pointed_.reset();
  if (replay_) {
    auto arrays = replay_->block()->sharedArrays;
    std::ranges::sort(arrays, {}, &simt::SharedMemory::Named::offset);
    for (const auto& array : arrays) {
      const std::size_t begin = array.offset / 4, end = (array.offset + array.bytes + 3) / 4;
      rows_.push_back({tr("%1, %2 bytes").arg(qtext(array.name), countText(array.bytes)), 0, 0, 0});
      for (std::size_t first = begin - begin % banks; first < end; first += banks)
        rows_.push_back({{}, first, std::max(first, begin), std::min(first + banks, end)});
    }
  }
  updateGeometry();
  fitBar();
  verticalScrollBar()->setValue(0);
  viewport()->update();
}

void SharedGrid::setStep(std::size_t step, std::set<std::size_t> touched, std::set<std::size_t> raced) {
  step_ = step;
  touched_ = std::move(touched);
  raced_ = std::move(raced);
  showTouched();
  if (pointed_) point(pointed_);
  viewport()->update();
}

void SharedGrid::showTouched() {
  const std::set<std::size_t>& words = raced_.empty() ? touched_ : raced_;
  if (!words.empty()) scrollTo(*words.begin());
}

int SharedGrid::topOf(std::size_t row) const {
  return rowHeight() * (static_cast<int>(row) + 1) - verticalScrollBar()->value();
}

std::optional<std::size_t> SharedGrid::rowOf(std::size_t word) const {
  const auto found =
      std::ranges::find_if(rows_, [&](const Row& row) { return word >= row.begin && word < row.end; });
  if (found == rows_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rows_.begin());
}

QRect SharedGrid::boxOf(std::size_t word) const {
  const auto row = rowOf(word);
  if (!row) return {};
  const int width = cellWidth();
  return {labelWidth() + static_cast<int>(word % banks) * width, topOf(*row), width, rowHeight()};
}

std::optional<std::size_t> SharedGrid::wordAt(const QPoint& at) const {
  if (at.y() < rowHeight() || at.y() >= seenHeight() || at.x() < labelWidth())
    return std::nullopt; // the banks' numbers stand over rows
  const auto row = static_cast<std::size_t>((at.y() + verticalScrollBar()->value()) / rowHeight() - 1);
  const auto column = static_cast<std::size_t>((at.x() - labelWidth()) / cellWidth());
  if (row >= rows_.size() || column >= banks) return std::nullopt;
  const std::size_t word = rows_[row].first + column;
  return word >= rows_[row].begin && word < rows_[row].end ? std::optional(word) : std::nullopt;
}

QString SharedGrid::wordsAt(const QPoint& at) const {
  const auto word = wordAt(at);
  return word ? wordText(*replay_, step_, *word) : QString();
}

int SharedGrid::seenHeight() const { return std::max(2, viewport()->height() / rowHeight()) * rowHeight(); }

void SharedGrid::fitBar() {
  verticalScrollBar()->setSingleStep(rowHeight());
  verticalScrollBar()->setPageStep(seenHeight() - rowHeight());
  verticalScrollBar()->setRange(0, std::max(0, wholeHeight() - seenHeight()));
}

void SharedGrid::scrollTo(std::size_t word) {
  const auto row = rowOf(word);
  if (!row) return;
  QScrollBar& bar = *verticalScrollBar();
  const int top = topOf(*row);
  if (top < rowHeight()) bar.setValue(bar.value() + top - rowHeight());
  if (top + rowHeight() > seenHeight()) bar.setValue(bar.value() + top + rowHeight() - seenHeight());
}

void SharedGrid::resizeEvent(QResizeEvent*) {
  fitBar();
  showTouched();
}

void SharedGrid::paintRow(QPainter& painter, const Row& row, int top) const {
  const UiTheme& theme = UiTheme::current();
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(theme.dim);
  if (!row.name.isEmpty()) {
    const QRect room(pad, top, viewport()->width() - pad, rowHeight());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.name, Qt::ElideRight, room.width()));
    return;
  }
  painter.drawText(QRect(pad, top, labelWidth() - 2 * pad, rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                   countText(row.first * 4));
  const int width = cellWidth();
  const QFont font = painter.font();
  QFont tiny = font;
  tiny.setPointSizeF(font.pointSizeF() * tinyText);
  for (std::size_t word = row.begin; word < row.end; ++word) {
    const QRect cell(labelWidth() + static_cast<int>(word % banks) * width, top + 1, width, rowHeight() - 2);
    const QRect inside = cell.adjusted(0, 0, -2, -1);
    const BlockReplay::Word known = replay_->wordAfter(step_, word);
    painter.setBrush(Qt::NoBrush);
    if (known.step > 0) {
      const std::size_t warp = replay_->warpOf(known.step).value_or(0);
      const QColor colour = warpColour(warp);
      painter.fillRect(inside, colour);
      const QString number = QString::number(warp);
      const bool shrinks = metrics.horizontalAdvance(number) > inside.width();
      painter.setPen(inkOn(colour));
      painter.setFont(shrinks ? tiny : font);
      if (painter.fontMetrics().horizontalAdvance(number) <= inside.width())
        painter.drawText(inside, Qt::AlignCenter, number);
      painter.setFont(font);
    } else {
      painter.setPen(theme.line);
      painter.drawRect(inside.adjusted(0, 0, -1, -1));
    }
    const bool isRaced = raced_.contains(word);
    if (!isRaced && !touched_.contains(word)) continue;
    painter.setPen(QPen(isRaced ? theme.alert : theme.text, 2));
    painter.drawRect(inside);
  }
}

void SharedGrid::paintEvent(QPaintEvent*) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(viewport());
  painter.setFont(smallFont());
  painter.setPen(theme.dim);
  if (!replay_) return;
  if (rows_.empty()) {
    painter.drawText(viewport()->rect().adjusted(pad, pad, -pad, -pad),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("This kernel has no shared memory: there is nothing to draw here."));
    return;
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const int top = topOf(row);
    if (top >= rowHeight() && top < seenHeight()) paintRow(painter, rows_[row], top);
  }
  painter.fillRect(0, 0, viewport()->width(), rowHeight(), theme.panel);
  painter.setPen(theme.dim);
  painter.drawText(QRect(pad, 0, labelWidth(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, tr("bank"));
  const bool fits = painter.fontMetrics().horizontalAdvance(QStringLiteral("88")) < cellWidth();
  for (int bank = 0; bank < static_cast<int>(banks); bank += fits ? 1 : 4)
    painter.drawText(
        QRect(labelWidth() + bank * cellWidth() - cellWidth(), 0, 3 * cellWidth() - 2, rowHeight()),
        Qt::AlignCenter, QString::number(bank));
  if (!pointed_) return;
  const QRect at = boxOf(*pointed_);
  if (at.top() < rowHeight()) return;
  painter.setPen(QPen(theme.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(at.adjusted(-1, 0, -1, -1));
}

void SharedGrid::point(std::optional<std::size_t> word) {
  pointed_ = word;
  Q_EMIT said(word ? wordText(*replay_, step_, *word) : QString());
  viewport()->update();
}

void SharedGrid::keyPressEvent(QKeyEvent* event) {
  const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const bool upright = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
  if (rows_.empty() || (!sideways && !upright)) return QAbstractScrollArea::keyPressEvent(event);
  std::size_t word = 0;
  if (pointed_) {
    const std::size_t by = sideways ? 1 : banks;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    word = back ? *pointed_ - std::min(by, *pointed_) : *pointed_ + by;
    if (!rowOf(word)) word = *pointed_;
  } else {
    word = touched_.empty() ? rows_[1].begin : *touched_.begin();
  }
  point(word);
  scrollTo(word);
}

void SharedGrid::mouseMoveEvent(QMouseEvent* event) {
  if (replay_) point(wordAt(event->position().toPoint()));
}

void SharedGrid::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::PaletteChange) return;
  updateGeometry();
  fitBar();
  viewport()->update();
}

bool SharedGrid::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && replay_) point(std::nullopt);
  return QAbstractScrollArea::viewportEvent(event);
}

} // namespace lloyd

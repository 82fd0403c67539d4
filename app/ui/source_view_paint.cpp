// SPDX-License-Identifier: GPL-3.0-or-later
// What the source view paints besides its text: bands, signs and numbers, and what lines asked.
#include "app/model/counter_model.hpp"
#include "app/ui/source_view.hpp"
#include "app/ui/theme.hpp"

#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace lloyd {

namespace {

constexpr double marginSize = 0.9; ///< of what lines asked, times the source's

QColor inkOf(DiffLine::Mark mark) {
  const bool dark = UiTheme::current().dark;
  switch (mark) {
  case DiffLine::Mark::added:
    return dark ? QColor("#6fdcab") : QColor("#0b6b45");
  case DiffLine::Mark::changed:
    return dark ? QColor("#8db8ff") : QColor("#1d4fa8");
  case DiffLine::Mark::removed:
    return dark ? QColor("#f0a3a3") : QColor("#9b2c2c");
  default:
    return UiTheme::current().dim;
  }
}

} // namespace

QColor SourceView::bandColour(DiffLine::Mark mark) {
  const bool dark = UiTheme::current().dark;
  switch (mark) {
  case DiffLine::Mark::added:
    return dark ? QColor("#16382f") : QColor("#d9f2e3");
  case DiffLine::Mark::changed:
    return dark ? QColor("#1d3050") : QColor("#dce8fb");
  case DiffLine::Mark::removed:
    return dark ? QColor("#33232a") : QColor("#f6e6e6");
  default:
    return {};
  }
}

void SourceView::paintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(event->rect(), theme.panel);
  painter.setFont(font());
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('8'));
  QTextBlock block = firstVisibleBlock();
  for (; block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > event->rect().bottom()) break;
    const auto row = static_cast<std::size_t>(block.blockNumber());
    if (row >= rows_.size()) break;
    const Row& one = rows_[row];
    const QRect line(0, int(at.top()), gutter_->width(), int(at.height()));
    const QColor band = bandColour(one.mark);
    if (band.isValid()) painter.fillRect(line, band);
    painter.setPen(inkOf(one.mark));
    painter.drawText(line.adjusted(pad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, sign(one.mark));
    painter.setPen(theme.dim);
    if (const int number = comparison_.now.numberOf(one.number - 1); number > 0)
      painter.drawText(line.adjusted(pad + digit, 0, -pad, 0), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(number));
  }
}

QString SourceView::marginOf(int row, bool shortened) const {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return {};
  const auto found = counters_.find(rows_[static_cast<std::size_t>(row)].number);
  return found == counters_.end() ? QString() : marginText(found->second, shortened);
}

/// What a line asked follows the line where there is room. Where there is none it is shortened, and stands at
/// the view's edge.
void SourceView::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  if (counters_.empty()) return;
  QPainter painter(viewport());
  const UiTheme& theme = UiTheme::current();
  // By its family, because a painter completes what a font leaves open with the widget's own.
  QFont plain(parentWidget() ? parentWidget()->font().family() : font().family());
  plain.setPointSizeF(font().pointSizeF() * marginSize);
  painter.setFont(plain);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetrics metrics(plain);
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > viewport()->height()) break;
    QString words = marginOf(block.blockNumber(), false);
    if (words.isEmpty()) continue;
    const int end = int(at.left()) + fontMetrics().horizontalAdvance(block.text()) + 3 * pad;
    const auto widthOf = [&] { return metrics.horizontalAdvance(words) + 2 * pad; };
    if (end + widthOf() > viewport()->width()) words = marginOf(block.blockNumber(), true);
    const int width = widthOf();
    const int left = std::min(end, viewport()->width() - width - 2);
    const QRectF plate(left, at.top() + 1, width, at.height() - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.control);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(theme.accent);
    painter.drawText(plate, Qt::AlignCenter, words);
  }
}

} // namespace lloyd

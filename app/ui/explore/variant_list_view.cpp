// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/variant_list_view.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"

#include <QPainter>

#include <algorithm>

namespace lloyd {

namespace {

/// The parts of a row, left to right.
struct Columns {
  QRect stage, version, name, bar, number;
};

Columns columnsOf(const QRect& row, const QFontMetrics& metrics) {
  const int gap = metrics.horizontalAdvance(QLatin1Char(' ')) * 2;
  const int stage = metrics.horizontalAdvance(QStringLiteral("classify")) + 4;
  const int version = metrics.horizontalAdvance(QStringLiteral("cpu.v3")) * 5 / 4; // bold is wider
  const int number = metrics.horizontalAdvance(QStringLiteral("888,888")) + 6;
  Columns columns;
  int x = row.left() + gap;
  const auto take = [&](int width) {
    const QRect cell(x, row.top(), width, row.height());
    x += width + gap;
    return cell;
  };
  columns.stage = take(stage);
  columns.version = take(version);
  const int left = row.right() - x - number - 2 * gap;
  columns.name = take(left > 260 ? left * 2 / 5 : 0);
  columns.bar = take(std::max(10, row.right() - gap - number - gap - x));
  columns.number = take(number);
  return columns;
}

} // namespace

QSize LadderRowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {120, option.fontMetrics.height() + 5};
}

void LadderRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const LadderRow row = index.data(VariantListModel::ladderRowRole).value<LadderRow>();
  const UiTheme& theme = UiTheme::current();
  const Columns columns = columnsOf(option.rect, option.fontMetrics);
  const bool can = row.whyNot.isEmpty();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus)) {
    painter->fillRect(option.rect, theme.control);
  }
  const bool first = index.data(VariantListModel::firstOfStageRole).toBool();
  if (first && index.row() > 0) {
    painter->setPen(theme.line);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  const auto write = [&](const QRect& cell, const QString& text, Qt::Alignment side, const QColor& colour) {
    painter->setPen(colour);
    painter->drawText(cell, int(side | Qt::AlignVCenter),
                      option.fontMetrics.elidedText(text, Qt::ElideRight, cell.width()));
  };
  if (first) write(columns.stage, qtext(name(row.stage)), Qt::AlignLeft, theme.dim);
  QFont font = option.font;
  font.setBold(row.current);
  painter->setFont(font);
  write(columns.version, nameWithin(row.stage, *row.variant), Qt::AlignLeft, can ? theme.text : theme.dim);
  painter->setFont(option.font);
  if (!can) {
    QRect rest = columns.name.width() > 0 ? columns.name : columns.bar;
    rest.setRight(columns.bar.right());
    // The row has said which variant it is.
    QString why = row.whyNot;
    const QString id = QString::fromStdString(row.variant->id()) + QLatin1Char(' ');
    if (why.startsWith(id)) why.remove(0, id.size());
    write(rest, why, Qt::AlignLeft, theme.dim);
    write(columns.number, unknownText(), Qt::AlignRight, theme.dim);
    painter->restore();
    return;
  }
  if (columns.name.width() > 0) write(columns.name, qtext(row.variant->info.name), Qt::AlignLeft, theme.dim);
  const double longest = index.data(VariantListModel::longestUsRole).toDouble();
  if (row.times.samples > 0 && longest > 0) {
    const int height = std::max(6, option.rect.height() / 2);
    QRectF bar(columns.bar.left(), option.rect.center().y() - height / 2.0 + 1,
               std::max(2.0, columns.bar.width() * row.times.median / longest), height);
    painter->setPen(Qt::NoPen);
    painter->setBrush(row.current ? theme.accent : theme.bar);
    painter->drawRoundedRect(bar, 1.5, 1.5);
  }
  painter->setFont(font);
  write(columns.number, row.times.samples > 0 ? microsecondsText(row.times.median) : unknownText(),
        Qt::AlignRight, theme.text);
  painter->restore();
}

VariantListView::VariantListView(VariantListModel& model, QWidget* parent) : QListView(parent) {
  setObjectName(QStringLiteral("ladder"));
  setModel(&model);
  setItemDelegate(new LadderRowDelegate(this));
  setMouseTracking(true);
  setUniformItemSizes(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSelectionMode(QAbstractItemView::NoSelection);
  setAccessibleName(tr("Ladder of variants"));
  setAccessibleDescription(tr("Every variant and stage with its live median in microseconds"));
  connect(this, &QListView::clicked, this, &VariantListView::choose);
  connect(this, &QListView::activated, this, &VariantListView::choose);
}

std::optional<Stage> VariantListView::focusedStage() const {
  if (!currentIndex().isValid()) return std::nullopt;
  return currentIndex().data(VariantListModel::ladderRowRole).value<LadderRow>().stage;
}

void VariantListView::choose(const QModelIndex& index) {
  const LadderRow row = index.data(VariantListModel::ladderRowRole).value<LadderRow>();
  if (row.variant && row.whyNot.isEmpty() && !row.current) Q_EMIT chosen(row.stage, row.variant);
}

} // namespace lloyd

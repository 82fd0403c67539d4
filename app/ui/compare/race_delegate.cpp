// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/race_delegate.hpp"

#include "app/model/race/race_table_model.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

using Kind = RaceTableModel::Kind;

constexpr int margin = 6; ///< pixels at both ends of a cell

Kind kindOf(const QModelIndex& index) {
  return static_cast<Kind>(index.data(RaceTableModel::kindRole).toInt());
}

RaceEntry::State stateOf(const QModelIndex& index) {
  return static_cast<RaceEntry::State>(index.data(RaceTableModel::stateRole).toInt());
}

bool isColumn(const QModelIndex& index, RaceColumn column) {
  return index.column() == static_cast<int>(column);
}

bool isSelected(const QStyleOptionViewItem& option) { return option.state & QStyle::State_Selected; }

QRect inside(const QRect& cell) { return cell.adjusted(margin, 0, -margin, 0); }

/// The tick's square at the left of a variant's cell.
QRect tickRect(const QStyleOptionViewItem& option) {
  const int side = option.fontMetrics.height() - 3;
  return {option.rect.left() + margin, option.rect.center().y() - side / 2 + 1, side, side};
}

void paintTick(QPainter* painter, const QRectF& box, bool ticked) {
  const UiTheme& theme = UiTheme::current();
  painter->setPen(QPen(ticked ? theme.accent : theme.dim, 1));
  painter->setBrush(ticked ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
  painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5);
  if (!ticked) return;
  painter->setPen(QPen(theme.onAccent, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const auto at = [&](double x, double y) {
    return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
  };
  const QPointF hook[]{at(0.24, 0.53), at(0.43, 0.72), at(0.77, 0.3)};
  painter->drawPolyline(hook, 3);
}

void write(QPainter* painter, const QRect& cell, const QString& words, Qt::Alignment side) {
  painter->drawText(cell, int(side | Qt::AlignVCenter),
                    painter->fontMetrics().elidedText(words, Qt::ElideRight, cell.width()));
}

/// The row under the keyboard is marked by its ground and an edge, so that colours on it keep their meaning.
void paintGround(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  if (!isSelected(option)) return;
  painter->fillRect(option.rect, theme.control);
  if (index.column() == 0)
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), theme.accent);
}

/// A letter in a box, at the right end of the room; returns what is left of it.
QRect paintChip(QPainter* painter, QRect room, const QString& letter) {
  const UiTheme& theme = UiTheme::current();
  const int side = painter->fontMetrics().height();
  const QRect box(room.right() - side + 1, room.center().y() - side / 2 + 1, side, side - 1);
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme.accent);
  painter->drawRoundedRect(box, 3, 3);
  painter->setPen(theme.onAccent);
  painter->drawText(box, Qt::AlignCenter, letter);
  room.setRight(box.left() - 3);
  return room;
}

} // namespace

QColor fasterColour() { return QColor(UiTheme::current().dark ? "#7fd8a2" : "#176b39"); }

QColor slowerColour() { return UiTheme::current().alert; }

QSize RaceDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  size.setHeight(option.fontMetrics.height() + 6);
  return size;
}

void RaceDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const UiTheme& theme = UiTheme::current();
  option->state &= ~(QStyle::State_Selected | QStyle::State_HasFocus | QStyle::State_MouseOver);
  if (kindOf(index) != Kind::variant) return;
  const RaceEntry::State state = stateOf(index);
  QColor colour = theme.text;
  if (state == RaceEntry::State::cannot || option->text == unknownText()) colour = theme.dim;
  if (isColumn(index, RaceColumn::verdict) || isColumn(index, RaceColumn::deltaUs) ||
      isColumn(index, RaceColumn::deltaPercent)) {
    const int better = index.data(RaceTableModel::betterRole).toInt();
    if (better != 0) colour = better > 0 ? fasterColour() : slowerColour();
    if (better == 0 && isColumn(index, RaceColumn::verdict)) colour = theme.dim;
  }
  const bool says = isColumn(index, RaceColumn::verdict) || isColumn(index, RaceColumn::verified);
  if (state == RaceEntry::State::differs) colour = says ? theme.alert : theme.dim;
  if (index.data(RaceTableModel::liveRole).toBool()) {
    option->font.setItalic(true);
    if (isColumn(index, RaceColumn::verdict)) colour = theme.dim;
  }
  if (isColumn(index, RaceColumn::median) || isColumn(index, RaceColumn::rank))
    option->font.setBold(state == RaceEntry::State::ranked);
  if (isColumn(index, RaceColumn::verified) && state == RaceEntry::State::ranked) colour = theme.dim;
  option->palette.setColor(QPalette::Text, colour);
}

void RaceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  paintGround(painter, option, index);
  switch (kindOf(index)) {
  case Kind::heading:
    paintHeading(painter, option, index);
    break;
  case Kind::reason:
    paintReason(painter, option, index);
    break;
  case Kind::variant: {
    QStyleOptionViewItem own = option;
    initStyleOption(&own, index);
    if (isColumn(index, RaceColumn::variant)) {
      paintVariant(painter, own, index);
    } else if (isColumn(index, RaceColumn::bar)) {
      paintBar(painter, own, index);
    } else {
      const bool cannot = stateOf(index) == RaceEntry::State::cannot;
      painter->setFont(own.font);
      painter->setPen(own.palette.color(QPalette::Text));
      write(painter, inside(option.rect), own.text, cannot ? Qt::AlignLeft : own.displayAlignment);
    }
    break;
  }
  }
  painter->restore();
}

void RaceDelegate::paintHeading(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  if (index.row() > 0) {
    painter->setPen(theme.line);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  const QRect room = inside(option.rect);
  if (isColumn(index, RaceColumn::variant)) {
    QFont font = option.font;
    font.setBold(true);
    painter->setFont(font);
    painter->setPen(theme.text);
    write(painter, room, index.data().toString(), Qt::AlignLeft);
  }
  const auto axis = index.data(RaceTableModel::barRole).value<RaceBar>();
  if (!isColumn(index, RaceColumn::bar) || !(axis.longest > 0)) return;
  painter->setPen(theme.dim);
  write(painter, room, QStringLiteral("0"), Qt::AlignLeft);
  write(painter, room, significantText(axis.longest, 2), Qt::AlignRight);
}

void RaceDelegate::paintReason(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  painter->setPen(theme.line);
  painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  painter->setPen(theme.dim);
  const bool open = index.data(RaceTableModel::openRole).toBool();
  write(painter, inside(option.rect),
        QString(QChar(open ? 0x25be : 0x25b8)) + QStringLiteral("  ") + index.data().toString(),
        Qt::AlignLeft);
}

void RaceDelegate::paintVariant(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  QRect room = inside(option.rect);
  const QRect tick = tickRect(option);
  const QVariant checked = index.data(Qt::CheckStateRole);
  if (checked.isValid()) paintTick(painter, tick, checked.toInt() == Qt::Checked);
  room.setLeft(tick.right() + margin);
  for (const QString& letter :
       index.data(RaceTableModel::markRole).toString().split(QLatin1Char(' '), Qt::SkipEmptyParts))
    room = paintChip(painter, room, letter);
  QFont font = option.font;
  font.setItalic(false);
  font.setBold(index.data(RaceTableModel::currentRole).toBool());
  painter->setFont(font);
  painter->setPen(stateOf(index) == RaceEntry::State::cannot ? theme.dim : theme.text);
  write(painter, room, option.text, Qt::AlignLeft);
}

void RaceDelegate::paintBar(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  const auto bar = index.data(RaceTableModel::barRole).value<RaceBar>();
  if (!(bar.longest > 0)) return;
  const QRectF room = inside(option.rect);
  const auto x = [&](double us) { return room.left() + room.width() * std::min(1.0, us / bar.longest); };
  const double middle = room.center().y() + 0.5;
  const double height = std::max(6.0, std::round(option.rect.height() * 0.5));
  if (bar.median > 0) {
    const QRectF shape(room.left(), middle - height / 2, std::max(2.0, x(bar.median) - room.left()), height);
    const bool best = bar.ranked && index.siblingAtColumn(static_cast<int>(RaceColumn::rank))
                                            .data(RaceTableModel::valueRole)
                                            .toDouble() == 1;
    const QColor ink = best ? theme.accent : theme.bar;
    painter->setPen(bar.ranked ? QPen(Qt::NoPen) : QPen(ink, 1));
    painter->setBrush(bar.ranked ? QBrush(ink)
                      : bar.live ? QBrush(Qt::NoBrush)
                                 : QBrush(ink, Qt::BDiagPattern));
    painter->drawRoundedRect(shape, 1.5, 1.5);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(theme.text, 1));
    const double cap = height / 4;
    painter->drawLine(QPointF(x(bar.low), middle), QPointF(x(bar.high), middle));
    for (const double end : {bar.low, bar.high}) {
      if (end > bar.longest) continue; // it goes on beyond the axis
      painter->drawLine(QPointF(x(end), middle - cap), QPointF(x(end), middle + cap));
    }
  }
  if (!(bar.baselineUs > 0) || bar.baselineUs > bar.longest) return;
  painter->setRenderHint(QPainter::Antialiasing, false);
  painter->setPen(QPen(theme.dim, 1, Qt::DashLine));
  const double at = x(bar.baselineUs);
  painter->drawLine(QPointF(at, option.rect.top()), QPointF(at, option.rect.bottom()));
}

bool RaceDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index) {
  if (event->type() != QEvent::MouseButtonRelease || !(index.flags() & Qt::ItemIsUserCheckable)) return false;
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QRect target = tickRect(option).adjusted(-margin, -margin, 3, margin);
  if (mouse->button() != Qt::LeftButton || !target.contains(mouse->position().toPoint())) return false;
  const bool checked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
  return model->setData(index, checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

} // namespace lloyd

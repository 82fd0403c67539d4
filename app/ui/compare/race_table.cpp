// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/race_table.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

using Column = RaceColumn;

/// Always there.
constexpr std::array essential{Column::variant, Column::rank, Column::bar, Column::median, Column::verdict};
/// The others, the most telling first.
constexpr std::array byWorth{
    Column::againstBaseline, Column::againstFirst, Column::deltaUs,   Column::verified,  Column::p95,
    Column::ofLimit,         Column::rechecked,    Column::noise,     Column::bandwidth, Column::min,
    Column::samples,         Column::registers,    Column::occupancy, Column::published, Column::local,
    Column::shared,          Column::deltaPercent};
constexpr int barFloor = 130; ///< pixels
/// Columns from the verdict to the gains, which all are empty for a variant whose results differ.
constexpr int comparing = static_cast<int>(Column::againstFirst) - static_cast<int>(Column::verdict) + 1;

/// What fits a column whatever is measured.
QString usual(Column column) {
  switch (column) {
  case Column::variant:
    return QStringLiteral("classify.general");
  case Column::rank:
    return QStringLiteral("18=");
  case Column::verdict:
    return RaceTable::tr("takes 8.88 times as long");
  case Column::verified:
    return RaceTable::tr("verified");
  case Column::deltaUs:
    return QStringLiteral("+88,888");
  case Column::median:
  case Column::p95:
  case Column::min:
  case Column::shared:
    return QStringLiteral("888,888");
  case Column::againstBaseline:
  case Column::againstFirst:
  case Column::deltaPercent:
    return QStringLiteral("+88.88");
  default:
    return QStringLiteral("88.88");
  }
}

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

void write(QPainter* painter, const QRect& cell, const QString& text, Qt::Alignment side) {
  painter->drawText(cell, int(side | Qt::AlignVCenter),
                    painter->fontMetrics().elidedText(text, Qt::ElideRight, cell.width()));
}

/// The row under the keyboard is marked by its ground and an edge, so that colours on it keep their meaning.
void paintGround(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const UiTheme& theme = UiTheme::current();
  if (!isSelected(option)) return;
  painter->fillRect(option.rect, theme.control);
  if (index.column() == 0)
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), theme.accent);
}

/// At the end of a line that goes on to the right.
void paintArrowHead(QPainter* painter, QPointF tip, double side) {
  const QPointF corners[]{tip, tip - QPointF(side, side), tip - QPointF(side, -side)};
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(UiTheme::current().text);
  painter->drawPolygon(corners, 3);
  painter->restore();
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

RaceTable::RaceTable(RaceTableModel& model, QWidget* parent) : QTableView(parent), model_(model) {
  setObjectName(QStringLiteral("raceTable"));
  setModel(&model);
  setItemDelegate(new RaceDelegate(this));
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setContextMenuPolicy(Qt::CustomContextMenu);
  setAccessibleName(tr("Race of the variants"));
  setAccessibleDescription(
      tr("Below each stage its variants, the fastest first, with times in microseconds"));
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 4);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(20);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setSortIndicatorClearable(true);
  horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  setSortingEnabled(true);
  connect(&model, &QAbstractItemModel::modelAboutToBeReset, this, &RaceTable::rememberCurrent);
  connect(&model, &QAbstractItemModel::modelReset, this, [this] {
    span();
    arrange();
    restoreCurrent();
  });
  connect(&model, &QAbstractItemModel::layoutChanged, this, [this] {
    span();
    arrange();
  });
  arrange();
}

/// A folded line has the whole width, and so has the reason of a variant that cannot run, right of its name.
/// Where results differ there is nothing to compare, and the difference has that room.
void RaceTable::span() {
  clearSpans();
  for (int row = 0; row < model_.rowCount(); ++row) {
    const auto kind =
        static_cast<RaceTableModel::Kind>(model_.index(row, 0).data(RaceTableModel::kindRole).toInt());
    const RaceEntry* entry = model_.entryAt(row);
    if (kind == RaceTableModel::Kind::reason) setSpan(row, 0, 1, raceColumns);
    if (entry && entry->state == RaceEntry::State::cannot) setSpan(row, 1, 1, raceColumns - 1);
    if (entry && entry->state == RaceEntry::State::differs)
      setSpan(row, static_cast<int>(Column::verdict), 1, comparing);
  }
}

/// Whether the column has, or soon may have, something to say.
bool RaceTable::useful(Column column) const {
  switch (column) {
  case Column::againstBaseline:
    return baselineApart_ && model_.known(column);
  case Column::verified:
  case Column::p95:
  case Column::noise:
  case Column::min:
  case Column::samples:
    return true;
  default:
    return model_.known(column);
  }
}

int RaceTable::widthOf(Column column) const {
  const int section = static_cast<int>(column);
  int wanted = fontMetrics().horizontalAdvance(usual(column)) + 14;
  if (column == Column::variant) wanted += 22 + 2 * (fontMetrics().height() + 3); // tick and letters
  for (const QString& line : raceHeader(column).split(QLatin1Char('\n')))
    wanted = std::max(wanted, horizontalHeader()->fontMetrics().horizontalAdvance(line) + 12);
  if (horizontalHeader()->sortIndicatorSection() == section) wanted += 10;
  return wanted;
}

void RaceTable::arrange() {
  std::array<bool, raceColumns> shown{};
  int left = viewport()->width() - barFloor;
  for (const Column column : essential) {
    shown[static_cast<std::size_t>(column)] = true;
    if (column != Column::bar) left -= widthOf(column);
  }
  bool room = true;
  for (const Column column : byWorth) {
    if (!showsAll_ && !useful(column)) continue;
    room = room && widthOf(column) <= left;
    if (!room && !showsAll_) break; // a lesser one must not stand where a better had no room
    shown[static_cast<std::size_t>(column)] = true;
    left -= widthOf(column);
  }
  for (int section = 0; section < raceColumns; ++section) {
    const auto column = static_cast<Column>(section);
    setColumnHidden(section, !shown[static_cast<std::size_t>(section)]);
    setColumnWidth(section, column == Column::bar ? barFloor + std::max(0, left) : widthOf(column));
  }
}

void RaceTable::setBaselineApart(bool apart) {
  baselineApart_ = apart;
  arrange();
}

void RaceTable::setShowsAll(bool all) {
  showsAll_ = all;
  arrange();
}

void RaceTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  arrange();
}

void RaceTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  arrange();
}

const RaceEntry* RaceTable::currentEntry() const {
  return currentIndex().isValid() ? model_.entryAt(currentIndex().row()) : nullptr;
}

void RaceTable::showVariant(Stage stage, const Variant* variant) {
  const int row = model_.rowOf(stage, variant);
  if (row >= 0) setCurrentIndex(model_.index(row, 0));
}

void RaceTable::rememberCurrent() {
  const RaceEntry* entry = currentEntry();
  if (entry) stage_ = entry->candidate.stage;
  variant_ = entry ? entry->candidate.variant : nullptr;
}

void RaceTable::restoreCurrent() {
  if (variant_) showVariant(stage_, variant_);
}

void RaceTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  if (event->button() == Qt::LeftButton) {
    const QModelIndex at = indexAt(event->position().toPoint());
    if (at.isValid() && at == currentIndex()) model_.toggleFold(at.row());
  }
}

void RaceTable::keyPressEvent(QKeyEvent* event) {
  const int row = currentIndex().row();
  const RaceEntry* entry = currentEntry();
  switch (event->key()) {
  case Qt::Key_Space:
    if (entry) return model_.setTicked(row, !entry->ticked);
    if (model_.toggleFold(row)) return;
    break;
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (model_.toggleFold(row)) return;
    if (entry) return Q_EMIT used();
    break;
  case Qt::Key_A:
    if (event->modifiers() == Qt::ShiftModifier) return Q_EMIT compareAs(QLatin1Char('A'));
    break;
  case Qt::Key_B:
    if (event->modifiers() == Qt::ShiftModifier) return Q_EMIT compareAs(QLatin1Char('B'));
    if (event->modifiers() == Qt::NoModifier) return Q_EMIT pinned();
    break;
  default:
    break;
  }
  if (event->matches(QKeySequence::Copy)) return Q_EMIT copyWanted();
  QTableView::keyPressEvent(event);
}

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
  const QStringList letters =
      index.data(RaceTableModel::markRole).toString().split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) // from the right
    room = paintChip(painter, room, *letter);
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
    painter->drawLine(QPointF(x(bar.low), middle - cap), QPointF(x(bar.low), middle + cap));
    if (bar.goesOn()) {
      paintArrowHead(painter, QPointF(room.right(), middle), height / 2);
    } else {
      painter->drawLine(QPointF(x(bar.high), middle - cap), QPointF(x(bar.high), middle + cap));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/race_table.hpp"

#include "app/ui/compare/race_delegate.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <array>

namespace lloyd {

namespace {

using Column = RaceColumn;

/// Always there.
constexpr std::array essential{Column::variant, Column::rank, Column::bar, Column::median, Column::verdict};
/// The others, the most telling first.
constexpr std::array byWorth{
    Column::againstBaseline, Column::againstFirst, Column::deltaUs,   Column::verified, Column::p95,
    Column::ofLimit,         Column::noise,        Column::bandwidth, Column::min,      Column::samples,
    Column::registers,       Column::occupancy,    Column::published, Column::local,    Column::shared,
    Column::deltaPercent};
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
    return RaceTable::tr("the same within 1 %");
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

} // namespace lloyd

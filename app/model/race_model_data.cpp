// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of the race's table say.
#include "app/model/number_text.hpp"
#include "app/model/race_model.hpp"
#include "app/model/timing_model.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

QString words(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString oneLine(QString text) { return text.replace(QLatin1Char('\n'), QLatin1Char(' ')); }

QVariant alignment(Qt::Alignment side) { return QVariant::fromValue(side | Qt::AlignVCenter); }

constexpr double headroom = 1.04; ///< right of the slowest bar

} // namespace

int RaceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int RaceModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : raceColumns; }

/// The end of the stage's axis: room for the slowest median and a little more, up to a number that reads
/// well. A few slow samples must not make all bars short.
double RaceModel::longestUs(Stage stage) const {
  double longest = 0;
  for (const RaceEntry& entry : entries_)
    if (const Summary* times = entry.times(); times && entry.candidate.stage == stage)
      longest = std::max(longest, times->median);
  if (!(longest > 0) || !std::isfinite(longest)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(longest)));
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
    if (step * unit >= headroom * longest) return step * unit;
  return 12 * unit;
}

double RaceModel::baselineUs(const RaceEntry& entry) const {
  if (!entry.measured || !race_) return 0;
  if (entry.isBaseline) return entry.measured->times.median;
  const Measurement* rival = rivalOf(*entry.measured, *race_, baseline_);
  return rival ? rival->times.median : 0;
}

RaceBar RaceModel::barOf(const RaceEntry& entry) const {
  RaceBar bar;
  const Summary* times = entry.times();
  bar.longest = longestUs(entry.candidate.stage);
  bar.baselineUs = baselineUs(entry);
  bar.current = entry.current;
  bar.live = entry.isLive();
  bar.ranked = entry.state == RaceEntry::State::ranked;
  if (!times) return bar;
  bar.median = times->median;
  bar.low = entry.lowUs();
  bar.high = times->p95;
  return bar;
}

QVariant RaceModel::headingData(const Line& line, int column, int role) const {
  const QString stage = words(name(line.stage));
  switch (role) {
  case Qt::DisplayRole:
    return column == 0 ? QVariant(stage) : QVariant();
  case Qt::ToolTipRole:
    return stageMeaning(line.stage);
  case Qt::AccessibleTextRole:
    return column == 0 ? QVariant(tr("Stage %1: %2").arg(stage, stageMeaning(line.stage))) : QVariant();
  case barRole: {
    RaceBar axis;
    axis.longest = longestUs(line.stage);
    return QVariant::fromValue(axis);
  }
  default:
    return {};
  }
}

QVariant RaceModel::reasonData(const Line& line, int column, int role) const {
  switch (role) {
  case Qt::DisplayRole:
  case Qt::AccessibleTextRole: {
    if (column != 0) return {};
    // A device that is not there has a reason of its own.
    const bool device = line.reason.contains(QLatin1String("CUDA device")) && !whyDevice_.isEmpty();
    const QString text = tr("%1 variants cannot run here: each %2").arg(line.count).arg(line.reason);
    return device ? QStringLiteral("%1 (%2)").arg(text, whyDevice_) : text;
  }
  case Qt::ToolTipRole: {
    QStringList names;
    for (const RaceEntry& entry : entries_)
      if (entry.state == RaceEntry::State::cannot && entry.reason == line.reason)
        names << QString::fromStdString(entry.candidate.variant->id());
    names.removeDuplicates();
    return QStringLiteral("%1\n%2").arg(reasonData(line, 0, Qt::DisplayRole).toString(),
                                        names.join(QStringLiteral(", ")));
  }
  case openRole:
    return open_.contains(line.reason);
  default:
    return {};
  }
}

QVariant RaceModel::entryData(const Line& line, int column, int role) const {
  const RaceEntry& entry = entries_[line.entry];
  const auto which = static_cast<RaceColumn>(column);
  switch (role) {
  case Qt::DisplayRole:
    if (entry.state == RaceEntry::State::cannot && which == RaceColumn::rank)
      return line.folded ? tr("%1: %2").arg(words(name(entry.candidate.stage)),
                                            words(entry.candidate.variant->info.name))
                         : raceCell(entry, RaceColumn::verified); // in place of all numbers
    return raceCell(entry, which);
  case Qt::CheckStateRole:
    if (which != RaceColumn::variant || entry.state == RaceEntry::State::cannot) return {};
    return entry.ticked ? Qt::Checked : Qt::Unchecked;
  case Qt::TextAlignmentRole:
    return alignment(isNumeric(which) ? Qt::AlignRight : Qt::AlignLeft);
  case Qt::ToolTipRole:
    return raceToolTip(entry);
  case Qt::AccessibleTextRole:
    if (which == RaceColumn::variant || which == RaceColumn::bar)
      return QStringLiteral("%1 %2").arg(words(name(entry.candidate.stage)),
                                         QString::fromStdString(entry.candidate.variant->id()));
    return QStringLiteral("%1: %2").arg(oneLine(raceHeader(which)), raceCell(entry, which));
  case Qt::AccessibleDescriptionRole:
    return raceToolTip(entry);
  case valueRole:
    return raceValue(entry, which);
  case barRole:
    return QVariant::fromValue(barOf(entry));
  case betterRole:
    if (!entry.delta) return 0;
    return entry.delta->comparison.verdict == Verdict::faster   ? 1
           : entry.delta->comparison.verdict == Verdict::slower ? -1
                                                                : 0;
  case stateRole:
    return static_cast<int>(entry.state);
  case liveRole:
    return entry.isLive();
  case currentRole:
    return entry.current;
  case markRole:
    return entry.mark;
  case foldedRole:
    return line.folded;
  default:
    return {};
  }
}

QVariant RaceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Line& line = lines_[static_cast<std::size_t>(index.row())];
  if (role == kindRole) return static_cast<int>(line.kind);
  switch (line.kind) {
  case Kind::heading:
    return headingData(line, index.column(), role);
  case Kind::reason:
    return reasonData(line, index.column(), role);
  case Kind::variant:
    return entryData(line, index.column(), role);
  }
  return {};
}

QVariant RaceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= raceColumns) return {};
  const auto column = static_cast<RaceColumn>(section);
  switch (role) {
  case Qt::DisplayRole:
    return raceHeader(column);
  case Qt::AccessibleTextRole:
    return oneLine(raceHeader(column));
  case Qt::ToolTipRole:
  case Qt::AccessibleDescriptionRole:
    return raceDefinition(column);
  case Qt::TextAlignmentRole:
    return alignment(isNumeric(column) ? Qt::AlignRight : Qt::AlignLeft);
  default:
    return {};
  }
}

Qt::ItemFlags RaceModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const RaceEntry* entry = entryAt(index.row());
  // A row that cannot run stays selectable, so that a keyboard and a screen reader reach its reason.
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
  if (entry && entry->state != RaceEntry::State::cannot && index.column() == 0)
    flags |= Qt::ItemIsUserCheckable;
  return flags;
}

bool RaceModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
  setTicked(index.row(), value.toInt() == Qt::Checked);
  return true;
}

QString RaceModel::text() const {
  QString all = tr("stage");
  for (int column = 0; column < raceColumns; ++column)
    if (static_cast<RaceColumn>(column) != RaceColumn::bar)
      all += QLatin1Char('\t') + oneLine(raceHeader(static_cast<RaceColumn>(column)));
  all += QLatin1Char('\n');
  const auto add = [&](const RaceEntry& entry) {
    all += words(name(entry.candidate.stage));
    for (int column = 0; column < raceColumns; ++column)
      if (static_cast<RaceColumn>(column) != RaceColumn::bar)
        all += QLatin1Char('\t') + oneLine(raceCell(entry, static_cast<RaceColumn>(column)));
    all += QLatin1Char('\n');
  };
  for (int row = 0; row < rowCount(); ++row)
    if (const RaceEntry* entry = entryAt(row)) add(*entry);
  for (const RaceEntry& entry : entries_)
    if (rowOf(entry.candidate.stage, entry.candidate.variant) < 0) add(entry);
  return all;
}

} // namespace lloyd

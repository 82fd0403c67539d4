// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_table_model.hpp"

#include "app/model/session/timing_table_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/stages.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lloyd {

namespace {

constexpr std::size_t foldFrom = 2; ///< variants with one reason

/// The reason without the variant's name, which its row has said, so that equal reasons are equal texts.
QString withoutName(const std::string& reason, const Variant& variant) {
  QString text = QString::fromStdString(reason);
  const QString id = QString::fromStdString(variant.id());
  if (text.startsWith(id)) text.remove(0, id.size());
  if (text.startsWith(QLatin1Char(':'))) text.remove(0, 1);
  return text.trimmed();
}

bool isOf(const Candidate& candidate, Stage stage, const Variant* variant) {
  return candidate.stage == stage && candidate.variant == variant;
}

} // namespace

void RaceTableModel::setField(const std::vector<Candidate>& candidates, const Problem& problem,
                              const DeviceInfo& device, const QString& whyDevice) {
  std::vector<RaceEntry> next;
  whyNot_.clear();
  for (const Candidate& candidate : candidates) {
    RaceEntry& entry = next.emplace_back();
    entry.candidate = candidate;
    for (const RaceEntry& old : entries_) {
      if (!isOf(old.candidate, candidate.stage, candidate.variant)) continue;
      entry.ticked = old.ticked;
      entry.mark = old.mark;
      entry.current = old.current;
    }
    const auto why = candidate.variant->whyNot(candidate.stage, problem, device, candidate.tuning);
    whyNot_.push_back(why ? withoutName(*why, *candidate.variant) : QString());
    if (!whyNot_.back().isEmpty()) entry.ticked = false;
  }
  beginResetModel(); // rows may be others, and nothing of the old lines holds
  lines_.clear();
  entries_ = std::move(next);
  whyDevice_ = whyDevice;
  simulated_ = device.backend == Backend::simt;
  endResetModel();
  measure();
  Q_EMIT ticksChanged();
}

/// Finds each entry's row of the race, and what follows for its state.
void RaceTableModel::measure() {
  std::map<std::pair<Stage, int>, int> sharing;
  if (race_)
    for (const Measurement& m : race_->rows)
      ++sharing[{m.candidate.stage, m.rank}];
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    RaceEntry& entry = entries_[i];
    entry.race = race_;
    entry.measured = nullptr;
    entry.rankShared = false;
    entry.reason = whyNot_[i];
    if (race_)
      for (const Measurement& m : race_->rows)
        if (isOf(m.candidate, entry.candidate.stage, entry.candidate.variant)) entry.measured = &m;
    const Measurement* m = entry.measured;
    entry.state = whyNot_[i].isEmpty() ? RaceEntry::State::waiting : RaceEntry::State::cannot;
    if (!m) continue;
    if (!m->skipped.empty()) {
      // A variant that could not run then may run now, and then it waits for its race.
      if (entry.state == RaceEntry::State::cannot)
        entry.reason = withoutName(m->skipped, *entry.candidate.variant);
      continue;
    }
    entry.state = !m->verified  ? RaceEntry::State::differs
                  : m->rank > 0 ? RaceEntry::State::ranked
                                : RaceEntry::State::unranked;
    entry.reason = QString::fromStdString(m->difference);
    entry.rankShared = m->rank > 0 && sharing[{m->candidate.stage, m->rank}] > 1;
  }
  judge();
  arrange();
}

/// Holds every row against the baseline.
void RaceTableModel::judge() {
  for (RaceEntry& entry : entries_) {
    entry.delta.reset();
    entry.isBaseline = false;
    if (!race_ || !entry.measured) continue;
    entry.delta = deltaOf(*entry.measured, *race_, baseline_);
    if (entry.state != RaceEntry::State::ranked) continue;
    if (baseline_.kind == Baseline::Kind::variant)
      entry.isBaseline = sameCandidate(baseline_.candidate, entry.measured->candidate);
    if (baseline_.kind == Baseline::Kind::first)
      entry.isBaseline = firstOfFamily(*entry.measured, *race_) == entry.measured;
  }
}

void RaceTableModel::setLive(const TimingSnapshotPtr& timings, const Plan& plan) {
  bool first = false; // a number where none was may change what stands where
  for (RaceEntry& entry : entries_) {
    const bool had = entry.live.samples > 0;
    entry.live = timings->timesOf(entry.candidate.stage, entry.candidate.variant->id());
    first = first || had != (entry.live.samples > 0);
    entry.simulated = simulated_;
    entry.current = plan.of(entry.candidate.stage) == entry.candidate.variant;
  }
  if (first && sortColumn_ >= 0) return arrange();
  allChanged();
}

void RaceTableModel::setCompared(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
  for (RaceEntry& entry : entries_) {
    const auto is = [&](const std::optional<Candidate>& one) {
      return one && isOf(entry.candidate, one->stage, one->variant);
    };
    entry.mark = is(a) && is(b) ? QStringLiteral("A B")
                 : is(a)        ? QStringLiteral("A")
                 : is(b)        ? QStringLiteral("B")
                                : QString();
  }
  allChanged();
}

/// Whether a stands above b, both of one stage.
bool RaceTableModel::before(const RaceEntry& a, const RaceEntry& b) const {
  const bool aCannot = a.state == RaceEntry::State::cannot;
  const bool bCannot = b.state == RaceEntry::State::cannot;
  if (aCannot != bCannot) return bCannot;
  if (aCannot) return false;
  if (sortColumn_ >= 0) {
    const auto column = static_cast<RaceColumn>(sortColumn_);
    const QVariant va = raceValue(a, column);
    const QVariant vb = raceValue(b, column);
    if (!va.isValid() || !vb.isValid()) return va.isValid() && !vb.isValid();
    const bool numbers = va.typeId() == QMetaType::Double;
    const bool less = numbers ? va.toDouble() < vb.toDouble() : va.toString() < vb.toString();
    const bool more = numbers ? vb.toDouble() < va.toDouble() : vb.toString() < va.toString();
    return sortOrder_ == Qt::AscendingOrder ? less : more;
  }
  // Ranked ones, then those in no race, then the wrong ones.
  const auto place = [](const RaceEntry& e) {
    const bool ranked = e.state == RaceEntry::State::ranked;
    const int group = ranked ? 0 : e.state == RaceEntry::State::differs ? 2 : 1;
    return std::tuple(group, ranked ? e.measured->rank : 0, ranked ? e.measured->times.median : 0.0);
  };
  return place(a) < place(b);
}

std::vector<RaceTableModel::Line> RaceTableModel::lines() const {
  std::map<QString, std::set<const Variant*>> sameReason;
  for (const RaceEntry& entry : entries_)
    if (entry.state == RaceEntry::State::cannot) sameReason[entry.reason].insert(entry.candidate.variant);
  const auto folds = [&](const RaceEntry& entry) {
    return entry.state == RaceEntry::State::cannot && sameReason[entry.reason].size() >= foldFrom;
  };
  std::vector<Line> made;
  for (const Stage stage : listedStages) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].candidate.stage == stage && !folds(entries_[i])) own.push_back(i);
    if (own.empty()) continue;
    std::stable_sort(own.begin(), own.end(),
                     [&](std::size_t a, std::size_t b) { return before(entries_[a], entries_[b]); });
    made.push_back({Kind::heading, stage, 0, {}, 0, false});
    for (const std::size_t i : own)
      made.push_back({Kind::variant, stage, i, {}, 0, false});
  }
  for (const auto& [reason, variants] : sameReason) {
    if (variants.size() < foldFrom) continue;
    made.push_back({Kind::reason, Stage::unaccounted, 0, reason, static_cast<int>(variants.size()), false});
    if (!open_.contains(reason)) continue;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (folds(entries_[i]) && entries_[i].reason == reason)
        made.push_back({Kind::variant, entries_[i].candidate.stage, i, {}, 0, true});
  }
  return made;
}

/// Puts every line where it belongs. Lines that only change places keep their selection; another number of
/// them is another table.
void RaceTableModel::arrange() {
  std::vector<Line> next = lines();
  if (next == lines_) return allChanged();
  const bool sameLines = next.size() == lines_.size() &&
                         std::is_permutation(next.begin(), next.end(), lines_.begin(), lines_.end());
  if (!sameLines) {
    beginResetModel();
    lines_ = std::move(next);
    endResetModel();
    return;
  }
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList from = persistentIndexList();
  QModelIndexList to;
  for (const QModelIndex& old : from) {
    const auto found = std::find(next.begin(), next.end(), lines_[static_cast<std::size_t>(old.row())]);
    to << index(static_cast<int>(found - next.begin()), old.column());
  }
  lines_ = std::move(next);
  changePersistentIndexList(from, to);
  Q_EMIT layoutChanged();
}

bool RaceTableModel::toggleFold(int row) {
  if (row < 0 || row >= rowCount() || lines_[static_cast<std::size_t>(row)].kind != Kind::reason)
    return false;
  const QString reason = lines_[static_cast<std::size_t>(row)].reason;
  if (!open_.removeOne(reason)) open_ << reason;
  arrange();
  return true;
}

const RaceEntry* RaceTableModel::entryAt(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const Line& line = lines_[static_cast<std::size_t>(row)];
  return line.kind == Kind::variant ? &entries_[line.entry] : nullptr;
}

int RaceTableModel::rowOf(Stage stage, const Variant* variant) const {
  for (int row = 0; row < rowCount(); ++row)
    if (const RaceEntry* entry = entryAt(row); entry && isOf(entry->candidate, stage, variant)) return row;
  return -1;
}

std::vector<Candidate> RaceTableModel::ticked() const {
  std::vector<Candidate> wanted;
  for (const RaceEntry& entry : entries_)
    if (entry.ticked) wanted.push_back(entry.candidate);
  return wanted;
}

void RaceTableModel::setTicked(int row, bool ticked) {
  const RaceEntry* entry = entryAt(row);
  if (!entry || entry->state == RaceEntry::State::cannot || entry->ticked == ticked) return;
  entries_[lines_[static_cast<std::size_t>(row)].entry].ticked = ticked;
  Q_EMIT dataChanged(index(row, 0), index(row, 0), {Qt::CheckStateRole});
  Q_EMIT ticksChanged();
}

void RaceTableModel::tickAll(bool ticked) {
  for (RaceEntry& entry : entries_)
    entry.ticked = ticked && entry.state != RaceEntry::State::cannot;
  allChanged();
  Q_EMIT ticksChanged();
}

void RaceTableModel::tickStage(Stage stage) {
  for (RaceEntry& entry : entries_)
    entry.ticked = entry.candidate.stage == stage && entry.state != RaceEntry::State::cannot;
  allChanged();
  Q_EMIT ticksChanged();
}

bool RaceTableModel::known(RaceColumn column) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const RaceEntry& entry) {
    return entry.state != RaceEntry::State::cannot && raceValue(entry, column).isValid();
  });
}

// What the cells of the race's table say.

namespace {

QString oneLine(QString text) { return text.replace(QLatin1Char('\n'), QLatin1Char(' ')); }

QVariant alignment(Qt::Alignment side) { return QVariant::fromValue(side | Qt::AlignVCenter); }

constexpr double headroom = 1.04; ///< right of the slowest bar

} // namespace

/// The end of the stage's axis: room for the slowest median and a little more, up to a number that reads
/// well. A few slow samples must not make all bars short.
double RaceTableModel::longestUs(Stage stage) const {
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

double RaceTableModel::baselineUs(const RaceEntry& entry) const {
  if (!entry.measured || !race_) return 0;
  if (entry.isBaseline) return entry.measured->times.median;
  const Measurement* rival = rivalOf(*entry.measured, *race_, baseline_);
  return rival ? rival->times.median : 0;
}

RaceBar RaceTableModel::barOf(const RaceEntry& entry) const {
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

QString RaceTableModel::toolTipOf(const RaceEntry& entry) const {
  const RaceBar bar = barOf(entry);
  if (!bar.goesOn()) return raceToolTip(entry);
  return raceToolTip(entry) + QLatin1Char('\n') +
         tr("The arrow head: the line of the samples goes on to %1 µs, beyond the axis, which ends at %2 µs")
             .arg(microsecondsText(bar.high), significantText(bar.longest, 2));
}

QVariant RaceTableModel::headingData(const Line& line, int column, int role) const {
  const QString stage = qtext(name(line.stage));
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

QVariant RaceTableModel::reasonData(const Line& line, int column, int role) const {
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

QVariant RaceTableModel::entryData(const Line& line, int column, int role) const {
  const RaceEntry& entry = entries_[line.entry];
  const auto which = static_cast<RaceColumn>(column);
  switch (role) {
  case Qt::DisplayRole:
    if (entry.state == RaceEntry::State::cannot && which == RaceColumn::rank)
      return line.folded ? tr("%1: %2").arg(qtext(name(entry.candidate.stage)),
                                            qtext(entry.candidate.variant->info.name))
                         : raceCell(entry, RaceColumn::verified); // in place of all numbers
    return raceCell(entry, which);
  case Qt::CheckStateRole:
    if (which != RaceColumn::variant || entry.state == RaceEntry::State::cannot) return {};
    return entry.ticked ? Qt::Checked : Qt::Unchecked;
  case Qt::TextAlignmentRole:
    return alignment(isNumeric(which) ? Qt::AlignRight : Qt::AlignLeft);
  case Qt::ToolTipRole:
  case Qt::AccessibleDescriptionRole:
    return toolTipOf(entry);
  case Qt::AccessibleTextRole:
    if (which == RaceColumn::variant || which == RaceColumn::bar)
      return QStringLiteral("%1 %2").arg(qtext(name(entry.candidate.stage)),
                                         QString::fromStdString(entry.candidate.variant->id()));
    return QStringLiteral("%1: %2").arg(oneLine(raceHeader(which)), raceCell(entry, which));
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

QVariant RaceTableModel::data(const QModelIndex& index, int role) const {
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

QVariant RaceTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
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

Qt::ItemFlags RaceTableModel::flags(const QModelIndex& index) const {
  // A row that cannot run stays selectable, so that a keyboard and a screen reader reach its reason.
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  const RaceEntry* entry = index.isValid() ? entryAt(index.row()) : nullptr;
  if (entry && entry->state != RaceEntry::State::cannot && index.column() == 0)
    flags |= Qt::ItemIsUserCheckable;
  return flags;
}

bool RaceTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable)) return false;
  setTicked(index.row(), value.toInt() == Qt::Checked);
  return true;
}

QString RaceTableModel::text() const {
  QString all = tr("stage");
  for (int column = 0; column < raceColumns; ++column)
    if (static_cast<RaceColumn>(column) != RaceColumn::bar)
      all += QLatin1Char('\t') + oneLine(raceHeader(static_cast<RaceColumn>(column)));
  all += QLatin1Char('\n');
  const auto add = [&](const RaceEntry& entry) {
    all += qtext(name(entry.candidate.stage));
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

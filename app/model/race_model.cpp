// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race_model.hpp"

#include "gpu/core/registry.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lloyd {

namespace {

constexpr std::array fieldStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout};
constexpr std::size_t foldFrom = 2; ///< variants with one reason

/// The reason without the variant's name, which its row has said, so that equal reasons are equal texts.
QString withoutName(const std::string& reason, const Variant& variant) {
  QString words = QString::fromStdString(reason);
  const QString id = QString::fromStdString(variant.id());
  if (words.startsWith(id)) words.remove(0, id.size());
  if (words.startsWith(QLatin1Char(':'))) words.remove(0, 1);
  return words.trimmed();
}

bool isOf(const Candidate& candidate, Stage stage, const Variant* variant) {
  return candidate.stage == stage && candidate.variant == variant;
}

} // namespace

void RaceModel::setField(const std::vector<Candidate>& candidates, const Problem& problem,
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

void RaceModel::setRace(const RaceResultPtr& race) {
  race_ = race;
  measure();
}

/// Finds each entry's row of the race, and what follows for its state.
void RaceModel::measure() {
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

void RaceModel::setBaseline(const Baseline& baseline) {
  baseline_ = baseline;
  judge();
  arrange();
}

/// Holds every row against the baseline.
void RaceModel::judge() {
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

void RaceModel::setLive(const Timings& timings, const Plan& plan) {
  bool first = false; // a number where none was may change what stands where
  for (RaceEntry& entry : entries_) {
    const Timings::Row* row = timings.find(entry.candidate.stage, entry.candidate.variant->id());
    const bool had = entry.live.samples > 0;
    entry.live = row ? row->series.summary() : Summary{};
    first = first || had != (entry.live.samples > 0);
    entry.simulated = simulated_;
    entry.current = plan.of(entry.candidate.stage) == entry.candidate.variant;
  }
  if (first && sortColumn_ >= 0) return arrange();
  allChanged();
}

void RaceModel::setCompared(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
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
bool RaceModel::before(const RaceEntry& a, const RaceEntry& b) const {
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

std::vector<RaceModel::Line> RaceModel::lines() const {
  std::map<QString, std::set<const Variant*>> sameReason;
  for (const RaceEntry& entry : entries_)
    if (entry.state == RaceEntry::State::cannot) sameReason[entry.reason].insert(entry.candidate.variant);
  const auto folds = [&](const RaceEntry& entry) {
    return entry.state == RaceEntry::State::cannot && sameReason[entry.reason].size() >= foldFrom;
  };
  std::vector<Line> made;
  for (const Stage stage : fieldStages) {
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
    made.push_back({Kind::reason, Stage::rest, 0, reason, static_cast<int>(variants.size()), false});
    if (!open_.contains(reason)) continue;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (folds(entries_[i]) && entries_[i].reason == reason)
        made.push_back({Kind::variant, entries_[i].candidate.stage, i, {}, 0, true});
  }
  return made;
}

/// Puts every line where it belongs. Lines that only change places keep their selection; another number of
/// them is another table.
void RaceModel::arrange() {
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

void RaceModel::allChanged() {
  if (!lines_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, raceColumns - 1));
}

void RaceModel::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column < raceColumns ? column : -1;
  sortOrder_ = order;
  arrange();
}

bool RaceModel::toggleFold(int row) {
  if (row < 0 || row >= rowCount() || lines_[static_cast<std::size_t>(row)].kind != Kind::reason)
    return false;
  const QString reason = lines_[static_cast<std::size_t>(row)].reason;
  if (!open_.removeOne(reason)) open_ << reason;
  arrange();
  return true;
}

const RaceEntry* RaceModel::entryAt(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  const Line& line = lines_[static_cast<std::size_t>(row)];
  return line.kind == Kind::variant ? &entries_[line.entry] : nullptr;
}

int RaceModel::rowOf(Stage stage, const Variant* variant) const {
  for (int row = 0; row < rowCount(); ++row)
    if (const RaceEntry* entry = entryAt(row); entry && isOf(entry->candidate, stage, variant)) return row;
  return -1;
}

std::vector<Candidate> RaceModel::ticked() const {
  std::vector<Candidate> wanted;
  for (const RaceEntry& entry : entries_)
    if (entry.ticked) wanted.push_back(entry.candidate);
  return wanted;
}

void RaceModel::setTicked(int row, bool ticked) {
  const RaceEntry* entry = entryAt(row);
  if (!entry || entry->state == RaceEntry::State::cannot || entry->ticked == ticked) return;
  entries_[lines_[static_cast<std::size_t>(row)].entry].ticked = ticked;
  Q_EMIT dataChanged(index(row, 0), index(row, 0), {Qt::CheckStateRole});
  Q_EMIT ticksChanged();
}

void RaceModel::tickAll(bool ticked) {
  for (RaceEntry& entry : entries_)
    entry.ticked = ticked && entry.state != RaceEntry::State::cannot;
  allChanged();
  Q_EMIT ticksChanged();
}

void RaceModel::tickStage(Stage stage) {
  for (RaceEntry& entry : entries_)
    entry.ticked = entry.candidate.stage == stage && entry.state != RaceEntry::State::cannot;
  allChanged();
  Q_EMIT ticksChanged();
}

bool RaceModel::known(RaceColumn column) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const RaceEntry& entry) {
    return entry.state != RaceEntry::State::cannot && raceValue(entry, column).isValid();
  });
}

} // namespace lloyd

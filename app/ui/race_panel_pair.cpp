// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with a row of the race: pins it, compares it, uses it, copies it.
#include "app/model/ladder_model.hpp"
#include "app/model/race_words.hpp"
#include "app/ui/elided_label.hpp"
#include "app/ui/race_baseline_menu.hpp"
#include "app/ui/race_panel.hpp"
#include "app/ui/race_table.hpp"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace lloyd {

namespace {

bool same(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
  return a.has_value() == b.has_value() && (!a || sameCandidate(*a, *b));
}

} // namespace

const Baseline& RacePanel::baseline() const { return baseline_->baseline(); }

void RacePanel::setBaseline(const Baseline& baseline) { baseline_->choose(baseline); }

void RacePanel::openReport(const QString& path) { baseline_->openReport(path); }

void RacePanel::pinCurrent() { baseline_->pinCurrent(); }

std::optional<Candidate> RacePanel::currentCandidate() const {
  const RaceEntry* entry = table_->currentEntry();
  if (!entry || entry->state == RaceEntry::State::cannot) return std::nullopt;
  return entry->measured ? entry->measured->candidate : entry->candidate;
}

/// A is what the session runs, since nobody asked for another: its one pass, where that has a rival. B is the
/// fastest of A's stage, else of the stage where there is most to gain, or what that is held against when A
/// is the fastest itself; before a race the first that can run. What a person chose stays as long as it can
/// run.
void RacePanel::choosePair() {
  const auto runs = [&](const std::optional<Candidate>& wanted) {
    return wanted &&
           std::any_of(model_.entries().begin(), model_.entries().end(), [&](const RaceEntry& entry) {
             return entry.state != RaceEntry::State::cannot && entry.candidate.stage == wanted->stage &&
                    entry.candidate.variant == wanted->variant;
           });
  };
  if (byHand_ && runs(a_) && runs(b_)) return model_.setCompared(a_, b_);
  byHand_ = false;
  if (const RaceResultPtr& result = model_.race()) {
    const auto passes =
        std::count_if(model_.entries().begin(), model_.entries().end(), [](const RaceEntry& entry) {
          return entry.state != RaceEntry::State::cannot && entry.candidate.stage == Stage::fused;
        });
    const bool onePass =
        inUse(Stage::fused).has_value() && passes > 1 && !fastestOf(*result, Stage::fused).empty();
    if (const auto stage = onePass ? Stage::fused : stageOfLargestGain(*result)) {
      const Measurement* best = fastestOf(*result, *stage).front();
      const Measurement* first = firstOfFamily(*best, *result);
      const auto own = inUse(*stage);
      const Candidate& a = own ? *own : first->candidate;
      const bool ownIsBest = a.variant == best->candidate.variant;
      if (runs(best->candidate)) return setPair(a, ownIsBest ? first->candidate : best->candidate);
    }
  }
  std::optional<Candidate> a;
  for (const Stage stage : {Stage::fused, Stage::classify, Stage::reduce})
    if (!a) a = inUse(stage);
  std::optional<Candidate> b = a;
  for (const RaceEntry& entry : model_.entries())
    if (a && entry.state != RaceEntry::State::cannot && entry.candidate.stage == a->stage &&
        entry.candidate.variant != a->variant && b->variant == a->variant)
      b = entry.candidate;
  setPair(a, b);
}

/// The candidate that the session runs at a stage; none before it has a plan.
std::optional<Candidate> RacePanel::inUse(Stage stage) const {
  const Variant* variant = session_.plan().of(stage);
  for (const RaceEntry& entry : model_.entries())
    if (variant && entry.state != RaceEntry::State::cannot && entry.candidate.stage == stage &&
        entry.candidate.variant == variant)
      return entry.candidate;
  return std::nullopt;
}

void RacePanel::setPair(const std::optional<Candidate>& a, const std::optional<Candidate>& b) {
  const bool isNew = !same(a, a_) || !same(b, b_);
  a_ = a;
  b_ = b;
  model_.setCompared(a_, b_);
  if (!isNew) return;
  showWords();
  if (a_ && b_) Q_EMIT compared(*a_, *b_);
}

void RacePanel::setA(const Candidate& candidate) {
  byHand_ = true;
  setPair(candidate, b_ ? b_ : candidate);
}

void RacePanel::setB(const Candidate& candidate) {
  byHand_ = true;
  setPair(a_ ? a_ : candidate, candidate);
}

void RacePanel::compareCurrentAs(QChar letter) {
  const auto candidate = currentCandidate();
  if (!candidate) return Q_EMIT message(tr("This row cannot be compared"), false);
  letter == QLatin1Char('A') ? setA(*candidate) : setB(*candidate);
}

/// The session goes on with the variant. A race would be disturbed by the iterations that this may start.
void RacePanel::useCurrent() {
  const auto candidate = currentCandidate();
  if (!candidate || candidate->stage == Stage::layout || runner_.running()) return;
  Settings settings = session_.settings();
  settings.selection =
      withVariant(settings.selection, session_.plan(), candidate->stage, *candidate->variant);
  session_.setSettings(settings);
}

void RacePanel::copy() {
  QGuiApplication::clipboard()->setText(model_.text());
  Q_EMIT message(tr("The race's table was copied, tab-separated"), false);
}

void RacePanel::openMenu(const QPoint& place) {
  const QModelIndex at = table_->indexAt(place);
  if (at.isValid()) table_->setCurrentIndex(at.siblingAtColumn(0));
  const auto candidate = currentCandidate();
  const RaceEntry* entry = table_->currentEntry();
  QMenu menu(this);
  const auto add = [&](const QString& text, bool enabled, const auto& chosen) {
    QAction* action = menu.addAction(text);
    action->setEnabled(enabled);
    connect(action, &QAction::triggered, this, chosen);
    return action;
  };
  const bool can = candidate.has_value();
  add(tr("Compare as A") + QStringLiteral("\tShift+A"), can, [this] { compareCurrentAs(QLatin1Char('A')); });
  add(tr("Compare as B") + QStringLiteral("\tShift+B"), can, [this] { compareCurrentAs(QLatin1Char('B')); });
  add(tr("Pin as baseline, or let go") + QStringLiteral("\tB"), can, [this] { pinCurrent(); });
  add(tr("Use in the run") + QStringLiteral("\tEnter"),
      can && candidate->stage != Stage::layout && !runner_.running(), [this] { useCurrent(); });
  menu.addSeparator();
  if (entry)
    add(tr("Tick this stage alone"), can,
        [this, stage = entry->candidate.stage] { model_.tickStage(stage); });
  add(tr("Tick all"), true, [this] { model_.tickAll(true); });
  add(tr("Tick none"), true, [this] { model_.tickAll(false); });
  menu.addSeparator();
  QAction* all = add(tr("Show all columns"), true, [this] { table_->setShowsAll(!table_->showsAll()); });
  all->setCheckable(true);
  all->setChecked(table_->showsAll());
  add(tr("Copy the table") + QStringLiteral("\tCtrl+C"), true, [this] { copy(); });
  menu.exec(table_->viewport()->mapToGlobal(place));
}

} // namespace lloyd

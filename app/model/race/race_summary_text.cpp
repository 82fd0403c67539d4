// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_summary_text.hpp"

#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("RaceSummary", text); }

QString idOf(const Measurement& m) { return QString::fromStdString(m.candidate.variant->id()); }

/// "the fastest way to reduce here"
QString feat(Stage stage, bool only) {
  const QString what = stage == Stage::classify  ? translated("classify")
                       : stage == Stage::reduce  ? translated("reduce")
                       : stage == Stage::fused   ? translated("do both in one pass")
                       : stage == Stage::update  ? translated("update")
                       : stage == Stage::iterate ? translated("repeat whole iterations")
                       : stage == Stage::sets    ? translated("run several sets")
                                                 : translated("lay points out");
  return (only ? translated("the only one timed to %1 here") : translated("the fastest way to %1 here"))
      .arg(what);
}

/// What the fastest gains on the first of its family; nothing when it is that one itself.
std::optional<Comparison> gainOf(const RaceResult& race, Stage stage) {
  const auto best = fastestOf(race, stage);
  return best.empty() ? std::nullopt : best.front()->againstFirst;
}

QString problemText(const Problem& problem) {
  const QString dimensions =
      problem.d == 1 ? translated("1 dimension") : translated("%1 dimensions").arg(problem.d);
  return translated("%1, %2, k = %3").arg(pointsText(problem.n), dimensions).arg(problem.k);
}

QString cacheText(CacheState cache) {
  return cache == CacheState::hot ? translated("hot caches") : translated("cold caches");
}

} // namespace

std::vector<const Measurement*> fastestOf(const RaceResult& race, Stage stage) {
  std::vector<const Measurement*> best;
  for (const Measurement& m : race.rows)
    if (m.candidate.stage == stage && m.rank == 1) best.push_back(&m);
  std::sort(best.begin(), best.end(),
            [](const Measurement* a, const Measurement* b) { return a->times.median < b->times.median; });
  return best;
}

std::optional<Stage> stageOfLargestGain(const RaceResult& race) {
  std::optional<Stage> chosen;
  double smallest = 2; // a ratio of times: beyond that of one that gains nothing
  for (const Stage stage : listedStages) {
    if (fastestOf(race, stage).empty()) continue;
    const auto gain = gainOf(race, stage);
    const double ratio = gain && gain->verdict == Verdict::faster ? gain->ratio : 1;
    if (ratio >= smallest) continue;
    smallest = ratio;
    chosen = stage;
  }
  return chosen;
}

QString raceHeadline(const RaceResult& race, Stage stage) {
  const auto best = fastestOf(race, stage);
  if (best.empty()) return {};
  const auto rivals = std::count_if(race.rows.begin(), race.rows.end(), [&](const Measurement& m) {
    return m.candidate.stage == stage && m.rank > 0;
  });
  const Measurement& fastest = *best.front();
  if (rivals == 1)
    return translated("%1 is %2: %3 µs")
        .arg(idOf(fastest), feat(stage, true), microsecondsText(fastest.times.median));
  if (best.size() > 1) {
    QStringList names;
    for (const Measurement* m : best)
      names << idOf(*m);
    const QString last = names.takeLast();
    return translated("%1 and %2 cannot be told apart as %3: %4 µs")
        .arg(names.join(QStringLiteral(", ")), last, feat(stage, false),
             microsecondsText(fastest.times.median));
  }
  QString text = translated("%1 is %2").arg(idOf(fastest), feat(stage, false));
  const Measurement* first = firstOfFamily(fastest, race);
  if (fastest.againstFirst && first)
    return translated("%1: %2").arg(
        text, verdictAgainst(*fastest.againstFirst, idOf(*first), race.conditions.rules.sameWithin));
  return translated("%1: %2 µs").arg(text, microsecondsText(fastest.times.median));
}

QString raceConditionsText(const RaceResult& race) {
  const RaceConditions& c = race.conditions;
  QStringList parts;
  parts << cacheText(c.cache) << countedText(c.rounds, translated("%1 round"), translated("%1 rounds"));
  if (c.clockMhz > 0)
    parts << (c.clockStable ? translated("clock %1 MHz, stable") : translated("clock %1 MHz, not stable"))
                 .arg(countText(static_cast<std::uint64_t>(std::llround(c.clockMhz))));
  if (c.throttled > 0)
    parts << countedText(c.throttled, translated("%1 throttled sample thrown away"),
                         translated("%1 throttled samples thrown away"));
  parts << translated("%1 s").arg(significantText(c.seconds));
  QString text;
  if (!race.rows.empty()) text = problemText(race.rows.front().problem) + QStringLiteral("; ");
  text += parts.join(QStringLiteral(", "));
  if (c.undecided > 0) text += translated("; undecided: %1").arg(countText(c.undecided));
  if (c.load.busy())
    text += translated("; busy: others used %1 of %2 processors")
                .arg(significantText(c.load.byOthers, 2))
                .arg(c.load.processors);
  if (!race.finished) text += translated("; not finished");
  return text;
}

QString raceMomentText(const RaceResult& race) {
  const auto seconds = std::chrono::system_clock::to_time_t(race.when);
  QString text = QDateTime::fromSecsSinceEpoch(seconds).toString(QStringLiteral("HH:mm:ss"));
  if (!race.rows.empty())
    text += translated(", %1, k = %2")
                .arg(pointsText(race.rows.front().problem.n))
                .arg(race.rows.front().problem.k);
  text += QStringLiteral(", ") + cacheText(race.conditions.cache);
  return text + QStringLiteral(", ") + QString::fromStdString(race.device.name);
}

} // namespace lloyd

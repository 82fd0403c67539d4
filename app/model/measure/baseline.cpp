// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/baseline.hpp"

#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("Baseline", text); }

const Measurement* findIn(const RaceResult& race, const Candidate& candidate, const Problem& problem) {
  const auto found = std::ranges::find_if(race.rows, [&](const Measurement& m) {
    return m.problem == problem && sameCandidate(m.candidate, candidate);
  });
  return found != race.rows.end() && found->comparable() ? &*found : nullptr;
}

/// Whether a share rounds to 0.00 %.
bool isNothing(double fraction) { return std::abs(fraction) < 5e-5; }

QString percentWithSign(double fraction) {
  if (!std::isfinite(fraction)) return unknownText();
  if (isNothing(fraction)) return QStringLiteral("0.00");
  return signedText(fraction * 100);
}

/// The median of each place that the row was measured in. A report that does not tell places has one.
std::vector<double> placesOf(const Measurement& row, const RaceResult& race) {
  if (race.conditions.places.empty()) return {row.times.median};
  return placeMedians(row.us, race.conditions.places);
}

/// What others on the same processors may do to a time, at the most: four times as long.
constexpr double busyAllowance = 3;

/// Whether times measured on the processors beside so much other work say little.
bool isBusy(const RaceResult& race) {
  return race.device.backend == Backend::cpu && race.conditions.load.busy();
}

QString intervalText(const Comparison& comparison) {
  if (!std::isfinite(comparison.high) || !(comparison.low > 0))
    return translated("undecided: too few samples in different placements of memory");
  return translated("undecided: between %1 % and %2 %")
      .arg(percentWithSign(comparison.low - 1), percentWithSign(comparison.high - 1));
}

Delta deltaInRace(const Measurement& row, const Measurement& rival, const RaceConditions& conditions) {
  const Comparison comparison = compareRows(row, rival, conditions);
  return {.comparison = comparison,
          .text = verdictText(comparison, conditions.rules.sameWithin),
          .absolute = {},
          .relative = {}};
}

Delta deltaBetween(const Measurement& row, const RaceResult& race, const Measurement& rival,
                   const RaceResult& before) {
  CompareRules rules = race.conditions.rules;
  rules.comparisons = race.rows.size();
  const bool sameDevice = race.device.name == before.device.name;
  const bool busy = isBusy(race) || isBusy(before);
  Tolerance tolerance = sameDevice ? machineShift(race.conditions, before.conditions) : Tolerance();
  const double always = rules.slowerThan + (busy ? busyAllowance : 0);
  tolerance.slower += always;
  tolerance.faster += always;
  Delta delta;
  delta.comparison = compareRuns(placesOf(row, race), placesOf(rival, before), tolerance, rules);
  if (delta.comparison.verdict == Verdict::same && busy) delta.comparison.verdict = Verdict::undecided;
  if (delta.comparison.verdict != Verdict::undecided)
    delta.text = verdictText(delta.comparison, std::max(tolerance.slower, tolerance.faster));
  else
    delta.text = busy ? translated("undecided: the machine was busy") : intervalText(delta.comparison);
  return delta;
}

} // namespace

Baseline Baseline::ofFirst() {
  return {.kind = Kind::first, .title = translated("the first of each family"), .candidate = {}, .race = {}};
}

Baseline Baseline::ofVariant(const Candidate& candidate) {
  Baseline baseline{.kind = Kind::variant,
                    .title = QString::fromStdString(candidate.variant->id()),
                    .candidate = candidate,
                    .race = {}};
  // A variant of several stages does not say by its name which one is meant.
  const std::string_view stage = name(candidate.stage);
  if (candidate.variant->info.family != stage)
    baseline.title += QLatin1Char(' ') + QString::fromLatin1(stage.data(), qsizetype(stage.size()));
  return baseline;
}

Baseline Baseline::ofMoment(RaceResultPtr race) {
  const auto seconds = std::chrono::system_clock::to_time_t(race->when);
  const QString time = QDateTime::fromSecsSinceEpoch(seconds).toString(QStringLiteral("HH:mm:ss"));
  return {.kind = Kind::moment,
          .title = translated("the race of %1").arg(time),
          .candidate = {},
          .race = std::move(race)};
}

Baseline Baseline::ofReport(RaceResultPtr race, const QString& fileName) {
  QString title = QFileInfo(fileName).fileName();
  if (!race->device.name.empty()) title += QStringLiteral(", ") + QString::fromStdString(race->device.name);
  return {.kind = Kind::report, .title = title, .candidate = {}, .race = std::move(race)};
}

const Measurement* firstOfFamily(const Measurement& row, const RaceResult& race) {
  const auto first = std::find_if(race.rows.begin(), race.rows.end(), [&](const Measurement& m) {
    return m.candidate.stage == row.candidate.stage && m.problem == row.problem &&
           m.candidate.variant->info.family == row.candidate.variant->info.family && m.comparable();
  });
  return first == race.rows.end() ? nullptr : &*first;
}

const Measurement* rivalOf(const Measurement& row, const RaceResult& race, const Baseline& baseline) {
  switch (baseline.kind) {
  case Baseline::Kind::none:
    return nullptr;
  case Baseline::Kind::first: {
    const Measurement* first = firstOfFamily(row, race);
    return first && sameCandidate(first->candidate, row.candidate) ? nullptr : first;
  }
  case Baseline::Kind::variant:
    if (baseline.candidate.stage != row.candidate.stage || sameCandidate(baseline.candidate, row.candidate))
      return nullptr;
    return findIn(race, baseline.candidate, row.problem);
  case Baseline::Kind::moment:
  case Baseline::Kind::report:
    if (!baseline.race || baseline.race.get() == &race) return nullptr;
    return findIn(*baseline.race, row.candidate, row.problem);
  }
  return nullptr;
}

std::optional<Delta> deltaOf(const Measurement& row, const RaceResult& race, const Baseline& baseline) {
  if (row.rank == 0 || !row.comparable()) return std::nullopt;
  const Measurement* rival = rivalOf(row, race, baseline);
  if (!rival) return std::nullopt;
  const bool sameRace = baseline.kind == Baseline::Kind::first || baseline.kind == Baseline::Kind::variant;
  Delta delta =
      sameRace ? deltaInRace(row, *rival, race.conditions) : deltaBetween(row, race, *rival, *baseline.race);
  // The ratio comes from samples taken in turns, and the two medians of a noisy race may differ the other
  // way.
  const double share = delta.comparison.ratio - 1;
  delta.us = std::isfinite(share) ? share * rival->times.median : row.times.median - rival->times.median;
  delta.relative = percentWithSign(share);
  delta.absolute = isNothing(share) ? QStringLiteral("0.00") : signedText(delta.us);
  return delta;
}

Tolerance machineShift(const RaceConditions& now, const RaceConditions& before) {
  const auto gain = [](double rate, double other) {
    constexpr double none = 0.01; // medians of equal machines differ by as much
    const double much = rate > 0 && other > 0 ? rate / other - 1 : 0;
    return much > none ? much : 0;
  };
  constexpr double share = 0.5; // a copy is nothing but memory, a kernel is memory in part
  return {
      .slower = std::max(gain(before.clockMhz, now.clockMhz), share * gain(before.copyRate, now.copyRate)),
      .faster = std::max(gain(now.clockMhz, before.clockMhz), share * gain(now.copyRate, before.copyRate))};
}

QString verdictText(const Comparison& comparison, double sameWithin) {
  const double ratio = comparison.ratio;
  switch (comparison.verdict) {
  case Verdict::faster:
    return ratio <= 0.5 ? translated("%1 times as fast").arg(significantText(1 / ratio))
                        : translated("faster by %1 %").arg(percentText(1 - ratio));
  case Verdict::slower:
    return ratio >= 2 ? translated("takes %1 times as long").arg(significantText(ratio))
                      : translated("slower by %1 %").arg(percentText(ratio - 1));
  case Verdict::same:
    return translated("the same within %1 %").arg(QString::number(sameWithin * 100, 'g', 3));
  case Verdict::undecided:
    break;
  }
  return translated("undecided");
}

QString verdictAgainst(const Comparison& comparison, const QString& rival, double sameWithin) {
  const QString verdict = verdictText(comparison, sameWithin);
  const bool byFactor = (comparison.verdict == Verdict::faster && comparison.ratio <= 0.5) ||
                        (comparison.verdict == Verdict::slower && comparison.ratio >= 2);
  const bool different = comparison.verdict == Verdict::faster || comparison.verdict == Verdict::slower;
  return (byFactor    ? translated("%1 as %2")
          : different ? translated("%1 than %2")
                      : translated("%1, beside %2"))
      .arg(verdict, rival);
}

QString signedText(double value) {
  if (!std::isfinite(value)) return unknownText();
  QString size = significantText(std::abs(value));
  if (value == 0) return size;
  return (value < 0 ? QChar(0x2212) : QChar(u'+')) + size;
}

} // namespace lloyd

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
  const auto found = std::find_if(race.rows.begin(), race.rows.end(), [&](const Measurement& m) {
    return m.problem == problem && sameCandidate(m.candidate, candidate);
  });
  return found != race.rows.end() && found->comparable() ? &*found : nullptr;
}

Spread spreadOf(const Measurement& m) { return {m.times.median, m.times.iqr, m.times.samples}; }

QString percentWithSign(double fraction) {
  if (!std::isfinite(fraction)) return unknownText();
  if (std::abs(fraction) < 5e-5) return QStringLiteral("0.00");
  return signedText(fraction * 100);
}

} // namespace

Baseline Baseline::ofFirst() {
  Baseline baseline;
  baseline.kind = Kind::first;
  baseline.title = translated("the first of each family");
  return baseline;
}

Baseline Baseline::ofVariant(const Candidate& candidate) {
  Baseline baseline;
  baseline.kind = Kind::variant;
  baseline.candidate = candidate;
  baseline.title = QString::fromStdString(candidate.variant->id());
  // A variant of several stages does not say by its name which one is meant.
  const std::string_view stage = name(candidate.stage);
  if (candidate.variant->info.family != stage)
    baseline.title += QLatin1Char(' ') + QString::fromLatin1(stage.data(), qsizetype(stage.size()));
  return baseline;
}

Baseline Baseline::ofMoment(RaceResultPtr race) {
  Baseline baseline;
  baseline.kind = Kind::moment;
  const auto seconds = std::chrono::system_clock::to_time_t(race->when);
  baseline.title = translated("the race of %1")
                       .arg(QDateTime::fromSecsSinceEpoch(seconds).toString(QStringLiteral("HH:mm:ss")));
  baseline.race = std::move(race);
  return baseline;
}

Baseline Baseline::ofReport(RaceResultPtr race, const QString& fileName) {
  Baseline baseline;
  baseline.kind = Kind::report;
  const QString device = QString::fromStdString(race->device.name);
  baseline.title = QFileInfo(fileName).fileName();
  if (!device.isEmpty()) baseline.title += QStringLiteral(", ") + device;
  baseline.race = std::move(race);
  return baseline;
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
  const CompareRules& rules = race.conditions.rules;
  Delta delta;
  delta.comparison = sameRace && !row.us.empty() && row.us.size() == rival->us.size()
                         ? comparePaired(row.us, rival->us, rules)
                         : compareApart(spreadOf(row), spreadOf(*rival), rules);
  delta.us = row.times.median - rival->times.median;
  delta.words = verdictText(delta.comparison, rules.sameWithin);
  delta.absolute = signedText(delta.us);
  delta.relative = percentWithSign(delta.comparison.ratio - 1);
  return delta;
}

QString verdictText(const Comparison& comparison, double sameWithin) {
  switch (comparison.verdict) {
  case Verdict::faster:
    return translated("faster by %1 %").arg(percentText(1 - comparison.ratio));
  case Verdict::slower:
    return translated("slower by %1 %").arg(percentText(comparison.ratio - 1));
  case Verdict::same:
    return translated("the same within %1 %").arg(QString::number(sameWithin * 100, 'g', 3));
  case Verdict::undecided:
    break;
  }
  return translated("undecided");
}

QString signedText(double value) {
  if (!std::isfinite(value)) return unknownText();
  QString size = significantText(std::abs(value));
  if (value == 0) return size;
  return (value < 0 ? QChar(0x2212) : QChar(u'+')) + size;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/report_comparison.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/text_table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonValue>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

/// What races has to hold a race against, which is one of its own; null where it has nothing.
RaceResultPtr counterpart(std::span<const RaceResultPtr> races, const RaceResult& race,
                          std::span<const RaceResultPtr> own) {
  const Problem& problem = race.rows.front().problem;
  RaceResultPtr found = raceOf(races, problem, race.source);
  const bool others = found && !samePoints(found->source, race.source, problem.n);
  return others && severalSources(own, problem) ? nullptr : found;
}

QString rowText(const Measurement& row, const RaceResult& race, bool withSource) {
  return ReportStrings::tr("%1, %2").arg(wholeCandidateText(row.candidate), raceText(race, withSource));
}

void sayWhenDifferent(QStringList& sentences, const QString& what, const QString& before,
                      const QString& now) {
  if (before == now) return;
  const auto known = [](const QString& text) {
    return text.isEmpty() ? ReportStrings::tr("not known") : text;
  };
  const QString sentence =
      ReportStrings::tr("The %1 differs: %2 before, %3 now.").arg(what, known(before), known(now));
  if (!sentences.contains(sentence)) sentences << sentence;
}

QString cacheText(const RaceResult& race) { return qtext(name(race.conditions.cache)); }

void compareConditions(QStringList& sentences, const RaceResult& before, const RaceResult& now) {
  sayWhenDifferent(sentences, ReportStrings::tr("device"), qtext(before.device.name), qtext(now.device.name));
  sayWhenDifferent(sentences, ReportStrings::tr("backend"), qtext(name(before.device.backend)),
                   qtext(name(now.device.backend)));
  sayWhenDifferent(sentences, ReportStrings::tr("driver"), qtext(before.device.driver),
                   qtext(now.device.driver));
  sayWhenDifferent(sentences, ReportStrings::tr("runtime"), qtext(before.device.runtime),
                   qtext(now.device.runtime));
  sayWhenDifferent(sentences, ReportStrings::tr("state of the caches"), cacheText(before), cacheText(now));
  if (!samePoints(before.source, now.source, now.rows.front().problem.n))
    sayWhenDifferent(sentences, ReportStrings::tr("data"), qtext(before.source), qtext(now.source));
  sayWhenDifferent(sentences, ReportStrings::tr("seed"), QString::number(before.conditions.seed),
                   QString::number(now.conditions.seed));
}

/// A problem that only one of the two has is one line, not one for every row.
void sayWhole(QStringList& list, const RaceResult& race, bool withSource) {
  const auto ran = std::ranges::count_if(race.rows, [](const Measurement& row) { return row.ran(); });
  if (ran > 0)
    list << raceText(race, withSource) + countedText(static_cast<std::uint64_t>(ran),
                                                     ReportStrings::tr(": its %1 row"),
                                                     ReportStrings::tr(": all %1 rows"));
}

/// Why a row that was verified is not any more; empty when it is, or never was.
QString lossOf(const Measurement& before, const Measurement& now, bool sameDevice) {
  if (!before.comparable() || now.comparable()) return {};
  if (now.ran() && !now.verified) return ReportStrings::tr("differs: %1").arg(qtext(now.difference));
  if (now.ran()) return ReportStrings::tr("its times are no numbers");
  return sameDevice ? ReportStrings::tr("cannot run: %1").arg(qtext(now.skipped)) : QString();
}

void compareRace(ReportComparison& comparison, const RaceResult& now, const RaceResultPtr& before,
                 const QString& fileName, bool withSource) {
  const Baseline baseline = Baseline::ofReport(before, fileName);
  const bool sameDevice =
      before->device.name == now.device.name && before->device.backend == now.device.backend;
  for (const Measurement& row : now.rows) {
    const Measurement* then = rowOf(*before, row.candidate);
    const bool thenRan = then && then->ran();
    if (!thenRan) {
      if (row.ran()) comparison.onlyNow << rowText(row, now, withSource);
      continue;
    }
    ComparedRow compared{.candidate = row.candidate,
                         .problem = row.problem,
                         .source = now.source,
                         .us = row.ran() ? row.times.median : std::numeric_limits<double>::quiet_NaN(),
                         .beforeUs = then->times.median,
                         .delta = deltaOf(row, now, baseline),
                         .again = {},
                         .loss = lossOf(*then, row, sameDevice)};
    if (!row.ran() && compared.loss.isEmpty())
      comparison.onlyBefore << rowText(*then, *before, withSource);
    else
      comparison.rows.push_back(compared);
  }
  for (const Measurement& then : before->rows)
    if (then.ran() && !rowOf(now, then.candidate))
      comparison.onlyBefore << rowText(then, *before, withSource);
}

/// Null where there is no interval, or an end of it is infinite.
QJsonValue intervalJson(const ComparedRow& row, double Comparison::*end) {
  if (!row.delta || !std::isfinite(row.delta->comparison.*end)) return {};
  return row.delta->comparison.*end;
}

} // namespace

QString comparisonText(const ComparedRow& row) {
  if (!row.loss.isEmpty()) return ReportStrings::tr("was verified, now %1").arg(row.loss);
  if (!row.delta) return ReportStrings::tr("not verified before, nothing to hold it against");
  if (!row.again) return row.delta->text;
  if (row.verdict() != Verdict::undecided)
    return ReportStrings::tr("%1, measured again: %2").arg(row.delta->text, row.again->text);
  return (row.delta->comparison.verdict == Verdict::slower
              ? ReportStrings::tr("not slower when measured again: %1")
              : ReportStrings::tr("not faster when measured again: %1"))
      .arg(row.again->text);
}

std::size_t ReportComparison::worse() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const ComparedRow& row) { return row.worse(); }));
}

bool ReportComparison::sourcesTellApart() const {
  return std::ranges::any_of(rows, [&](const ComparedRow& one) {
    return std::ranges::any_of(rows, [&](const ComparedRow& other) {
      return one.problem == other.problem && one.source != other.source;
    });
  });
}

QString ReportComparison::differenceText() {
  return ReportStrings::tr(
      "A difference is the middle one over places of memory and rounds, which is what the verdict is of; "
      "medians of noisy times may differ the other way.");
}

QString ReportComparison::verdict() const {
  if (rows.empty()) return ReportStrings::tr("Nothing could be compared: the two have no row in common.");
  std::size_t counted[4] = {};
  std::size_t lost = 0;
  for (const ComparedRow& row : rows) {
    if (!row.loss.isEmpty())
      ++lost;
    else if (row.delta)
      ++counted[static_cast<std::size_t>(row.verdict())];
  }
  const auto of = [&](Verdict verdict) { return countText(counted[static_cast<std::size_t>(verdict)]); };
  QString text =
      (rows.size() == 1
           ? ReportStrings::tr("Of %1 row that both have, %2 got slower, %3 got faster, %4 stayed the same, "
                               "%5 cannot be told apart.")
           : ReportStrings::tr("Of %1 rows that both have, %2 got slower, %3 got faster, %4 stayed the same, "
                               "%5 cannot be told apart."))
          .arg(countText(rows.size()), of(Verdict::slower), of(Verdict::faster), of(Verdict::same),
               of(Verdict::undecided));
  if (lost > 0)
    text += u' ' + countedText(lost, ReportStrings::tr("%1 was verified and is not any more."),
                               ReportStrings::tr("%1 were verified and are not any more."));
  return text;
}

ReportComparison compareReports(std::span<const RaceResultPtr> now, const SavedReport& before,
                                const QString& fileName) {
  ReportComparison comparison;
  comparison.before = QFileInfo(fileName).fileName();
  if (!before.races.empty()) {
    const RaceResult& first = *before.races.front();
    for (const QString& part : {qtext(first.device.name), momentText(first.when)})
      if (!part.isEmpty()) comparison.before += QStringLiteral(", ") + part;
  }
  for (const std::string& id : before.unknown)
    comparison.unknown << qtext(id);
  const bool withSource = sourcesTellApart(now) || sourcesTellApart(before.races);
  for (const RaceResultPtr& race : now) {
    if (race->rows.empty()) continue;
    if (const RaceResultPtr then = counterpart(before.races, *race, now)) {
      compareConditions(comparison.differences, *then, *race);
      compareRace(comparison, *race, then, fileName, withSource);
    } else {
      sayWhole(comparison.onlyNow, *race, withSource);
    }
  }
  for (const RaceResultPtr& then : before.races)
    if (!then->rows.empty() && !counterpart(now, *then, before.races))
      sayWhole(comparison.onlyBefore, *then, withSource);
  return comparison;
}

void addSecondMeasurement(ReportComparison& comparison, RaceResult again, const SavedReport& before,
                          const CompareRules& rules) {
  if (again.rows.empty()) return;
  again.conditions.rules = rules;
  const Problem& problem = again.rows.front().problem;
  const RaceResultPtr then = raceOf(before.races, problem, again.source);
  if (!then) return;
  const Baseline baseline = Baseline::ofReport(then, {});
  for (ComparedRow& row : comparison.rows) {
    if (!row.seemsDifferent() || row.problem != problem || row.source != again.source) continue;
    if (const Measurement* second = rowOf(again, row.candidate))
      row.again = deltaOf(*second, again, baseline);
  }
}

TextTable comparisonTable(const ReportComparison& comparison) {
  TextTable table;
  using Align = TextTable::Align;
  table.addColumn(ReportStrings::tr("stage"), Align::left);
  table.addColumn(ReportStrings::tr("variant"), Align::left);
  table.addColumn(ReportStrings::tr("verdict"), Align::left);
  for (const QString& heading :
       {QStringLiteral("N"), QStringLiteral("D"), QStringLiteral("K"), ReportStrings::tr("before us"),
        ReportStrings::tr("now us"), ReportStrings::tr("difference us"), ReportStrings::tr("difference %")})
    table.addColumn(heading, Align::right);
  const bool withSource = comparison.sourcesTellApart();
  if (withSource) table.addColumn(ReportStrings::tr("data"), Align::left);
  for (const ComparedRow& row : comparison.rows) {
    QStringList cells{qtext(name(row.candidate.stage)),
                      candidateText(row.candidate, shownParameters(row.candidate)),
                      comparisonText(row),
                      countText(row.problem.n),
                      QString::number(row.problem.d),
                      QString::number(row.problem.k),
                      microsecondsText(row.beforeUs),
                      microsecondsText(row.us),
                      row.delta ? row.delta->absolute : unknownText(),
                      row.delta ? row.delta->relative : unknownText()};
    if (withSource) cells << qtext(row.source);
    table.addRow(cells);
  }
  return table;
}

QJsonObject comparisonJson(const ReportComparison& comparison) {
  QJsonArray rows;
  for (const ComparedRow& row : comparison.rows) {
    QJsonObject json{
        {QStringLiteral("source"), textOrNull(row.source)},
        {QStringLiteral("median_us"), row.us},
        {QStringLiteral("before_us"), row.beforeUs},
        {QStringLiteral("verdict"), row.delta ? QJsonValue(qtext(name(row.verdict()))) : QJsonValue()},
        {QStringLiteral("difference_us"), row.delta ? QJsonValue(row.delta->us) : QJsonValue()},
        {QStringLiteral("ratio"), row.delta ? QJsonValue(row.delta->comparison.ratio) : QJsonValue()},
        {QStringLiteral("low"), intervalJson(row, &Comparison::low)},
        {QStringLiteral("high"), intervalJson(row, &Comparison::high)},
        {QStringLiteral("again"), row.again ? qtext(name(row.again->comparison.verdict)) : QJsonValue()},
        {QStringLiteral("text"), comparisonText(row)},
        {QStringLiteral("worse"), row.worse()}};
    insertCandidate(json, row.candidate, row.problem);
    rows.append(json);
  }
  return {{QStringLiteral("before"), comparison.before},
          {QStringLiteral("verdict"), comparison.verdict()},
          {QStringLiteral("worse"), countJson(comparison.worse())},
          {QStringLiteral("differences"), QJsonArray::fromStringList(comparison.differences)},
          {QStringLiteral("rows"), rows},
          {QStringLiteral("only_now"), QJsonArray::fromStringList(comparison.onlyNow)},
          {QStringLiteral("only_before"), QJsonArray::fromStringList(comparison.onlyBefore)},
          {QStringLiteral("unknown_variants"), QJsonArray::fromStringList(comparison.unknown)}};
}

} // namespace lloyd

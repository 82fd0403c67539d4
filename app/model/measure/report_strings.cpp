// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/report_strings.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/race_protocol.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/comparison.hpp"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace lloyd {

QJsonValue parameterJson(std::string_view parameterName, int value) {
  if (parameterName == "arithmetic") return qtext(name(static_cast<Arithmetic>(value)));
  return value;
}

QJsonValue parameterValue(const Candidate& candidate, std::string_view parameterName) {
  if (!candidate.variant->parameter(parameterName)) return {};
  return parameterJson(parameterName, candidate.tuning.value(parameterName));
}

void insertCandidate(QJsonObject& json, const Candidate& candidate, const Problem& problem) {
  json.insert(QStringLiteral("variant"), qtext(candidate.variant->id()));
  json.insert(QStringLiteral("stage"), qtext(name(candidate.stage)));
  json.insert(QStringLiteral("n"), countJson(problem.n));
  json.insert(QStringLiteral("d"), problem.d);
  json.insert(QStringLiteral("k"), problem.k);
  for (const std::string_view parameterName : tuningParameters)
    json.insert(qtext(parameterName), parameterValue(candidate, parameterName));
}

QString parameterCell(const Candidate& candidate, std::string_view parameterName) {
  const QJsonValue value = parameterValue(candidate, parameterName);
  if (value.isNull()) return {};
  return value.isString() ? value.toString() : countText(static_cast<std::uint64_t>(value.toInt()));
}

std::set<std::string_view> sweptParameters(const std::vector<Measurement>& rows) {
  std::set<std::string_view> swept;
  std::map<std::pair<const Variant*, Stage>, const Tuning*> seen;
  for (const Measurement& row : rows) {
    const auto [first, isNew] =
        seen.try_emplace({row.candidate.variant, row.candidate.stage}, &row.candidate.tuning);
    for (const std::string_view parameterName : tuningParameters)
      if (first->second->value(parameterName) != row.candidate.tuning.value(parameterName))
        swept.insert(parameterName);
  }
  return swept;
}

QString candidateText(const Candidate& candidate, const std::set<std::string_view>& parameters) {
  QString text = qtext(candidate.variant->id());
  for (const std::string_view parameterName : tuningParameters)
    if (const QString value = parameterCell(candidate, parameterName);
        parameters.contains(parameterName) && !value.isEmpty())
      text += QStringLiteral(", ") + qtext(parameterName) + u' ' + value;
  return text;
}

std::set<std::string_view> shownParameters(const Candidate& candidate) {
  std::set<std::string_view> parameters{tuningParameters.begin(), tuningParameters.end()};
  if (candidate.tuning.arithmetic == Arithmetic::multiply) parameters.erase("arithmetic");
  return parameters;
}

QString wholeCandidateText(const Candidate& candidate) {
  QString text = candidateText(candidate, shownParameters(candidate));
  if (candidate.variant->info.family != name(candidate.stage))
    text += QStringLiteral(" (%1)").arg(qtext(name(candidate.stage)));
  return text;
}

QString problemText(const Problem& problem) {
  const QString dimensions =
      problem.d == 1 ? ReportStrings::tr("1 dimension") : ReportStrings::tr("%1 dimensions").arg(problem.d);
  return QStringLiteral("%1, %2, k = %3").arg(pointsText(problem.n), dimensions, QString::number(problem.k));
}

bool sourcesTellApart(std::span<const RaceResultPtr> races) {
  return std::ranges::any_of(races, [&](const RaceResultPtr& one) {
    return std::ranges::any_of(races, [&](const RaceResultPtr& other) {
      return !one->rows.empty() && !other->rows.empty() &&
             one->rows.front().problem == other->rows.front().problem && one->source != other->source;
    });
  });
}

QString raceText(const RaceResult& race, bool withSource) {
  const QString problem = problemText(race.rows.front().problem);
  return withSource ? QStringLiteral("%1, %2").arg(problem, qtext(race.source)) : problem;
}

QString conditionsText(const RaceResult& race) {
  const RaceConditions& c = race.conditions;
  QStringList parts;
  parts << (c.cache == CacheState::cold ? ReportStrings::tr("cold caches (overwritten before every sample)")
                                        : ReportStrings::tr("hot caches"));
  parts << countedText(c.rounds, ReportStrings::tr("%1 round"),
                       ReportStrings::tr("%1 rounds, turns in changing order"));
  parts << ReportStrings::tr("samples thrown away: %1 while it warmed up, %2 because the clock had fallen")
               .arg(countText(c.rampUp), countText(c.throttled));
  parts << (c.clockMhz > 0 ? ReportStrings::tr("clock %1 MHz").arg(significantText(c.clockMhz, 4))
                           : ReportStrings::tr("clock not known"));
  parts << ReportStrings::tr("%1 s in all").arg(significantText(c.seconds));
  return parts.join(QStringLiteral("; "));
}

QString loadText(const RaceResult& race) {
  const MachineLoad& load = race.conditions.load;
  if (!load.busy()) return {};
  QString text = ReportStrings::tr("The machine was busy: other processes used %1 of %2 processors")
                     .arg(significantText(load.byOthers, 2))
                     .arg(load.processors);
  if (load.stolen > 0.01)
    text +=
        ReportStrings::tr(", its host took the time of %1 processors").arg(significantText(load.stolen, 2));
  return text + QStringLiteral(".");
}

QStringList cardTexts(const CardLoad& card) {
  QStringList texts;
  if (card.otherProcesses > 0)
    texts << ReportStrings::tr("Other processes had work on the card: %1.").arg(card.otherProcesses);
  if (card.powerLimited) texts << ReportStrings::tr("The card ran slower to stay within its power limit.");
  if (card.heatLimited) texts << ReportStrings::tr("The card ran slower to stay cool.");
  return texts;
}

QStringList warningsOf(const RaceResult& race) {
  const RaceConditions& c = race.conditions;
  QStringList warnings;
  if (!race.finished)
    warnings << countedText(c.rounds, ReportStrings::tr("Not finished: the race was ended after %1 round."),
                            ReportStrings::tr("Not finished: the race was ended after %1 rounds."));
  if (!c.clockStable)
    warnings << ReportStrings::tr("The clock did not settle in %1 s of warming up.")
                    .arg(significantText(c.warmUpSeconds));
  if (const QString load = loadText(race); !load.isEmpty()) warnings << load;
  warnings << cardTexts(c.card);
  QStringList noisy;
  for (const Measurement& row : race.rows)
    if (row.noisy()) noisy << wholeCandidateText(row.candidate);
  if (!noisy.isEmpty())
    warnings << ReportStrings::tr("Noise above 10 %, so their medians say little: %1.")
                    .arg(noisy.join(QStringLiteral(", ")));
  if (c.undecided > 0)
    warnings << countedText(c.undecided,
                            ReportStrings::tr("%1 comparison was still undecided when the samples ended"),
                            ReportStrings::tr("%1 comparisons were still undecided when the samples ended")) +
                    (c.rounds >= RaceOptions().mostRounds()
                         ? ReportStrings::tr(": a race has no more than %1 rounds.").arg(c.rounds)
                         : ReportStrings::tr("; a larger --budget takes more."));
  return warnings;
}

QStringList remarksOf(const RaceResult& race) {
  QStringList remarks;
  const std::vector<const Measurement*> rows = rankedRows(race);
  for (const Measurement* m : rows)
    if (!m->note.empty())
      remarks << ReportStrings::tr("%1: %2").arg(wholeCandidateText(m->candidate), qtext(m->note));
  for (const Measurement* m : rows)
    if (!m->verified)
      remarks
          << ReportStrings::tr("%1 differs: %2").arg(wholeCandidateText(m->candidate), qtext(m->difference));
  return remarks;
}

QString standingText(const Measurement& row, double within) {
  if (row.rank == 0) return unknownText();
  if (row.alone) return ReportStrings::tr("no rival");
  if (!row.againstFirst) return ReportStrings::tr("first");
  return verdictText(*row.againstFirst, within);
}

QString noiseText(const Measurement& row) {
  if (row.times.samples < 2) return unknownText();
  return percentText(row.times.noise) + (row.noisy() ? QStringLiteral(" !") : QString());
}

QString intervalText(const Measurement& row, const RaceConditions& conditions) {
  const auto interval = medianInterval(row.us, conditions.places);
  if (!interval) return unknownText();
  return ReportStrings::tr("%1 to %2")
      .arg(microsecondsText(interval->first), microsecondsText(interval->second));
}

QString verifiedText(const Measurement& row) {
  return row.verified ? ReportStrings::tr("yes") : ReportStrings::tr("differs");
}

QString rankText(const Measurement& row) {
  return row.rank > 0 && !row.alone ? QString::number(row.rank) : unknownText();
}

std::size_t ReportOrder::of(Stage stage) {
  constexpr std::array<Stage, 9> order{Stage::classify, Stage::reduce, Stage::fused,
                                       Stage::order,    Stage::labels, Stage::update,
                                       Stage::iterate,  Stage::sets,   Stage::layout};
  const auto found = std::ranges::find(order, stage);
  return found != order.end() ? static_cast<std::size_t>(found - order.begin())
                              : order.size() + static_cast<std::size_t>(stage);
}

std::vector<const Measurement*> rankedRows(const RaceResult& race) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : race.rows)
    if (row.ran()) rows.push_back(&row);
  // What is no number goes last, and is never compared: no order would hold it.
  const auto key = [](const Measurement* row) {
    const bool number = std::isfinite(row->times.median);
    return std::tuple(ReportOrder::of(row->candidate.stage), row->rank == 0, !number,
                      number ? row->times.median : 0.0);
  };
  std::ranges::stable_sort(rows, [&](const Measurement* a, const Measurement* b) { return key(a) < key(b); });
  return rows;
}

QStringList reasonsNotRun(const std::vector<RaceResultPtr>& races) {
  std::vector<std::pair<QString, QStringList>> reasons; // without the variants' names, which come behind
  for (const RaceResultPtr& race : races)
    for (const Measurement& row : race->rows) {
      if (row.skipped.empty()) continue;
      const QString id = qtext(row.candidate.variant->id());
      QString reason = qtext(row.skipped);
      if (reason.startsWith(id + u' ')) reason.remove(0, id.size() + 1);
      auto known = std::ranges::find_if(reasons, [&](const auto& one) { return one.first == reason; });
      if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
      if (!known->second.contains(id)) known->second << id;
    }
  QStringList lines;
  for (const auto& [reason, ids] : reasons)
    lines << (ids.size() == 1 ? QStringLiteral("%1 %2").arg(ids.front(), reason)
                              : QStringLiteral("%1: %2").arg(reason, ids.join(QStringLiteral(", "))));
  return lines;
}

QString momentText(std::chrono::system_clock::time_point when) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count();
  if (seconds == 0) return {};
  return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) +
         QStringLiteral(" UTC");
}

} // namespace lloyd

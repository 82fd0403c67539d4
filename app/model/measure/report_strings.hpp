// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports of bench say in words, the same in every form.
#pragma once
#include "app/model/measure/measurement.hpp"

#include <QCoreApplication>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace lloyd {

/// Carries the translations of reports.
struct ReportStrings {
  Q_DECLARE_TR_FUNCTIONS(lloyd::ReportStrings)
};

/// A value of a tuning parameter as JSON has it: a word for arithmetic, a number for the others.
[[nodiscard]] QJsonValue parameterJson(std::string_view parameterName, int value);
/// The candidate's; null where the variant has no such tuning parameter.
[[nodiscard]] QJsonValue parameterValue(const Candidate& candidate, std::string_view parameterName);
/// The same as tables have it; empty where there is none.
[[nodiscard]] QString parameterCell(const Candidate& candidate, std::string_view parameterName);

/// Inserts "variant", "stage", "n", "d", "k" and every tuning parameter.
void insertCandidate(QJsonObject& json, const Candidate& candidate, const Problem& problem);

/// The tuning parameters that differ among the rows of one variant at one stage: what a sweep sweeps.
[[nodiscard]] std::set<std::string_view> sweptParameters(const std::vector<Measurement>& rows);
/// "cpu.v1", and "classify.v7, block 128, items 4" for the tuning parameters named.
[[nodiscard]] QString candidateText(const Candidate& candidate, const std::set<std::string_view>& parameters);
/// Every tuning parameter that a reader has to be told: arithmetic only where it is not multiplication.
[[nodiscard]] std::set<std::string_view> shownParameters(const Candidate& candidate);
/// The same with those, and with the stage where the family's name does not say it.
[[nodiscard]] QString wholeCandidateText(const Candidate& candidate);

/// "1,048,576 points, 2 dimensions, k = 16"
[[nodiscard]] QString problemText(const Problem& problem);
/// Whether races of one problem are of different points, so that a problem alone does not say which race it
/// is.
[[nodiscard]] bool sourcesTellApart(std::span<const RaceResultPtr> races);
/// problemText() of a race, which has rows; withSource: and what its points are, as ", blobs:spread=2".
[[nodiscard]] QString raceText(const RaceResult& race, bool withSource);
/// "hot caches; 60 rounds in changing order; 12 samples thrown away while the clock rose, 3 because it had
/// fallen; clock 1,980 MHz; 4.2 s"
[[nodiscard]] QString conditionsText(const RaceResult& race);
/// That other processes kept the machine busy meanwhile; empty when they did not.
[[nodiscard]] QString loadText(const RaceResult& race);
/// What is amiss with the race, as sentences: not finished, a clock that did not settle, verdicts left open.
[[nodiscard]] QStringList warningsOf(const RaceResult& race);

/// What single rows add: what a time is of where it is not of one launch, and how a result differs.
[[nodiscard]] QStringList remarksOf(const RaceResult& race);

/// Against the first of the family: "faster by 12.3 %"; "first" for that one itself; "no rival" where
/// the stage has no other; an en dash for what is not ranked. within: that the race calls the same.
[[nodiscard]] QString standingText(const Measurement& row, double within);
/// "yes", or "differs".
/// In per cent; above 10 % with a mark.
[[nodiscard]] QString noiseText(const Measurement& row);
/// "5.91 to 5.94": microseconds, the interval that holds the median of one launch in 19 of 20 cases.
[[nodiscard]] QString intervalText(const Measurement& row, const RaceConditions& conditions);
[[nodiscard]] QString verifiedText(const Measurement& row);
/// "2", or an en dash, also for what has no rival.
[[nodiscard]] QString rankText(const Measurement& row);

/// Stages as reports list them: those of an iteration, then layout, then the rest.
struct ReportOrder {
  [[nodiscard]] static std::size_t of(Stage stage);
  bool operator()(Stage a, Stage b) const { return of(a) < of(b); }
};
/// The rows that ran: by stage, the ranked before the others, the fastest first.
[[nodiscard]] std::vector<const Measurement*> rankedRows(const RaceResult& race);
/// Why rows were not run, each reason once.
[[nodiscard]] QStringList reasonsNotRun(const std::vector<RaceResultPtr>& races);

/// "2026-03-01 14:05:32 UTC"; empty for a moment that is not known.
[[nodiscard]] QString momentText(std::chrono::system_clock::time_point when);

} // namespace lloyd

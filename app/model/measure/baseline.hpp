// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <QString>

#include <optional>

namespace lloyd {

/// What times are held against: the first of each family, a variant of the same race, an earlier race, or a
/// saved report.
struct Baseline {
  enum class Kind { none, first, variant, moment, report };
  Kind kind = Kind::none;
  QString title;       ///< "classify.v1", "the race of 14:05:32", "old.json, NVIDIA H200"
  Candidate candidate; ///< kind variant: the one that is pinned
  RaceResultPtr race;  ///< kinds moment and report

  /// The first of each row's family at its stage, as the texts count their gains.
  [[nodiscard]] static Baseline ofFirst();
  [[nodiscard]] static Baseline ofVariant(const Candidate& candidate);
  /// An earlier moment of this program; when() of the race is in the title, local time.
  [[nodiscard]] static Baseline ofMoment(RaceResultPtr race);
  /// A report read by readBenchReport().
  [[nodiscard]] static Baseline ofReport(RaceResultPtr race, const QString& fileName);
};

/// A row's time against a baseline's.
struct Delta {
  Comparison comparison;
  double us = 0; ///< as much of the baseline's median as the comparison says, microseconds
  /// "faster by 12.3 %", "8.7 times as fast", "the same within 1 %", "undecided"; between two runs also how
  /// close they can be told apart, or why they cannot
  QString text;
  QString absolute; ///< "-3.41": microseconds with a sign, true minus
  QString relative; ///< "-12.3": per cent with a sign
};

/// The row that a row is held against; null where there is none: another stage, another problem, a candidate
/// that the baseline lacks, one that is not verified there, the baseline itself.
[[nodiscard]] const Measurement* rivalOf(const Measurement& row, const RaceResult& race,
                                         const Baseline& baseline);

/// The row against the baseline; nothing where there is no rival for it, or where it was not ranked. A
/// variant of the same race is compared pair by pair; an earlier moment or a report place by place
/// (compareRuns()), where a difference must exceed CompareRules::slowerThan and what the machine itself
/// became slower or faster, machineShift(). On a busy machine runs are told apart by factors of four and more
/// alone.
[[nodiscard]] std::optional<Delta> deltaOf(const Measurement& row, const RaceResult& race,
                                           const Baseline& baseline);

/// How much slower and how much faster the machine itself was than before, 0.02 for 2 %: by its clock and by
/// half of what a copy's rate went, either by the one that says more. 0 below 1 %, as medians of equal
/// machines differ by as much, and where it is not known of both.
[[nodiscard]] Tolerance machineShift(const RaceConditions& now, const RaceConditions& before);

/// The verdict in words, "faster by 12.3 %"; from a factor of 2 on "8.7 times as fast".
[[nodiscard]] QString verdictText(const Comparison& comparison, double sameWithin = 0.01);
/// The same with who it is held against: "faster by 12.3 % than classify.v1".
[[nodiscard]] QString verdictAgainst(const Comparison& comparison, const QString& rival,
                                     double sameWithin = 0.01);
/// Three significant digits with a plus or a true minus sign; nothing before a zero, an en dash for what is
/// not finite.
[[nodiscard]] QString signedText(double value);

/// The first of the row's family at its stage: the one with the lowest number that ran and is verified; null
/// when there is none.
[[nodiscard]] const Measurement* firstOfFamily(const Measurement& row, const RaceResult& race);

} // namespace lloyd

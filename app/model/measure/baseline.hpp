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
  double us = 0;    ///< this median less the baseline's, microseconds
  QString words;    ///< "faster by 12.3 %", "slower by 2.10 %", "the same within 1 %", "undecided"
  QString absolute; ///< "-3.41": microseconds with a sign, true minus
  QString relative; ///< "-12.3": per cent with a sign
};

/// The row that a row is held against; null where there is none: another stage, another problem, a candidate
/// that the baseline lacks, one that is not verified there, the baseline itself.
[[nodiscard]] const Measurement* rivalOf(const Measurement& row, const RaceResult& race,
                                         const Baseline& baseline);

/// The row against the baseline; nothing where there is no rival for it, or where it was not ranked. A
/// variant of the same race is compared pair by pair, an earlier moment or a report by medians and noise
/// (compareApart()).
[[nodiscard]] std::optional<Delta> deltaOf(const Measurement& row, const RaceResult& race,
                                           const Baseline& baseline);

/// The verdict in words, "faster by 12.3 %".
[[nodiscard]] QString verdictText(const Comparison& comparison, double sameWithin = 0.01);
/// Three significant digits with a plus or a true minus sign; nothing before a zero, an en dash for what is
/// not finite.
[[nodiscard]] QString signedText(double value);

/// The first of the row's family at its stage: the one with the lowest number that ran and is verified; null
/// when there is none.
[[nodiscard]] const Measurement* firstOfFamily(const Measurement& row, const RaceResult& race);

} // namespace lloyd

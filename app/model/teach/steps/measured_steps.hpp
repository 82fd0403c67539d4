// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the texts with the kernels of this program.
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/teach/steps/step_judgement.hpp"

#include <QString>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// One step as it was measured.
struct StepHere {
  enum class From {
    race,    ///< of this machine, raced with this program
    shipped, ///< a race whose verdicts are in the program
    medians  ///< two medians of such a race without their interval
  };
  From from = From::medians;
  QString card;          ///< "NVIDIA H200"
  Comparison comparison; ///< time of the version over that of the one before
  double beforeUs = 0;   ///< medians of one launch, microseconds
  double us = 0;
  double sameWithin = 0.01;
  std::optional<Problem> problem; ///< where it is not the text's
};

/// The problem of both articles: N = 2^20, D = 1, K = 16.
[[nodiscard]] Problem problemOfTheTexts();

/// A comparison of two medians that nothing but the medians is known of: two runs of one program differ by
/// up to CompareRules::slowerThan, so that is the interval. Undecided where a median is no positive number.
[[nodiscard]] Comparison compareMedians(double us, double beforeUs);

/// Verdicts of neighbours in one table, as scripts/measure-times.py writes steps.csv.
class StepTable {
public:
  /// Rows that are no comparison are left out.
  explicit StepTable(const QString& text);
  /// points: a column of ladder.csv, "sorted". Null where there is no such row.
  [[nodiscard]] const StepHere* find(const QString& variant, const QString& before,
                                     const QString& points) const;

private:
  std::map<std::tuple<QString, QString, QString>, StepHere> rows_; ///< without medians
};

/// With the figures in the program: those of steps.csv, or else the medians of ladder.csv; nothing where
/// neither has both versions. points: a column of ladder.csv.
[[nodiscard]] std::optional<StepHere> shippedStep(const TextStep& step,
                                                  const QString& points = QStringLiteral("sorted"));

/// A variant's rows of a race that can be held against others, the fastest first.
[[nodiscard]] std::vector<const Measurement*> comparableRows(const RaceResult& race, Stage stage,
                                                             const Variant& variant);

/// In a race: the fastest row of the version that was verified, and the fastest of the one before with the
/// same arithmetic. Nothing where the race has not both or was not run on an NVIDIA card, since both texts
/// are about one.
[[nodiscard]] std::optional<StepHere> racedStep(const TextStep& step, const RaceResult& race);

} // namespace lloyd

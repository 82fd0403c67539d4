// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/baseline.hpp"
#include "app/model/report/saved_report.hpp"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// One candidate on one problem that both reports have.
struct ComparedRow {
  Candidate candidate;
  Problem problem;
  std::string source;         ///< of its points, now
  double us = 0;              ///< median now; NaN when it was not run
  double beforeUs = 0;        ///< median then
  std::optional<Delta> delta; ///< where both were verified
  std::optional<Delta> again; ///< where it was measured a second time, because it seemed different
  QString loss;               ///< not empty: it was verified then and is not now, and why

  [[nodiscard]] bool seemsDifferent() const {
    return delta &&
           (delta->comparison.verdict == Verdict::slower || delta->comparison.verdict == Verdict::faster);
  }
  /// What holds: a difference that a second measurement does not share is none. Only where there is a delta.
  [[nodiscard]] Verdict verdict() const {
    const Verdict first = delta->comparison.verdict;
    return again && again->comparison.verdict != first ? Verdict::undecided : first;
  }
  [[nodiscard]] bool worse() const { return !loss.isEmpty() || (delta && verdict() == Verdict::slower); }
};

/// This benchmark held against an older one. Texts are for people.
struct ReportComparison {
  /// What the column of differences is, of which the medians beside it need not be apart by as much.
  [[nodiscard]] static QString differenceText();

  QString before;          ///< the older report: its file's name, device and date
  QStringList differences; ///< sentences: what else differs between the two, device, driver, caches, data
  std::vector<ComparedRow> rows; ///< in the order of this report
  QStringList onlyNow;           ///< candidates and problems
  QStringList onlyBefore;        ///< the same
  QStringList unknown;           ///< ids of variants that this program does not have

  [[nodiscard]] std::size_t worse() const; ///< rows that are
  /// Whether rows of one problem are of different points.
  [[nodiscard]] bool sourcesTellApart() const;
  /// "3 of 25 rows got slower beyond noise, ..."
  [[nodiscard]] QString verdict() const;
};

/// "slower by 12.3 %", "was verified, now differs: ..."
[[nodiscard]] QString comparisonText(const ComparedRow& row);

/// Holds races of now against a report that readBenchReport() read; fileName is what it is called. Races of
/// the same problem are held against each other, and where either has it with several sources only those of
/// the same points. A row that was verified there counts as lost when it differs now, or cannot be run now on
/// the very same device.
[[nodiscard]] ReportComparison compareReports(std::span<const RaceResultPtr> now, const SavedReport& before,
                                              const QString& fileName);

/// Sets ComparedRow::again of the rows that seemed different and that the race again has, which measures them
/// a second time; judged by these rules.
void addSecondMeasurement(ReportComparison& comparison, RaceResult again, const SavedReport& before,
                          const CompareRules& rules);

class TextTable;
/// A line for each row: stage, variant, problem, before, now, difference, in words.
[[nodiscard]] TextTable comparisonTable(const ReportComparison& comparison);
[[nodiscard]] QJsonObject comparisonJson(const ReportComparison& comparison);

} // namespace lloyd

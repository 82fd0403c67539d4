// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/roofline.hpp"
#include "app/model/session/run_history.hpp"
#include "app/model/sweep/sweep_plan.hpp"

#include <QString>
#include <QStringList>

#include <deque>
#include <vector>

namespace lloyd {

/// The numbers behind a plot, ready for a spreadsheet: full precision, a unit in every heading that needs
/// one, an empty field where nothing is known.
struct PlotTable {
  QStringList headings;
  std::vector<QStringList> rows; ///< one field a heading

  /// As RFC 4180 has it; a line for the headings, and one for each row.
  [[nodiscard]] QString csv() const;
};

/// One row a frame (or iteration), one column a stage that took place.
[[nodiscard]] PlotTable stageTable(const FrameLog& record, bool simulated);
/// One row a round of the race: both times and a's over b's. A sample that was thrown away is empty.
[[nodiscard]] PlotTable distributionTable(const Measurement& a, const Measurement& b);
/// One row a point, then one a memory's roof and one for the arithmetic.
[[nodiscard]] PlotTable rooflineTable(const Roofline& roofline, const RaceResult& race);
/// One row an iteration that either run has; other may be null.
[[nodiscard]] PlotTable convergenceTable(const std::deque<IterationStats>& run,
                                         const std::deque<IterationStats>* other);
/// One row a measurement, gaps with their reason; measurements still to come are left out.
[[nodiscard]] PlotTable sweepTable(const SweepResult& result);

/// "classify.v3", with the values of its tuning parameters where these are not its own: "classify.v3, block
/// 256".
[[nodiscard]] QString tunedName(const Candidate& candidate);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/bench_report.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// A line of what stands before the numbers.
struct ReportFact {
  QString name;
  QString value;
  bool command = false; ///< words for a shell
};

/// On what, by what and of what a report is: device and processor, driver and runtime, clock, load and places
/// of memory, program, commit and compiler, data, problem and seed. What is not known is left out. Every form
/// for people has these lines.
[[nodiscard]] std::vector<ReportFact> factsOf(const BenchReport& report);

} // namespace lloyd

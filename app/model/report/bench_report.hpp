// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/report_comparison.hpp"

#include <QByteArray>

#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What a benchmark found on one device: a race for each problem, in the order in which they were run.
struct BenchReport {
  DeviceInfo device;
  std::string why;    ///< why a better device is not in use
  std::string source; ///< file or generator
  std::uint64_t seed = 1;
  std::vector<RaceResultPtr> races; ///< none of them null
  std::string command;              ///< that repeats it, quoted for a shell; empty when there is none
  bool interrupted = false;         ///< problems that were asked for are missing, or the last is not finished
  std::optional<ReportComparison> comparison;

  /// Whether all that was run is right.
  [[nodiscard]] bool allVerified() const;
};

/// {"program", "device", "processor", "why", "source", "seed", "date", "command", "finished", "races":
/// [{...}], "results":
/// [{...}], "comparison"}: a race has the conditions of one problem, a result is one variant and stage on one
/// problem. What is no number is null.
[[nodiscard]] QByteArray benchJson(const BenchReport& report);
/// One line a result, with the keys of the JSON's results but for the samples; those of against_first follow
/// a dot.
[[nodiscard]] QByteArray benchCsv(const BenchReport& report);
[[nodiscard]] QByteArray benchMarkdown(const BenchReport& report);
/// For a terminal: a table for each problem, the fastest of each stage first; then what was not run, and why.
[[nodiscard]] QByteArray benchText(const BenchReport& report);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"
#include "app/model/report/report_comparison.hpp"

#include <QByteArray>
#include <QString>

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
  Baseline baseline = Baseline::ofFirst(); ///< what else than the first of each family a reader pinned

  /// Whether all that was run is right.
  [[nodiscard]] bool allVerified() const;
};

/// {"program", "device", "processor", "why", "source", "seed", "date", "command", "finished", "races":
/// [{...}], "results":
/// [{...}], "comparison"}: a race has the conditions of one problem, a result is one variant and stage on one
/// problem; both have the source of their points, the report that of the first race. What is no number is
/// null.
[[nodiscard]] QByteArray benchJson(const BenchReport& report);
/// One line a result, with the keys of the JSON's results but for the samples; those of against_first follow
/// a dot.
[[nodiscard]] QByteArray benchCsv(const BenchReport& report);
[[nodiscard]] QByteArray benchMarkdown(const BenchReport& report);
/// For a terminal: a table for each problem, the fastest of each stage first; then what was not run, and why.
[[nodiscard]] QByteArray benchText(const BenchReport& report);

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

/// What the window raced, as the report that "bench" writes of the same race, with the command that repeats
/// it. why: why a better device was not in use. baseline: what the window holds times against.
[[nodiscard]] BenchReport raceReport(const RaceResultPtr& race, const DataRequest& request,
                                     const Settings& settings, const QString& why,
                                     const Baseline& baseline = Baseline::ofFirst());
/// A row against a baseline in words: "faster by 12.3 %", "baseline".
[[nodiscard]] QString againstBaselineText(const Measurement& row, const RaceResult& race,
                                          const Baseline& baseline);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// What bench --json wrote: the races of a report, one for each problem and its points, in its order. Rows
/// whose variant this build does not know are left out and named in unknown. Samples by round are read where
/// the report has them; an older report has none, and no ranks, which are then those of the medians.
struct SavedReport {
  std::vector<RaceResultPtr> races;
  std::vector<std::string> unknown; ///< ids of variants; with the stage where only that is not known
};

/// Whether two sources are the same points: as they are written, or of generators by what their keys mean.
[[nodiscard]] bool samePoints(const std::string& source, const std::string& other, std::size_t n);
/// Whether races of this problem are of different points.
[[nodiscard]] bool severalSources(std::span<const RaceResultPtr> races, const Problem& problem);
/// The race of a problem and its points; of other points only where races has that problem with no more than
/// one source. Null where there is none.
[[nodiscard]] RaceResultPtr raceOf(std::span<const RaceResultPtr> races, const Problem& problem,
                                   const std::string& source);

/// Nothing larger is read.
inline constexpr std::size_t mostReportBytes = std::size_t{256} << 20;

/// Reads a report of bench --json, of this version or an older one. The error is one sentence with the file
/// and, for JSON that does not parse, line and column; for what is missing or wrong, its place in the report
/// ("results[3].median_us is a text, but must be a number of at least 0"). Any thread.
[[nodiscard]] tl::expected<SavedReport, std::string> readBenchReport(const std::string& path);

} // namespace lloyd

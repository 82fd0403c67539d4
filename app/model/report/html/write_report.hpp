// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"
#include "app/model/report/bench_report.hpp"

#include <QString>

namespace lloyd {

/// What the window raced, as the report that "bench" writes of the same race, with the command that repeats
/// it. why: why a better device was not in use.
[[nodiscard]] BenchReport raceReport(const RaceResultPtr& race, const DataRequest& request,
                                     const Settings& settings, const QString& why);

/// The report in the form that the file's name asks for: .html, .json, .csv or .md; nothing for another.
[[nodiscard]] std::optional<QByteArray> reportAs(const QString& fileName, const BenchReport& report);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/run_report.hpp"

#include <QByteArray>

#include <span>

namespace lloyd {

/// Reports of runs on several files, at least one, each on its own; severalJson() has all of each.
[[nodiscard]] QByteArray filesCsv(std::span<const RunReport> runs);
[[nodiscard]] QByteArray filesMarkdown(std::span<const RunReport> runs);
[[nodiscard]] QByteArray filesText(std::span<const RunReport> runs);

} // namespace lloyd

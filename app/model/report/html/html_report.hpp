// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/bench_report.hpp"

#include <QByteArray>

namespace lloyd {

/// The report as one HTML file that needs nothing else: its style sheet and its plots (SVG) are in it, there
/// is no script, and it forbids itself any request. It follows the reader's colour scheme, prints, and can be
/// read on a phone. QtCore only; any thread.
[[nodiscard]] QByteArray benchHtml(const BenchReport& report);

} // namespace lloyd

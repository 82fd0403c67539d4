// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"
#include "app/cli/messages.hpp"
#include "app/model/report/report_comparison.hpp"

#include <span>

namespace lloyd {

/// Measures a second time what seems slower or faster in races than before, and notes it in the comparison.
/// In a process of its own: where a process has its memory and its code, it has them for life, and equal ones
/// differ by what that is worth. Says what it does; also when it could not, and then the first measurement
/// stands. Throws Cancelled.
void measureAgain(ReportComparison& comparison, std::span<const RaceResultPtr> races,
                  const SavedReport& before, const Arguments& arguments, const Messages& messages);

} // namespace lloyd

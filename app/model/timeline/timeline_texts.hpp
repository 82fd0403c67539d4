// SPDX-License-Identifier: GPL-3.0-or-later
// What a timeline says in words, the same in the window and in reports.
#pragma once
#include "gpu/core/timeline/timeline.hpp"

#include <QCoreApplication>
#include <QString>

namespace lloyd {

struct TimelineStrings {
  Q_DECLARE_TR_FUNCTIONS(lloyd::TimelineStrings)
};

/// Where the times come from, as a sentence.
[[nodiscard]] QString timelineSourceText(TimelineClock clock);
/// "time, µs", or "steps" or "cycles" where there are no seconds.
[[nodiscard]] QString timelineAxisText(TimelineClock clock);
/// "set 2", counted from 1; empty for what is of no one set.
[[nodiscard]] QString timelineSetText(const TimelineBar& bar);
/// "fused.v1, set 2, queue 1: 12.3 µs from 45.6 µs on" and, of copies and fills, ", 1.2 MB". Times are those
/// since the timeline's begin.
[[nodiscard]] QString timelineBarText(const Timeline& timeline, const TimelineBar& bar);
/// "1,230 µs; idle 12.0 %, without a kernel 40.1 %, copies covered 91.0 %": the same where room is short.
[[nodiscard]] QString timelineNumbersLine(const Timeline& timeline);
/// What numbersOf() has found, in a few sentences; that there are no seconds where there are none.
[[nodiscard]] QString timelineNumbersText(const Timeline& timeline);

} // namespace lloyd

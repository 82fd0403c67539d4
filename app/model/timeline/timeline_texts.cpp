// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/timeline/timeline_texts.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/timeline/timeline_numbers.hpp"

#include <QStringList>

namespace lloyd {
namespace {

bool inCycles(const Timeline& timeline) { return timeline.clock() == TimelineClock::cycles; }

QString lengthText(const Timeline& timeline, double length) {
  if (inCycles(timeline))
    return countedText(static_cast<std::uint64_t>(length), TimelineStrings::tr("%1 cycle"),
                       TimelineStrings::tr("%1 cycles"));
  return timeline.hasSeconds() ? TimelineStrings::tr("%1 µs").arg(microsecondsText(length))
                               : countedText(static_cast<std::uint64_t>(length),
                                             TimelineStrings::tr("%1 step"), TimelineStrings::tr("%1 steps"));
}

QString beginText(const Timeline& timeline, double begin) {
  if (inCycles(timeline))
    return TimelineStrings::tr("from cycle %1 on").arg(countText(static_cast<std::uint64_t>(begin)));
  return timeline.hasSeconds()
             ? TimelineStrings::tr("from %1 µs on").arg(microsecondsText(begin))
             : TimelineStrings::tr("from step %1 on").arg(countText(static_cast<std::uint64_t>(begin)));
}

} // namespace

QString timelineSourceText(TimelineClock clock) {
  switch (clock) {
  case TimelineClock::card:
    return TimelineStrings::tr(
        "Times are those of the card's own record (CUPTI): a bar is as long as the copy "
        "or the kernel itself.");
  case TimelineClock::events:
    return TimelineStrings::tr("Times are those of pairs of events on the device: what a copy or a kernel "
                               "waits for the engine, or for room on the card, is part of its bar.");
  case TimelineClock::host:
    return TimelineStrings::tr(
        "Times are those of the host's clock: this device has done each operation when its call returns.");
  case TimelineClock::cycles:
    return TimelineStrings::tr("Cycles are a model's, not a card's.");
  case TimelineClock::steps:
    break;
  }
  return TimelineStrings::tr(
      "The order of steps on the simulator, no seconds: bars of several queues that stand above one another "
      "are not ordered by any event.");
}

QString timelineAxisText(TimelineClock clock) {
  if (clock == TimelineClock::cycles) return TimelineStrings::tr("the model's cycles");
  return clock == TimelineClock::steps ? TimelineStrings::tr("steps, in their order")
                                       : TimelineStrings::tr("time since the run began, µs");
}

QString timelineSetText(const TimelineBar& bar) {
  return bar.set ? TimelineStrings::tr("set %1").arg(*bar.set + 1) : QString();
}

QString timelineBarText(const Timeline& timeline, const TimelineBar& bar) {
  QStringList who{qtext(bar.what)};
  if (bar.set) who << timelineSetText(bar);
  who << qtext(timeline.rows()[bar.row].name);
  QString text = QStringLiteral("%1: %2 %3")
                     .arg(who.join(QStringLiteral(", ")), lengthText(timeline, bar.length()),
                          beginText(timeline, bar.begin - timeline.begin()));
  if (bar.bytes > 0) text += QStringLiteral(", ") + bytesText(bar.bytes);
  return text;
}

QString timelineNumbersLine(const Timeline& timeline) {
  if (inCycles(timeline)) return lengthText(timeline, timeline.end() - timeline.begin());
  if (!timeline.hasSeconds()) return TimelineStrings::tr("order of steps, no seconds");
  const TimelineNumbers numbers = numbersOf(timeline);
  QString text = TimelineStrings::tr("%1 µs; idle %2 %, without a kernel %3 %")
                     .arg(microsecondsText(numbers.wholeUs), percentText(numbers.idle),
                          percentText(numbers.withoutKernel));
  if (const auto covered = numbers.coveredBehindFirst())
    text += TimelineStrings::tr(", copies covered %1 %").arg(percentText(*covered));
  return text;
}

QString timelineNumbersText(const Timeline& timeline) {
  if (timeline.empty()) return TimelineStrings::tr("Nothing was recorded.");
  QStringList sentences;
  if (inCycles(timeline)) {
    sentences << TimelineStrings::tr("%1 of a model, no seconds.")
                     .arg(lengthText(timeline, timeline.end() - timeline.begin()));
  } else if (!timeline.hasSeconds()) {
    sentences << TimelineStrings::tr("The simulator has no seconds, and so no shares of them.");
  } else {
    const TimelineNumbers numbers = numbersOf(timeline);
    sentences << TimelineStrings::tr("The run took %1 µs.").arg(microsecondsText(numbers.wholeUs))
              << TimelineStrings::tr(
                     "Behind the first copy the device is idle for %1 % of the time, and no kernel runs for "
                     "%2 %.")
                     .arg(percentText(numbers.idle), percentText(numbers.withoutKernel));
    if (const auto covered = numbers.coveredBehindFirst())
      sentences << TimelineStrings::tr(
                       "Of the copies of all sets but the first, %1 % are covered by kernels of other sets.")
                       .arg(percentText(*covered));
    QStringList queues;
    for (const QueueTime& queue : numbers.queues)
      queues << TimelineStrings::tr("%1 %2 µs").arg(qtext(queue.name), microsecondsText(queue.us));
    if (!queues.isEmpty())
      sentences << TimelineStrings::tr("Busy: %1.").arg(queues.join(QStringLiteral(", ")));
  }
  if (timeline.missing() > 0)
    sentences << countedText(timeline.missing(),
                             TimelineStrings::tr("%1 operation is not in the record, which was full."),
                             TimelineStrings::tr("%1 operations are not in the record, which was full."));
  return sentences.join(u' ');
}

} // namespace lloyd

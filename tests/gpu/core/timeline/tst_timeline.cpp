// SPDX-License-Identifier: GPL-3.0-or-later
// What a timeline is made of, and its numbers, of timelines that are written down by hand.
#include "gpu/core/timeline/intervals.hpp"
#include "gpu/core/timeline/timeline_numbers.hpp"
#include "tests/gpu/core/timeline/hand_made.hpp"

#include <QTest>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace lloyd;
using namespace lloyd::test;

class TestTimeline : public QObject {
  Q_OBJECT

private slots:
  void barsStandByRowAndByTheirBegin() {
    const Timeline timeline(handRows(2), {kernel(2, 5, 6), kernel(1, 3, 4), kernel(1, 1, 2), hostWaits(0, 9)},
                            TimelineClock::host);
    QCOMPARE(timeline.bars().size(), std::size_t{4});
    QCOMPARE(timeline.barsOf(0).size(), std::size_t{1});
    QCOMPARE(timeline.barsOf(1).size(), std::size_t{2});
    QCOMPARE(timeline.barsOf(1)[0].begin, 1.0);
    QCOMPARE(timeline.barsOf(1)[1].begin, 3.0);
    QCOMPARE(timeline.barsOf(2)[0].begin, 5.0);
    QVERIFY(timeline.barsOf(3).empty());
    QCOMPARE(timeline.begin(), 0.0);
    QCOMPARE(timeline.end(), 9.0);
    QCOMPARE(timeline.rows().size(), std::size_t{3}); // nothing was copied
    const Timeline none;
    QVERIFY(none.empty() && none.barsOf(0).empty());
    QCOMPARE(none.end(), 0.0);
  }

  /// Two queues have begun a copy at the same time, and the engine has done one after the other.
  void enginesDoOneCopyAtATime() {
    const Timeline timeline = twoSets();
    QCOMPARE(timeline.rows().size(), std::size_t{5});
    QVERIFY(timeline.rows()[3].kind == TimelineRow::Kind::up);
    QVERIFY(timeline.rows()[4].kind == TimelineRow::Kind::down);
    const auto up = timeline.barsOf(3);
    QCOMPARE(up.size(), std::size_t{2});
    QCOMPARE(up[0].end, 10.0);
    QCOMPARE(up[1].begin, 10.0); // its queue came to it at 0
    QCOMPARE(up[1].end, 30.0);
    QCOMPARE(up[1].bytes, std::uint64_t{1000});
    QCOMPARE(timeline.barsOf(4)[0].begin, 40.0);
    // A copy that ended before the one that began earlier did not wait for it.
    const Timeline nested(handRows(2), {copyUp(1, 0, 30), copyUp(2, 5, 10)}, TimelineClock::events);
    QCOMPARE(nested.barsOf(3)[0].begin, 5.0);
    QCOMPARE(nested.barsOf(3)[1].begin, 10.0);
  }

  void whatCannotBeIsRefused() {
    const auto made = [](std::vector<TimelineRow> rows, TimelineBar bar) {
      return Timeline(std::move(rows), {std::move(bar)}, TimelineClock::host);
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, made(handRows(1), kernel(2, 0, 1)));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, made(handRows(1), kernel(1, 2, 1)));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, made(handRows(1), kernel(1, 0, nan)));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, made({{TimelineRow::Kind::up, "up"}}, kernel(0, 0, 1)));
  }

  void intervalsAreMergedAndCut() {
    const auto apart = merged({{5, 7}, {0, 2}, {1, 3}, {3, 4}, {9, 9}});
    QVERIFY((apart == std::vector<Interval>{{0, 4}, {5, 7}}));
    QCOMPARE(lengthOf(apart), 6.0);
    QVERIFY((within(apart, {3, 6}) == std::vector<Interval>{{3, 4}, {5, 6}}));
    QVERIFY(within(apart, {4, 5}).empty());
    QCOMPARE(overlapOf(apart, merged({{1, 6}})), 4.0);
    QCOMPARE(overlapOf(apart, {}), 0.0);
    QCOMPARE(overlapOf(merged({{0, 1}, {2, 3}}), merged({{0.5, 2.5}})), 1.0);
  }

  void numbersOfTwoSets() {
    const TimelineNumbers numbers = numbersOf(twoSets());
    QCOMPARE(numbers.wholeUs, 50.0);
    // From 10 to 44 the card always copies or computes, and kernels run for 25 of 34.
    QCOMPARE(numbers.idle, 0.0);
    QVERIFY(std::abs(numbers.withoutKernel - 9.0 / 34) < 1e-12);
    QCOMPARE(numbers.copies.size(), std::size_t{2});
    QCOMPARE(numbers.copies[0].set, std::size_t{0});
    QCOMPARE(numbers.copies[0].share(), 0.0);
    // The engine copied the second set from 10 to 30; the first set's kernel ran for 15 of that. Its own
    // kernel does not count.
    QCOMPARE(numbers.copies[1].us, 20.0);
    QCOMPARE(numbers.copies[1].coveredUs, 15.0);
    QCOMPARE(numbers.coveredBehindFirst().value(), 0.75);
    QCOMPARE(numbers.queues.size(), std::size_t{2});
    QCOMPARE(numbers.queues[0].us, 25.0);
    QCOMPARE(numbers.queues[1].us, 44.0);
    QCOMPARE(numbers.queues[1].from, 0.0);
    QCOMPARE(numbers.queues[1].to, 44.0);
  }

  void aCardThatWaitsIsIdle() {
    // Behind the copy the kernels run in 5 of 20 microseconds, and a fill in one more.
    TimelineBar fill = kernel(1, 28, 29);
    fill.kind = TimelineBar::Kind::fill;
    const Timeline timeline(handRows(1), {copyUp(1, 0, 10, 0), kernel(1, 12, 14, 0), fill, kernel(1, 27, 30)},
                            TimelineClock::events);
    const TimelineNumbers numbers = numbersOf(timeline);
    QCOMPARE(numbers.idle, 0.75);
    QCOMPARE(numbers.withoutKernel, 0.75);
    QVERIFY(!numbers.coveredBehindFirst());
  }

  void kernelsOfNoSetCoverNothing() {
    const Timeline timeline(handRows(1), {copyUp(1, 0, 10, 0), copyUp(1, 10, 20, 1), kernel(1, 5, 30)},
                            TimelineClock::events);
    QCOMPARE(numbersOf(timeline).coveredBehindFirst().value(), 0.0);
  }

  void nothingHasNumbers() {
    const TimelineNumbers numbers = numbersOf(Timeline());
    QCOMPARE(numbers.wholeUs, 0.0);
    QCOMPARE(numbers.idle, 0.0);
    QVERIFY(numbers.queues.empty() && numbers.copies.empty() && !numbers.coveredBehindFirst());
  }

  void kindsAndClocksHaveNames() {
    QCOMPARE(name(TimelineClock::steps), std::string_view("order of steps, no seconds"));
    for (std::size_t kind = 0; kind < timelineKinds; ++kind)
      QVERIFY(!name(static_cast<TimelineBar::Kind>(kind)).empty());
  }
};

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The model of one scheduler, on sequences whose cycles are counted by hand.
#include "app/model/launch/issue_picture.hpp"

#include <QTest>

#include <stdexcept>

using namespace lloyd;

namespace {

using Kind = IssueInstruction::Kind;

IssueInstruction load(std::vector<std::size_t> needs = {}) {
  return {Kind::globalLoad, "load", "the points", 7, std::move(needs)};
}
IssueInstruction arithmetic(std::vector<std::size_t> needs = {}) {
  return {Kind::arithmetic, "multiply-add", "arithmetic", 0, std::move(needs)};
}
IssueInstruction barrier() { return {Kind::barrier, "barrier", "the barrier", 9, {}}; }

IssuePicture pictured(std::vector<IssueSequence> block, std::size_t warps, int latency = 400) {
  return issuePicture(block, warps, 32, {.globalLoad = latency, .sharedLoad = 24, .arithmetic = 4});
}

/// The cycles in which a warp issues.
std::vector<int> cyclesOf(const IssuePicture& picture, std::size_t warp) {
  std::vector<int> cycles;
  for (const IssuePicture::Issue& issue : picture.issues)
    if (issue.warp == warp) cycles.push_back(static_cast<int>(issue.cycle));
  return cycles;
}

double lengthOf(const IssuePicture& picture, std::size_t row, TimelineBar::Kind kind) {
  double length = 0;
  for (const TimelineBar& bar : picture.timeline->barsOf(row))
    if (bar.kind == kind) length += bar.length();
  return length;
}

} // namespace

class TestIssuePicture : public QObject {
  Q_OBJECT

private slots:
  void whatNeedsALoadWaitsForItsLatency() {
    for (const int latency : {1, 4, 400}) {
      const IssuePicture one = pictured({{load(), arithmetic({0})}}, 1, latency);
      QCOMPARE(one.cycles, static_cast<std::uint64_t>(latency + 1));
      QCOMPARE(cyclesOf(one, 0), (std::vector{0, latency}));
      QCOMPARE(one.issues.size(), std::size_t{2});
      QCOMPARE(one.used(), 2.0 / (latency + 1));
      QCOMPARE(one.idle(), 1 - 2.0 / (latency + 1));
      QCOMPARE(one.cyclesAPoint(), (latency + 1) / 32.0);
    }
  }

  void whatNeedsNoLoadDoesNotWait() {
    const IssuePicture one = pictured({{load(), arithmetic(), load(), arithmetic({0, 2})}}, 1, 10);
    QCOMPARE(cyclesOf(one, 0), (std::vector{0, 1, 2, 12}));
    QCOMPARE(one.mostLoads, std::uint64_t{2});
    // A chain: each waits for the one before, four cycles.
    QCOMPARE(cyclesOf(pictured({{arithmetic(), arithmetic({0}), arithmetic({1})}}, 1), 0),
             (std::vector{0, 4, 8}));
    // A load that needs another's value is alone under way.
    QCOMPARE(pictured({{load(), load({0})}}, 1, 10).mostLoads, std::uint64_t{1});
    QCOMPARE(pictured({{load(), load({0})}}, 1, 10).cycles, std::uint64_t{11});
  }

  void theWarpsTakeTurns() {
    const IssuePicture three = pictured({{arithmetic(), arithmetic()}}, 3);
    std::vector<std::size_t> order;
    for (const IssuePicture::Issue& issue : three.issues)
      order.push_back(issue.warp);
    QCOMPARE(order, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
    QCOMPARE(three.cycles, std::uint64_t{6});
    QCOMPARE(three.idle(), 0.0);
    // Whose turn it is but who waits is passed over, and asked again next cycle.
    const IssuePicture two =
        pictured({{load(), arithmetic({0})}, {arithmetic(), arithmetic(), arithmetic()}}, 2, 3);
    QCOMPARE(cyclesOf(two, 0), (std::vector{0, 3}));
    QCOMPARE(cyclesOf(two, 1), (std::vector{1, 2, 4}));
  }

  void otherWarpsFillTheWait() {
    const IssueSequence sequence{load(), arithmetic({0})};
    // Loads at 0 to 7, of which the first comes back at 10.
    const IssuePicture eight = pictured({sequence}, 8, 10);
    QCOMPARE(eight.cycles, std::uint64_t{18});
    QCOMPARE(eight.mostLoads, std::uint64_t{8});
    QCOMPARE(eight.used(), 16.0 / 18);
    QVERIFY(eight.idle() < pictured({sequence}, 4, 10).idle());
    QVERIFY(eight.cyclesAPoint() < pictured({sequence}, 4, 10).cyclesAPoint());
    QVERIFY(pictured({sequence}, 4, 20).idle() > pictured({sequence}, 4, 10).idle());
  }

  void aBarrierWaitsForItsOwnBlock() {
    const IssueSequence slow{load(), arithmetic({0}), barrier(), arithmetic()};
    const IssueSequence quick{barrier(), arithmetic()};
    const IssuePicture together = pictured({slow, quick}, 2, 10);
    QCOMPARE(cyclesOf(together, 0), (std::vector{0, 10, 11, 13}));
    QCOMPARE(cyclesOf(together, 1), (std::vector{1, 12}));
    QCOMPARE(lengthOf(together, 1, TimelineBar::Kind::barrier), 11.0); // one to issue it, ten to wait
    // Of two blocks each waits for its own slow warp: the third and the fourth are the second block.
    const IssuePicture four = pictured({slow, quick}, 4, 10);
    QCOMPARE(cyclesOf(four, 1), (std::vector{1, 12}));
    QCOMPARE(cyclesOf(four, 3), (std::vector{3, 16}));
    // Without its slow neighbour a block of one waits for nobody.
    QCOMPARE(cyclesOf(pictured({slow, quick}, 3, 10), 2), (std::vector{2, 13, 15, 16}));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                             pictured({{barrier()}, {barrier(), barrier(), load()}}, 2));
  }

  void theRowsShowEveryCycle() {
    const IssuePicture one = pictured({{load(), load(), arithmetic({0, 1}), arithmetic({2})}}, 2, 50);
    const Timeline& timeline = *one.timeline;
    QCOMPARE(timeline.clock(), TimelineClock::cycles);
    QVERIFY(!timeline.hasSeconds());
    QCOMPARE(timeline.rows().size(), std::size_t{3});
    QVERIFY(timeline.rows().back().kind == TimelineRow::Kind::scheduler);
    QCOMPARE(timeline.end() - timeline.begin(), static_cast<double>(one.cycles));
    QCOMPARE(lengthOf(one, 0, TimelineBar::Kind::load), 2.0);
    QCOMPARE(lengthOf(one, 0, TimelineBar::Kind::arithmetic), 2.0);
    // Loads at 0 and 2, the first arithmetic at 52, the second at 56.
    QCOMPARE(lengthOf(one, 0, TimelineBar::Kind::wait), 49.0 + 3.0);
    QCOMPARE(lengthOf(one, 2, TimelineBar::Kind::busy), static_cast<double>(one.issues.size()));
    QCOMPARE(lengthOf(one, 2, TimelineBar::Kind::idle), static_cast<double>(one.cycles - one.issues.size()));
    QVERIFY(timeline.barsOf(0)[0].what.find("line 7") != std::string::npos);
    QCOMPARE(timeline.barsOf(0)[2].what, std::string("waits for the points"));
    // Nothing in a row overlaps.
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t i = 1; i < timeline.barsOf(row).size(); ++i)
        QVERIFY(timeline.barsOf(row)[i].begin >= timeline.barsOf(row)[i - 1].end);
  }

  void whatCannotBeIsRefused() {
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, pictured({{load()}}, 0));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, pictured({}, 1));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, pictured({{load()}}, 1, 0));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, pictured({{load({0})}}, 1));
    QCOMPARE(pictured({{}}, 2).cycles, std::uint64_t{0});
    QCOMPARE(pictured({{}}, 2).idle(), 0.0);
  }
};

QTEST_GUILESS_MAIN(TestIssuePicture)
#include "tst_issue_picture.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// How the accesses of single lanes become the requests of a warp.
#include "gpu/simt/record/warp_log.hpp"

#include <QTest>

#include <vector>

using namespace lloyd;
using namespace lloyd::simt;

namespace {

/// Global loads of four bytes, one a line of source unless a column tells them apart.
class Kernel {
public:
  std::uint32_t at(unsigned line, unsigned column = 1) {
    Place place;
    place.file = "gpu/kernels/none.cu";
    place.line = line;
    place.column = column;
    return sites_.find(place, Asked::globalLoad, sizeof(float));
  }
  /// steps[lane]: the lines that a lane goes through, one after the other.
  void run(WarpLog& log, const std::vector<std::vector<std::uint32_t>>& steps) {
    for (unsigned lane = 0; lane < steps.size(); ++lane)
      for (const std::uint32_t site : steps[lane])
        log.add(lane, site, 4ull * lane);
    log.count(sites_);
  }
  [[nodiscard]] std::uint64_t requests(std::uint32_t site) const {
    return sites_[site].counters.globalLoadRequests;
  }
  [[nodiscard]] std::uint64_t lanes(std::uint32_t site) const { return sites_[site].counters.lanes; }

private:
  Sites sites_;
};

} // namespace

class TestWarpLog : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void lanesThatGoTogetherAskTogether() {
    Kernel kernel;
    WarpLog log;
    const auto a = kernel.at(10), b = kernel.at(11);
    kernel.run(log, {{a, b, a, b}, {a, b, a, b}, {}});
    QCOMPARE(kernel.requests(a), 2u);
    QCOMPARE(kernel.requests(b), 2u);
    QCOMPARE(kernel.lanes(b), 4u);
  }

  void aBranchOfARoundIsWaitedFor() {
    // for (...) { load; if (mine) branch; }: the branch is taken in different rounds.
    Kernel kernel;
    WarpLog log;
    const auto load = kernel.at(10), branch = kernel.at(12);
    kernel.run(log, {{load, branch, load, load}, {load, load, branch, load}});
    QCOMPARE(kernel.requests(load), 3u);
    QCOMPARE(kernel.lanes(load), 6u);
    QCOMPARE(kernel.requests(branch), 2u);
  }

  void whoPassesOverABranchIsInTheSameLoop() {
    // for (...) { if (mine) load; store; }: mine in all rounds, or in none.
    Kernel kernel;
    WarpLog log;
    const auto load = kernel.at(10), store = kernel.at(11);
    kernel.run(log, {{load, store, load, store, load, store}, {store, store, store}, {store, store, store}});
    QCOMPARE(kernel.requests(load), 3u);
    QCOMPARE(kernel.requests(store), 3u);
    QCOMPARE(kernel.lanes(store), 9u);
  }

  void whoGoesRoundAnInnerLoopIsWaitedFor() {
    // for (...) { outer; for (...) inner; }: the inner loops differ in length.
    Kernel kernel;
    WarpLog log;
    const auto outer = kernel.at(10), inner = kernel.at(11);
    kernel.run(log, {{outer, inner, inner, inner, outer, inner}, {outer, inner, outer, inner}});
    QCOMPARE(kernel.requests(outer), 2u);
    QCOMPARE(kernel.lanes(outer), 4u);
    QCOMPARE(kernel.requests(inner), 4u);
    QCOMPARE(kernel.lanes(inner), 6u);
  }

  void whoHasLeftALoopWaitsForTheOthers() {
    Kernel kernel;
    WarpLog log;
    const auto loop = kernel.at(10), after = kernel.at(14);
    kernel.run(log, {{loop, after}, {loop, loop, loop, after}});
    QCOMPARE(kernel.requests(loop), 3u);
    QCOMPARE(kernel.requests(after), 1u);
    QCOMPARE(kernel.lanes(after), 2u);
  }

  void aLoopInABranchIsWaitedFor() {
    // if (mine) for (j ...) sum += x[j] - y[j]; then all go on.
    Kernel kernel;
    WarpLog log;
    const auto x = kernel.at(10, 5), y = kernel.at(10, 20), after = kernel.at(12);
    kernel.run(log, {{x, y, x, y, x, y, after}, {after}});
    QCOMPARE(kernel.requests(x), 3u);
    QCOMPARE(kernel.requests(after), 1u);
  }

  void whoWorksOnAfterABarrierIsWaitedFor() {
    // for (...) { fill; barrier; if (first) finish; }: all but one lane are at the next round's fill.
    Kernel kernel;
    WarpLog log;
    const auto fill = kernel.at(10), barrier = kernel.at(12), finish = kernel.at(14);
    log.startAt(barrier);
    kernel.run(log, {{finish, fill}, {fill}, {fill}});
    QCOMPARE(kernel.requests(finish), 1u);
    QCOMPARE(kernel.requests(fill), 1u);
    QCOMPARE(kernel.lanes(fill), 3u);
  }

  void aCountedLogIsEmpty() {
    Kernel kernel;
    WarpLog log;
    const auto a = kernel.at(10);
    kernel.run(log, {{a}});
    kernel.run(log, {{}, {a}});
    QCOMPARE(kernel.requests(a), 2u);
    QCOMPARE(kernel.lanes(a), 2u);
  }
};

QTEST_GUILESS_MAIN(TestWarpLog)
#include "tst_warp_log.moc"

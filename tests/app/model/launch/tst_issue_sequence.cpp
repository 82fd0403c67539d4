// SPDX-License-Identifier: GPL-3.0-or-later
// What the warps of classify.v8 do, from the simulator's log, and what follows for the picture.
#include "app/model/launch/issue_picture.hpp"
#include "app/model/teach/instruction_mix.hpp"
#include "app/text/strings.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <stdexcept>

using namespace lloyd;

namespace {

using Kind = IssueInstruction::Kind;
using simt::Asked;

std::ptrdiff_t countOf(const IssueSequence& sequence, Kind kind) {
  return std::ranges::count(sequence, kind, &IssueInstruction::kind);
}

std::size_t firstOf(const IssueSequence& sequence, Kind kind) {
  return static_cast<std::size_t>(std::ranges::find(sequence, kind, &IssueInstruction::kind) -
                                  sequence.begin());
}

IssuePicture pictured(int items, std::size_t warps = 4, int latency = 400) {
  return issuePicture(issueSequences({.items = items}), warps, 32ull * static_cast<unsigned>(items),
                      {.globalLoad = latency});
}

simt::WarpStep step(Asked asked, int line) {
  return {.asked = asked, .lanes = 0xffffffffu, .bytes = 4, .file = "none.cu", .line = line};
}

} // namespace

class TestIssueSequence : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { initTexts(); }

  void allPointsAreLoadedBeforeArithmetic() {
    for (const int d : {1, 2, 3})
      for (const int items : {1, 2, 4}) {
        const IssueShape shape{.items = items, .d = d, .k = 5};
        const std::vector<IssueSequence> warps = issueSequences(shape);
        QCOMPARE(warps.size(), std::size_t{issueBlockWarps});
        for (std::size_t warp = 0; warp < warps.size(); ++warp) {
          const IssueSequence& one = warps[warp];
          const std::size_t first = firstOf(one, Kind::arithmetic);
          // The first K * D threads fetch the centroids' values, all of the first warp.
          const int centroids = warp == 0 ? 1 : 0;
          QCOMPARE(std::count_if(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(first),
                                 [](const IssueInstruction& i) { return i.kind == Kind::globalLoad; }),
                   items * d + centroids);
          QCOMPARE(countOf(one, Kind::globalLoad), items * d + centroids + items); // and the old labels
          QCOMPARE(countOf(one, Kind::globalStore), items + centroids);            // and the flag
          QCOMPARE(countOf(one, Kind::arithmetic), items * shape.k * issueArithmetic(d) + items);
          QCOMPARE(countOf(one, Kind::barrier), 2);
        }
      }
  }

  /// Between loads and arithmetic lies a barrier, and each instruction of the log knows its line.
  void theLogIsKept() {
    const IssueSequence one = issueSequences({.items = 2}).front();
    QVERIFY(firstOf(one, Kind::barrier) < firstOf(one, Kind::arithmetic));
    QFile source(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/v8_block_items_vector.cu"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(source.readAll()).split(u'\n');
    for (const IssueInstruction& instruction : one) {
      QCOMPARE(instruction.line == 0, instruction.kind == Kind::arithmetic);
      if (instruction.kind == Kind::barrier) QVERIFY(lines[instruction.line - 1].contains("__syncthreads"));
    }
    QVERIFY(lines[one.front().line - 1].contains("vectors["));
  }

  void eachPointNeedsItsOwnCoordinates() {
    const IssueSequence one = issueSequences({.items = 4}).back(); // of a warp that fetches no centroids
    const std::size_t first = firstOf(one, Kind::arithmetic);
    // Differences: coordinate by coordinate, the points in turn.
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t p = 0; p < 4; ++p) {
        const IssueInstruction& difference = one[first + j * 4 + p];
        QCOMPARE(difference.needs.size(), std::size_t{2});
        QCOMPARE(difference.needs[0], p * 2 + j);
        QVERIFY(one[difference.needs[1]].kind == Kind::sharedLoad);
      }
    // Each label that is stored comes from the arithmetic of its point.
    std::size_t stored = 0;
    for (const IssueInstruction& instruction : one) {
      if (instruction.kind != Kind::globalStore || stored == 4) continue;
      QCOMPARE(instruction.needs.size(), std::size_t{1});
      QVERIFY(one[instruction.needs[0]].what.find("of point " + std::to_string(++stored)) !=
              std::string::npos);
    }
    QCOMPARE(stored, std::size_t{4});
  }

  /// The rule for arithmetic is what the machine code has in its loop over clusters.
  void arithmeticIsThatOfTheMachineCode() {
    const auto found = shippedInstructions().mixes.find(QStringLiteral("classify.v8"));
    QVERIFY(found != shippedInstructions().mixes.end());
    QVERIFY(found->second.kernel.contains("D=2 Items=8"));
    const auto& counts = found->second.counts;
    const int loop = 2;         // a comparison and a branch, of the loop itself
    QCOMPARE(counts[0], 8 * 2); // multiply-adds
    QCOMPARE(counts[1], 8 * 2); // differences
    QCOMPARE(counts[0] + counts[1] + counts[6] - loop, 8 * issueArithmetic(2));
  }

  void moreItemsLeaveLessIdle() {
    for (const int latency : {200, 400, 1000}) {
      const IssuePicture one = pictured(1, 4, latency);
      const IssuePicture two = pictured(2, 4, latency);
      const IssuePicture four = pictured(4, 4, latency);
      QVERIFY(one.idle() > two.idle() && two.idle() > four.idle());
      QVERIFY(one.cyclesAPoint() > two.cyclesAPoint() && two.cyclesAPoint() > four.cyclesAPoint());
      QVERIFY(one.mostLoads < two.mostLoads && two.mostLoads < four.mostLoads);
      QCOMPARE(four.points, std::uint64_t{512});
    }
    QVERIFY(pictured(1, 4, 100).idle() < pictured(1, 4, 1000).idle());
    QVERIFY(pictured(1, 8).idle() < pictured(1, 4).idle());
  }

  /// The scheduler cannot do less than all instructions, nor be quicker than what waits for two loads.
  void cyclesAreWithinTheirBounds() {
    for (const int items : {1, 2, 4}) {
      const std::vector<IssueSequence> warps = issueSequences({.items = items});
      std::size_t instructions = 0;
      for (const IssueSequence& one : warps)
        instructions += one.size();
      const IssuePicture picture = pictured(items);
      QCOMPARE(picture.issues.size(), instructions);
      constexpr std::size_t twoLoads = 2 * 400;
      QVERIFY(picture.cycles > twoLoads && picture.cycles < twoLoads + instructions * 4 + 384);
      QCOMPARE(pictured(items).issues, picture.issues); // the same each time
    }
  }

  void aLogOfSomethingElseIsRefused() {
    using Steps = std::vector<simt::WarpStep>;
    const IssueShape shape{.items = 1, .d = 1, .k = 1};
    const Steps whole{step(Asked::globalLoad, 1), step(Asked::barrier, 2),     step(Asked::sharedLoad, 3),
                      step(Asked::globalLoad, 4), step(Asked::globalStore, 5), step(Asked::barrier, 6)};
    const IssueSequence made = issueSequence(whole, shape);
    QCOMPARE(made.size(), whole.size() + static_cast<std::size_t>(issueArithmetic(1)) + 1);
    Steps atomic = whole;
    atomic.push_back(step(Asked::globalAtomic, 7));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, static_cast<void>(issueSequence(atomic, shape)));
    for (std::size_t left = 0; left < whole.size(); ++left) {
      Steps fewer = whole;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left));
      QVERIFY_THROWS_EXCEPTION(std::invalid_argument, static_cast<void>(issueSequence(fewer, shape)));
    }
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                             static_cast<void>(issueSequence(whole, {.items = 2, .d = 1, .k = 1})));
  }
};

QTEST_GUILESS_MAIN(TestIssueSequence)
#include "tst_issue_sequence.moc"

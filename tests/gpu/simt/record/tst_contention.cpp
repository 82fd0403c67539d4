// SPDX-License-Identifier: GPL-3.0-or-later
// Turns of reduce.v1's atomics against what a card did. A copy of the kernel was counted by Nsight Compute on
// an NVIDIA H100 80GB HBM3 in November 2026: instructions of atomics on shared memory, without the 1,563 of
// integers, and conflicts of loads.
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/text/numbers.hpp"
#include "gpu/reference/reference.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

using namespace lloyd;

namespace {

constexpr Problem problem{50000, 2, 23};
constexpr std::size_t warps = (problem.n + 31) / 32;

struct Data {
  std::vector<float> points, centroids;
  std::vector<Label> labels;
};

Data uniform() {
  DataRequest request;
  request.generator = "uniform:n=50000,d=2";
  const auto loaded = loadPoints(request, {}, nullptr);
  if (!loaded) qFatal("%s", loaded.error().c_str());
  Data data{(*loaded)->values, startingCentroids(**loaded, problem, Init{}, 1, nullptr), {}};
  data.labels = reference::classify(problem, data.points, reference::asDoubles(data.centroids));
  return data;
}

/// The same points, one cluster behind the other.
Data sorted(const Data& data) {
  std::vector<std::size_t> order(problem.n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return data.labels[i]; });
  Data made{{}, data.centroids, {}};
  for (std::size_t j = 0; j < 2; ++j)
    for (const std::size_t i : order)
      made.points.push_back(data.points[j * problem.n + i]);
  for (const std::size_t i : order)
    made.labels.push_back(data.labels[i]);
  return made;
}

simt::Trace traced(const Data& data, int block) {
  Tuning tuning;
  tuning.block = block;
  return simt::traceStage({.variant = Registry::instance().find("reduce.v1"),
                           .stage = Stage::reduce,
                           .problem = problem,
                           .points = data.points,
                           .centroids = data.centroids,
                           .oldLabels = {},
                           .tuning = tuning,
                           .schedule = {}})
      .trace;
}

/// Turns at the line of the sums and at that of the counts, which adds one atomic a warp.
std::pair<std::uint64_t, std::uint64_t> turnsOf(const simt::Trace& trace) {
  std::pair<std::uint64_t, std::uint64_t> turns;
  for (const simt::Trace::Line& line : trace.lines)
    (line.counters.sharedAtomics == warps ? turns.second : turns.first) += line.counters.sharedAtomicTurns;
  return turns;
}

/// A card's loop of a load and a compare-and-swap for the sums of one coordinate, by hand: each round ends
/// for the first lane of each bank, and its load has a conflict for every other word of the worst bank.
struct SwapLoop {
  std::uint64_t rounds = 0;
  std::uint64_t conflicts = 0;
};
SwapLoop loopOf(const std::vector<Label>& labels, unsigned coordinate) {
  SwapLoop loop;
  for (std::size_t first = 0; first < labels.size(); first += 32) {
    std::vector<unsigned> waiting;
    for (std::size_t i = first; i < std::min(first + 32, labels.size()); ++i)
      waiting.push_back(static_cast<unsigned>(labels[i]) * 2 + coordinate);
    while (!waiting.empty()) {
      std::array<std::set<unsigned>, 32> words;
      std::vector<unsigned> again;
      for (const unsigned word : waiting) {
        if (!words[word % 32].empty()) again.push_back(word);
        words[word % 32].insert(word);
      }
      const auto most = std::ranges::max(words, {}, &std::set<unsigned>::size).size();
      loop.conflicts += most - 1;
      ++loop.rounds;
      waiting = again;
    }
  }
  return loop;
}

} // namespace

class TestContention : public QObject {
  Q_OBJECT

private slots:
  /// Where only a warp's own lanes meet, as with blocks of 32 or with addends of 0.
  void turnsAreTheRoundsOfACard() {
    const Data data = uniform();
    for (const int block : {32, 512}) { // the source asks for the same with any
      QCOMPARE(turnsOf(traced(data, block)), (std::pair{std::uint64_t{18192}, std::uint64_t{6911}}));
      QCOMPARE(turnsOf(traced(sorted(data), block)), (std::pair{std::uint64_t{99660}, std::uint64_t{49830}}));
      QCOMPARE(traced(data, block).counters.bankConflicts, std::uint64_t{0});
    }
  }

  void conflictsAreThoseOfTheLoopsLoads() {
    const Data data = uniform();
    const SwapLoop x = loopOf(data.labels, 0), y = loopOf(data.labels, 1);
    QCOMPARE(x.rounds + y.rounds, std::uint64_t{18192});
    QCOMPARE(x.conflicts + y.conflicts, std::uint64_t{12670});
    const SwapLoop inOrder = loopOf(sorted(data).labels, 0);
    QCOMPARE(2 * inOrder.rounds, std::uint64_t{99660});
    QCOMPARE(inOrder.conflicts, std::uint64_t{0});
  }

  void theLessonSaysSo() {
    QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/resources/lessons/reduce.v1.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString lesson = QString::fromUtf8(file.readAll());
    for (const std::uint64_t number : {18192u, 6911u, 99660u, 49830u, 12670u})
      QVERIFY2(lesson.contains(countText(number)), qPrintable(countText(number)));
  }
};

QTEST_GUILESS_MAIN(TestContention)
#include "tst_contention.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/pairwise.hpp"

#include <QTest>

#include <numeric>
#include <set>
#include <tuple>

using namespace lloyd::test;

namespace {

using Pair = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>; // factor, level, factor, level

std::set<Pair> pairsOf(const std::vector<Row>& rows) {
  std::set<Pair> pairs;
  for (const Row& row : rows)
    for (std::size_t b = 1; b < row.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        pairs.emplace(a, row[a], b, row[b]);
  return pairs;
}

std::size_t pairCount(const std::vector<std::size_t>& levels) {
  std::size_t count = 0;
  for (std::size_t b = 1; b < levels.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      count += levels[a] * levels[b];
  return count;
}

} // namespace

/// What decides which problems the variants are tested on.
class TestPairwise : public QObject {
  Q_OBJECT

private slots:
  void everyPairMeets_data() {
    QTest::addColumn<QVector<int>>("levels");
    QTest::newRow("points, dimensions, clusters") << QVector<int>{11, 5, 7};
    QTest::newRow("two factors") << QVector<int>{3, 4};
    QTest::newRow("four factors") << QVector<int>{2, 3, 4, 5};
    QTest::newRow("one level") << QVector<int>{1, 1, 6};
  }
  void everyPairMeets() {
    QFETCH(QVector<int>, levels);
    const std::vector<std::size_t> counts(levels.begin(), levels.end());
    const std::vector<Row> rows = pairwise(counts);
    for (const Row& row : rows) {
      QCOMPARE(row.size(), counts.size());
      for (std::size_t f = 0; f < row.size(); ++f)
        QVERIFY(row[f] < counts[f]);
    }
    QCOMPARE(pairsOf(rows).size(), pairCount(counts));
    // Far fewer rows than combinations, no fewer than the two largest factors need, each for something.
    std::vector<std::size_t> sorted = counts;
    std::sort(sorted.rbegin(), sorted.rend());
    const std::size_t least = sorted[0] * sorted[1];
    QVERIFY2(rows.size() >= least && rows.size() <= least + least / 2,
             qPrintable(QString::number(rows.size())));
    QVERIFY(pairwise(counts) == rows);
    for (std::size_t left = 0; left < rows.size(); ++left) {
      std::vector<Row> before(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(left));
      const std::size_t known = pairsOf(before).size();
      before.push_back(rows[left]);
      QVERIFY(pairsOf(before).size() > known);
    }
  }

  void preferredRowsTakeAllPairsTheyCan() {
    const std::vector<std::size_t> levels{6, 6, 6};
    const auto sum = [](const Row& row) { return std::accumulate(row.begin(), row.end(), std::size_t{0}); };
    const std::vector<RowFilter> filters{[&](const Row& row) { return sum(row) <= 6; },
                                         [&](const Row& row) { return sum(row) <= 9; }};
    const std::vector<Row> rows = pairwise(levels, filters);
    QCOMPARE(pairsOf(rows).size(), pairCount(levels));
    std::size_t limit = 6;
    for (const Row& row : rows) { // in the order of the filters
      if (sum(row) > limit) limit = limit == 6 ? 9 : 15;
      QVERIFY(sum(row) <= limit);
    }
    // A pair whose levels alone leave room is met by a row within the limit.
    for (const std::size_t most : {std::size_t{6}, std::size_t{9}}) {
      std::vector<Row> within;
      for (const Row& row : rows)
        if (sum(row) <= most) within.push_back(row);
      const std::set<Pair> met = pairsOf(within);
      for (const Pair& pair : pairsOf(rows))
        if (std::get<1>(pair) + std::get<3>(pair) <= most) QVERIFY(met.contains(pair));
    }
  }

  void nothingToPair() {
    QVERIFY(pairwise(std::vector<std::size_t>{}).empty());
    QVERIFY(pairwise(std::vector<std::size_t>{4}).empty());
    QVERIFY(pairwise(std::vector<std::size_t>{4, 0}).empty());
  }
};

QTEST_GUILESS_MAIN(TestPairwise)
#include "tst_pairwise.moc"

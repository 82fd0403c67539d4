// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/progressive_view.hpp"
#include "app/render/points/sample_order.hpp"

#include <QtTest>

#include <algorithm>
#include <vector>

namespace lloyd {

namespace {

/// The points that the draw calls for positions [first, first + count) reach.
std::vector<std::size_t> pointsOf(const SampleOrder& order, std::size_t first, std::size_t count) {
  const std::vector<std::uint32_t> table = order.indices();
  std::vector<std::size_t> points;
  for (const SampleOrder::Piece& piece : order.pieces(first, count))
    for (std::size_t i = piece.first; i < piece.first + piece.count; ++i)
      points.push_back(piece.indexed ? table[i] + piece.base : i);
  return points;
}

} // namespace

class TestProgressiveView : public QObject {
  Q_OBJECT
private slots:
  void orderVisitsEveryPointOnce_data() {
    QTest::addColumn<int>("n");
    for (const int n : {0, 1, 2, 3, 10, 1000, 1 << 20, (1 << 20) + 1, 3 * (1 << 20) + 5})
      QTest::addRow("%d", n) << n;
  }
  void orderVisitsEveryPointOnce() {
    QFETCH(int, n);
    const auto total = static_cast<std::size_t>(n);
    const SampleOrder order(total);
    QVERIFY(order.indices().size() <= SampleOrder::kMostIndices);
    // In parts of uneven size, as slices ask for it.
    std::vector<char> visits(total, 0);
    std::size_t first = 0, part = 1;
    while (first < total) {
      for (const std::size_t point : pointsOf(order, first, part))
        ++visits[point];
      first += part;
      part = part * 3 + 1;
    }
    QVERIFY(std::all_of(visits.begin(), visits.end(), [](char visited) { return visited == 1; }));
    QVERIFY(order.pieces(total, 5).empty());
  }

  void prefixIsSpreadOverTheWhole() {
    constexpr std::size_t n = 5'000'000, sample = 65536, parts = 64;
    std::vector<std::size_t> points = pointsOf(SampleOrder(n), 0, sample);
    QCOMPARE(points.size(), sample);
    std::vector<std::size_t> inPart(parts, 0);
    for (const std::size_t point : points)
      ++inPart[point * parts / n];
    for (const std::size_t count : inPart)
      QVERIFY2(count > sample / parts * 9 / 10 && count < sample / parts * 11 / 10,
               qPrintable(QString::number(count)));
  }

  void movingDrawsThePrefixOnly() {
    ProgressiveView view;
    view.setTotal(1'000'000);
    view.setBudget(65536);
    for (int frame = 0; frame < 3; ++frame) {
      QVERIFY(view.next(true, true) == (ProgressiveView::Slice{true, 0, 65536}));
      QCOMPARE(view.drawn(), std::size_t{65536});
    }
    // Between two iterations nothing is added that the next would take away.
    QCOMPARE(view.next(false, true).count, std::size_t{0});
    QVERIFY(!view.complete());
  }

  void stillDrawsTheRestInSlices() {
    ProgressiveView view;
    view.setTotal(1'000'000);
    view.setBudget(65536);
    std::size_t drawn = view.next(true, false).count;
    int frames = 1;
    while (!view.complete()) {
      const ProgressiveView::Slice slice = view.next(false, false);
      QVERIFY(!slice.clear);
      QCOMPARE(slice.first, drawn);
      QVERIFY(slice.count > 0);
      drawn += slice.count;
      QCOMPARE(view.drawn(), drawn);
      view.measured(10);
      QVERIFY(++frames < 100);
    }
    QCOMPARE(drawn, std::size_t{1'000'000});
    QCOMPARE(view.next(false, false).count, std::size_t{0});
    QVERIFY(view.next(true, false).clear);
  }

  void slicesAdaptToTheMachine() {
    // A machine that draws 2,000 points in a millisecond.
    ProgressiveView view;
    view.setTotal(10'000'000);
    view.setBudget(65536);
    view.measured(0);
    double slowest = 0;
    for (int frame = 0; frame < 50; ++frame) {
      const double took = static_cast<double>(view.next(frame == 0, false).count) / 2000;
      if (frame > 0) slowest = std::max(slowest, took);
      view.measured(took);
    }
    QVERIFY2(slowest < ProgressiveView::kFrameMs, qPrintable(QString::number(slowest)));
    QVERIFY(slowest > 10);
  }

  void everythingInOneGo() {
    ProgressiveView view;
    view.setTotal(1 << 24);
    QVERIFY(view.next(true, true) == (ProgressiveView::Slice{true, 0, 1 << 24}));
    QVERIFY(view.complete());
  }

  void noPoints() {
    ProgressiveView view;
    QVERIFY(view.next(false, false) == (ProgressiveView::Slice{true, 0, 0}));
    QVERIFY(view.complete());
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestProgressiveView)
#include "tst_progressive_view.moc"

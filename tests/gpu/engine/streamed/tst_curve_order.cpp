// SPDX-License-Identifier: GPL-3.0-or-later
// Points that are copied along a curve are the same points, and those of a piece lie together.
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/engine/streamed/curve_order.hpp"

#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

using namespace lloyd;

namespace {

std::vector<float> randomValues(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(randomBits(1, 2, i) % 100000) * 0.01f - 300.0f;
  return values;
}

} // namespace

class TestCurveOrder : public QObject {
  Q_OBJECT

private slots:
  void piecesHoldAllPointsAndLieTogether_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<std::size_t>("n");
    QTest::addColumn<double>("most"); // of a piece's extent, along its shortest side
    for (const std::size_t n : {std::size_t{1}, std::size_t{100}, std::size_t{100003}}) {
      QTest::addRow("1, %zu", n) << 1 << n << 0.05;
      QTest::addRow("2, %zu", n) << 2 << n << 0.3;
      QTest::addRow("3, %zu", n) << 3 << n << 0.6;
    }
  }
  void piecesHoldAllPointsAndLieTogether() {
    QFETCH(int, d);
    QFETCH(std::size_t, n);
    QFETCH(double, most);
    const auto dims = static_cast<std::size_t>(d);
    const std::vector<float> values = randomValues(n * dims);
    const HostPoints source(values.data(), n, d, boxOf(values.data(), n, d));
    constexpr std::size_t rows = 4000;
    const std::size_t pieces = (n + rows - 1) / rows;
    const std::size_t room = rows * dims + 7;
    std::vector<float> to(pieces * room);
    copyAlongCurve(source, rows, room, to.data(), nullptr);
    std::vector<std::array<float, 3>> right(n);
    std::vector<std::array<float, 3>> found(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < dims; ++j) {
        right[i][j] = values[j * n + i];
        found[i][j] = to[i / rows * room + j * rows + i % rows];
      }
    for (std::size_t piece = 0; n > rows && piece + 1 < pieces; ++piece) {
      double shortest = 1;
      for (std::size_t j = 0; j < dims; ++j) {
        const auto [low, high] =
            std::minmax_element(to.begin() + static_cast<std::ptrdiff_t>(piece * room + j * rows),
                                to.begin() + static_cast<std::ptrdiff_t>(piece * room + (j + 1) * rows));
        shortest = std::min(shortest, static_cast<double>(*high - *low) / 1000);
      }
      QVERIFY2(shortest < most, qPrintable(QString::number(shortest)));
    }
    std::ranges::sort(right);
    std::ranges::sort(found);
    QVERIFY(found == right);
  }

  void equalPointsAreOneCell() {
    const std::vector<float> values(10000, 3.5f);
    const HostPoints source(values.data(), 5000, 2, boxOf(values.data(), 5000, 2));
    std::vector<float> to(values.size());
    copyAlongCurve(source, 5000, 10000, to.data(), nullptr);
    QCOMPARE(to, values);
  }

  void cancellingEndsIt() {
    const std::vector<float> values = randomValues(2000);
    const HostPoints source(values.data(), 1000, 2, boxOf(values.data(), 1000, 2));
    std::vector<float> to(2000);
    const std::atomic<bool> cancel = true;
    QVERIFY_EXCEPTION_THROWN(copyAlongCurve(source, 1000, 2000, to.data(), &cancel), Cancelled);
  }
};

QTEST_GUILESS_MAIN(TestCurveOrder)
#include "tst_curve_order.moc"

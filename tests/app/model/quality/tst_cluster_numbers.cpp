// SPDX-License-Identifier: GPL-3.0-or-later
// What clusters are like, held against sums in double precision, one point after another.
#include "app/data/read/read_points.hpp"
#include "app/model/quality/cluster_numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>

using namespace lloyd;

namespace {

/// Points of a few decades, in columns that are stored shifted and scaled.
PointSet scattered(std::size_t n, int d) {
  PointSet points;
  points.n = n;
  points.d = d;
  for (std::size_t i = 0; i < n * static_cast<std::size_t>(d); ++i)
    points.values.push_back(
        static_cast<float>(static_cast<double>(randomBits(7, 0, i) % 100'003) / 97.0 - 400));
  for (int j = 0; j < d; ++j) {
    points.columns.push_back("c" + std::to_string(j));
    points.scales.push_back({.offset = 1000.0 * j, .factor = 0.5 + j, .shift = 0});
  }
  return points;
}

/// As NumPy has it by default.
double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  const double place = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
}

bool near(double found, double expected) {
  return std::abs(found - expected) <= 1e-12 * std::max(1.0, std::abs(expected));
}

} // namespace

class TestClusterNumbers : public QObject {
  Q_OBJECT
private slots:
  void equalsBruteForce() {
    constexpr std::size_t n = 70'000; // several pieces a cluster
    constexpr std::size_t d = 3;
    constexpr std::size_t k = 5; // the fourth without points
    const PointSet points = scattered(n, static_cast<int>(d));
    std::vector<Label> labels;
    for (std::size_t i = 0; i < n; ++i) {
      const auto draw = static_cast<Label>(randomBits(9, 1, i) % 6);
      labels.push_back(draw == 3 ? 4 : draw == 5 ? -1 : draw);
    }
    std::vector<float> centroids;
    for (std::size_t i = 0; i < k * d; ++i)
      centroids.push_back(static_cast<float>(i) * 13.7F - 80);
    const ClusterNumbers found = clusterNumbersOf(points, PointRows::of(points), labels, centroids);
    QCOMPARE(found.k(), k);
    std::uint64_t all = 0;
    for (std::size_t c = 0; c < k; ++c) {
      std::uint64_t size = 0;
      double distances = 0;
      double squares = 0;
      std::vector<std::vector<double>> values(d);
      for (std::size_t i = 0; i < n; ++i) {
        if (labels[i] != static_cast<Label>(c)) continue;
        double square = 0;
        for (std::size_t j = 0; j < d; ++j) {
          const auto value = static_cast<double>(points.row(static_cast<int>(j))[i]);
          const double away = value - static_cast<double>(centroids[c * d + j]);
          square += away * away;
          values[j].push_back(points.scales[j].inFile(value));
        }
        ++size;
        squares += square;
        distances += std::sqrt(square);
      }
      all += size;
      QCOMPARE(found.sizes[c], size);
      for (std::size_t j = 0; j < d; ++j)
        QVERIFY(near(found.centres[c * d + j],
                     points.scales[j].inFile(static_cast<double>(centroids[c * d + j]))));
      if (size == 0) {
        QVERIFY(std::isnan(found.spread[c]) && std::isnan(found.mean[c]));
        QVERIFY(std::isnan(found.quartiles[c * d][1]));
        continue;
      }
      QVERIFY(near(found.spread[c], std::sqrt(squares / static_cast<double>(size))));
      QVERIFY(near(found.mean[c], distances / static_cast<double>(size)));
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t q = 0; q < 3; ++q)
          QVERIFY(
              near(found.quartiles[c * d + j][q], quantile(values[j], 0.25 * static_cast<double>(q + 1))));
    }
    QCOMPARE(found.points, all);
    QVERIFY(near(found.share(0), static_cast<double>(found.sizes[0]) / static_cast<double>(all)));
    for (std::size_t j = 0; j < d; ++j) {
      const float* row = points.row(static_cast<int>(j));
      QCOMPARE(found.low[j], points.scales[j].inFile(static_cast<double>(*std::min_element(row, row + n))));
      QCOMPARE(found.high[j], points.scales[j].inFile(static_cast<double>(*std::max_element(row, row + n))));
    }
    QVERIFY(found.sizes[3] == 0); // else the branch above was never taken
  }

  /// Points that have moved are looked at where they are, in rows of their own stride.
  void movedPoints() {
    PointSet points = scattered(100, 2);
    points.scales.clear();
    constexpr std::size_t stride = 128;
    std::vector<float> moved(2 * stride, 1e30F); // between the rows is nothing to look at
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t i = 0; i < points.n; ++i)
        moved[j * stride + i] = static_cast<float>(3 * (j + 1));
    const std::vector<Label> labels(points.n, 0);
    const ClusterNumbers found =
        clusterNumbersOf(points, {moved.data(), stride}, labels, std::vector<float>{0, 2});
    QCOMPARE(found.mean[0], 5.0); // 3 and 4 away
    QCOMPARE(found.spread[0], 5.0);
    QCOMPARE(found.quartiles[1][0], 6.0);
    QCOMPARE(found.high[1], 6.0);
  }

  void isCancelled() {
    const PointSet points = scattered(1000, 2);
    const std::atomic<bool> cancel{true};
    const std::vector<Label> labels(points.n, 0);
    const std::vector<float> centroids{0, 0};
    QVERIFY_THROWS_EXCEPTION(
        Cancelled, static_cast<void>(clusterNumbersOf(points, PointRows::of(points), labels, centroids,
                                                      {.progress = {}, .cancel = &cancel})));
  }
};

QTEST_GUILESS_MAIN(TestClusterNumbers)
#include "tst_cluster_numbers.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/reference/reference.hpp"
#include "tests/support/table.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

using namespace lloyd;

namespace {

std::vector<double> numbers(const QJsonArray& rows) {
  std::vector<double> values;
  for (const auto& row : rows)
    for (const auto& value : row.toArray())
      values.push_back(value.toDouble());
  return values;
}

std::vector<Label> labelsOf(const QJsonArray& array) {
  std::vector<Label> labels;
  for (const auto& value : array)
    labels.push_back(value.toInt());
  return labels;
}

bool close(double found, double expected, double relative) {
  return std::abs(found - expected) <= relative * std::max(std::abs(expected), 1e-12);
}

/// One line of a run's history: of this iteration's labels and the centroids they were found with.
struct Iteration {
  double inertia = 0;
  std::size_t changed = 0; ///< points whose label is new; all of them in the first iteration
  double shift = 0;
};

/// A whole run. labels, sizes and inertia belong to the final centroids. The iteration in which nothing
/// changed counts.
struct Run {
  std::vector<double> centroids;
  std::vector<Label> labels;
  std::vector<std::uint32_t> sizes;
  double inertia = 0;
  bool converged = false;
  std::vector<Iteration> history;
};

/// Iterates until no label changes, or maxIterations.
Run lloydRun(const Problem& problem, std::span<const float> points, std::vector<double> initialCentroids,
             std::size_t maxIterations) {
  Run run;
  run.centroids = std::move(initialCentroids);
  std::vector<Label> previous(problem.n, -1);
  while (run.history.size() < maxIterations && !run.converged) {
    const std::vector<Label> labels = reference::classify(problem, points, run.centroids);
    Iteration iteration;
    iteration.inertia = reference::inertia(problem, points, run.centroids, labels);
    for (std::size_t i = 0; i < problem.n; ++i)
      iteration.changed += labels[i] != previous[i] ? 1 : 0;
    const reference::Update next =
        reference::update(problem, reference::reduce(problem, points, labels, run.centroids), run.centroids);
    iteration.shift = next.shift;
    run.centroids = next.centroids;
    run.history.push_back(iteration);
    run.converged = iteration.changed == 0;
    previous = labels;
  }
  run.labels = reference::classify(problem, points, run.centroids);
  run.inertia = reference::inertia(problem, points, run.centroids, run.labels);
  run.sizes = reference::reduce(problem, points, run.labels, run.centroids).counts;
  return run;
}

} // namespace

/// The oracle is held against results that were made elsewhere and cross-checked with scikit-learn.
class TestReference : public QObject {
  Q_OBJECT

private slots:
  void goldenRuns_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(LLOYD_SOURCE_DIR "/tests/fixtures/reference");
    const auto files = folder.entryInfoList({"*.json"});
    QVERIFY(!files.empty());
    for (const QFileInfo& file : files)
      QTest::newRow(qPrintable(file.baseName())) << file.filePath();
  }

  void goldenRuns() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject golden = QJsonDocument::fromJson(file.readAll()).object();
    std::vector<std::string> columns;
    for (const auto& column : golden["columns"].toArray())
      columns.push_back(column.toString().toStdString());
    const std::string data = LLOYD_SOURCE_DIR "/resources/data/" + golden["source"].toString().toStdString();
    const std::vector<float> points = test::readColumns(data, columns);
    const Problem problem{static_cast<std::size_t>(golden["points"].toInt()), golden["dims"].toInt(),
                          golden["k"].toInt()};
    QCOMPARE(points.size(), problem.pointValues());

    const int iterations = golden["iterations"].toInt();
    const bool converged = golden["converged"].toBool();
    const Run run = lloydRun(problem, points, numbers(golden["initial_centroids"].toArray()),
                             converged ? 300 : static_cast<std::size_t>(iterations));
    QCOMPARE(static_cast<int>(run.history.size()), iterations);
    QCOMPARE(run.converged, converged);
    QCOMPARE(run.labels, labelsOf(golden["labels"].toArray()));
    QVERIFY(close(run.inertia, golden["inertia"].toDouble(), 1e-9));
    const std::vector<double> centroids = numbers(golden["centroids"].toArray());
    for (std::size_t at = 0; at < centroids.size(); ++at)
      QVERIFY(close(run.centroids[at], centroids[at], 1e-9));
    const QJsonArray sizes = golden["sizes"].toArray();
    for (qsizetype cluster = 0; cluster < sizes.size(); ++cluster)
      QCOMPARE(static_cast<int>(run.sizes[static_cast<std::size_t>(cluster)]), sizes[cluster].toInt());
    const QJsonArray history = golden["history"].toArray();
    QCOMPARE(static_cast<int>(history.size()), iterations);
    for (qsizetype i = 0; i < history.size(); ++i) {
      const Iteration& found = run.history[static_cast<std::size_t>(i)];
      const QJsonObject expected = history[i].toObject();
      QVERIFY(close(found.inertia, expected["inertia"].toDouble(), 1e-9));
      QCOMPARE(static_cast<int>(found.changed), expected["changed"].toInt());
      QVERIFY(std::abs(found.shift - expected["shift"].toDouble()) <= 1e-9);
    }
  }

  /// However the work is shared out: the textbook's own loops, point by point, for the last points too.
  void allCoresFindWhatOneLoopFinds_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("k");
    for (const auto& [n, d, k] : {std::array{1, 3, 1},
                                  {15, 1, 4},
                                  {16, 2, 5},
                                  {17, 33, 5},
                                  {4097, 3, 17},
                                  {8191, 64, 3},
                                  {12300, 2, 200}})
      QTest::addRow("n %d, d %d, k %d", n, d, k) << n << d << k;
  }

  void allCoresFindWhatOneLoopFinds() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(int, k);
    const Problem problem{static_cast<std::size_t>(n), d, k};
    std::vector<float> points(problem.pointValues());
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i] = static_cast<float>(randomBits(1, 0, i) >> 40) * 0x1p-20f;
    std::vector<double> centroids(problem.centroidValues());
    for (std::size_t i = 0; i < centroids.size(); ++i)
      centroids[i] = static_cast<double>(randomBits(1, 1, i) >> 40) * 0x1p-20;

    std::vector<Label> labels(problem.n);
    reference::Reduction sums{std::vector<double>(centroids.size()),
                              std::vector<std::uint32_t>(static_cast<std::size_t>(k))};
    double inertia = 0;
    for (std::size_t i = 0; i < problem.n; ++i) {
      double best = std::numeric_limits<double>::infinity();
      for (int cluster = 0; cluster < k; ++cluster) {
        const double distance =
            reference::squaredDistance(problem, points, i, centroids, static_cast<std::size_t>(cluster));
        if (!(distance < best)) continue;
        best = distance;
        labels[i] = cluster;
      }
      inertia += best;
      const auto cluster = static_cast<std::size_t>(labels[i]);
      ++sums.counts[cluster];
      for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
        const std::size_t at = cluster * static_cast<std::size_t>(d) + j;
        sums.sums[at] += static_cast<double>(points[j * problem.n + i]) - centroids[at];
      }
    }
    QCOMPARE(reference::classify(problem, points, centroids), labels);
    const reference::Reduction found = reference::reduce(problem, points, labels, centroids);
    QCOMPARE(found.counts, sums.counts);
    QCOMPARE(found.sums, sums.sums); // to the bit: each sum takes its points in their order
    QVERIFY(close(reference::inertia(problem, points, centroids, labels), inertia, 1e-12));
  }

  void aCancelledReferenceEnds() {
    const Problem problem{100, 2, 3};
    const std::vector<float> points(problem.pointValues());
    const std::vector<double> centroids(problem.centroidValues());
    const std::vector<Label> labels(problem.n);
    const std::atomic<bool> cancel{true};
    QVERIFY_THROWS_EXCEPTION(Cancelled,
                             static_cast<void>(reference::classify(problem, points, centroids, &cancel)));
    QVERIFY_THROWS_EXCEPTION(
        Cancelled, static_cast<void>(reference::reduce(problem, points, labels, centroids, &cancel)));
    QVERIFY_THROWS_EXCEPTION(
        Cancelled, static_cast<void>(reference::inertia(problem, points, centroids, labels, &cancel)));
  }

  void tiesGoToTheLowestIndex() {
    const std::vector<float> points{0, 1, 2};
    const std::vector<double> centroids{2, 0, 2};
    QCOMPARE(reference::classify({3, 1, 3}, points, centroids), (std::vector<Label>{1, 0, 0}));
    const double nearest[] = {0, 1, 0}, second[] = {4, 1, 0};
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<double> distances;
      for (std::size_t cluster = 0; cluster < 3; ++cluster)
        distances.push_back(reference::squaredDistance({3, 1, 3}, points, i, centroids, cluster));
      std::sort(distances.begin(), distances.end());
      QCOMPARE(distances[0], nearest[i]);
      QCOMPARE(distances[1], second[i]);
    }
  }

  void anEmptyClusterKeepsItsCentre() {
    const std::vector<float> points{1, 3};
    const auto run = lloydRun({2, 1, 2}, points, std::vector<double>{0, 100}, 10);
    QCOMPARE(run.centroids, (std::vector<double>{2, 100}));
    QCOMPARE(run.sizes, (std::vector<std::uint32_t>{2, 0}));
    QVERIFY(run.converged);
  }

  void noPointsConvergeAtOnce() {
    const auto run = lloydRun({0, 2, 2}, {}, std::vector<double>{1, 2, 3, 4}, 10);
    QCOMPARE(run.history.size(), std::size_t{1});
    QCOMPARE(run.centroids, (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(run.inertia, 0.0);
  }

  void aLabelMayDifferOnlyAtATie() {
    const Problem problem{1, 1, 2};
    const std::vector<Label> first{0};
    const std::vector<Label> second{1};
    const std::vector<float> points{0};
    // Squared distances 1 and 1 + 2e: a tie while 2e is below 5 * 2^-23.
    const std::vector<double> tie{1, 1 + 2e-7};
    const std::vector<double> apart{1, 1 + 4e-7};
    QVERIFY(reference::compareLabels(problem, points, tie, second, first).ok());
    const auto wrong = reference::compareLabels(problem, points, apart, second, first);
    QCOMPARE(wrong.wrong, std::size_t{1});
    QVERIFY(wrong.firstFailure.find("point 0") != std::string::npos);
  }

  void labelsOutOfRangeFail() {
    for (const Label label : {-1, 2, 1 << 30})
      QVERIFY(!reference::compareLabels({1, 1, 2}, std::vector<float>{0}, std::vector<double>{1, 1},
                                        std::vector<Label>{label}, std::vector<Label>{0})
                   .ok());
  }

  void notANumberFails() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> ranges{10};
    const std::vector<std::uint32_t> counts{4};
    const std::vector<double> expected{8};
    for (const double sum : {nan, infinity, -infinity, 9.0}) {
      const auto result =
          reference::compareSums({4, 1, 1}, ranges, std::vector<double>{sum}, counts, expected, counts);
      QVERIFY(!result.ok());
      QVERIFY(result.error > 1);
    }
    QVERIFY(reference::compareSums({4, 1, 1}, ranges, expected, counts, expected, counts).ok());
    QVERIFY(
        !reference::compareCentroids({4, 1, 1}, ranges, std::vector<float>{static_cast<float>(nan)}, expected)
             .ok());
    // A NaN that was expected is no excuse either.
    QVERIFY(!reference::compareCentroids({4, 1, 1}, ranges, std::vector<float>{1}, std::vector<double>{nan})
                 .ok());
  }

  void countsAreExact() {
    const std::vector<double> sums{8};
    QVERIFY(!reference::compareSums({4, 1, 1}, std::vector<double>{10}, sums, std::vector<std::uint32_t>{5},
                                    sums, std::vector<std::uint32_t>{4})
                 .ok());
  }
};

QTEST_GUILESS_MAIN(TestReference)
#include "tst_reference.moc"

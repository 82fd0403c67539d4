// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of clusterings, held against what scikit-learn says of the same points and labels
// (tests/fixtures/quality/make.py).
#include "app/data/read/read_points.hpp"
#include "app/model/quality/agreement.hpp"
#include "app/model/quality/cluster_order.hpp"
#include "app/model/quality/cluster_scores.hpp"
#include "app/model/quality/k_curve_points.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

using namespace lloyd;

namespace {

constexpr double tolerance = 1e-6;

bool near(double found, double expected) {
  return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

QJsonObject fixture(const QString& name) {
  QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/tests/fixtures/quality/") + name);
  return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// "abca" or [0, 1, 2, 0]
std::vector<Label> labelsOf(const QJsonValue& value) {
  std::vector<Label> labels;
  if (value.isString())
    for (const QChar letter : value.toString())
      labels.push_back(letter.unicode() - u'a');
  for (const auto& each : value.toArray())
    labels.push_back(each.toInt());
  return labels;
}

/// Columns of a table in the repository; none for its own.
SharedPointSet sample(const std::string& name) {
  const auto read = readPoints(LLOYD_SOURCE_DIR "/resources/data/" + name);
  return read ? std::make_shared<const PointSet>(*read) : nullptr;
}

PointSet pointsOf(const std::vector<std::vector<float>>& columns) {
  PointSet points;
  points.n = columns.front().size();
  points.d = static_cast<int>(columns.size());
  for (const auto& column : columns)
    points.values.insert(points.values.end(), column.begin(), column.end());
  return points;
}

/// Two or more heaps whose labels are right nearly everywhere.
PointSet heaps(std::size_t n, int d, int k, std::vector<Label>& labels) {
  PointSet points;
  points.n = n;
  points.d = d;
  labels.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    labels[i] = static_cast<Label>(randomBits(1, 0, i) % static_cast<unsigned>(k));
  for (int j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i)
      points.values.push_back(static_cast<float>(labels[i] * (j + 1)) +
                              static_cast<float>(randomBits(2, static_cast<unsigned>(j), i) % 1000) / 500.0f);
  return points;
}

void holdAgainst(const PointSet& points, const QJsonObject& expected) {
  const std::vector<Label> labels = labelsOf(expected["labels"]);
  QCOMPARE(labels.size(), points.n);
  const ClusterScores scores = scoresOf(points, labels, expected["k"].toInt());
  QVERIFY(scores.silhouette && scores.silhouette->exact());
  QVERIFY2(near(scores.silhouette->mean, expected["silhouette"].toDouble()),
           qPrintable(QString::number(scores.silhouette->mean, 'g', 12)));
  const QJsonArray clusters = expected["clusters"].toArray();
  QCOMPARE(scores.silhouette->clusters.size(), static_cast<std::size_t>(clusters.size()));
  for (qsizetype c = 0; c < clusters.size(); ++c) {
    const double found = scores.silhouette->clusters[static_cast<std::size_t>(c)];
    if (clusters[c].isNull())
      QVERIFY(std::isnan(found));
    else
      QVERIFY2(near(found, clusters[c].toDouble()), qPrintable(QString::number(c)));
  }
  QVERIFY2(near(scores.daviesBouldin.value(), expected["davies_bouldin"].toDouble()),
           qPrintable(QString::number(*scores.daviesBouldin, 'g', 12)));
  QVERIFY2(near(scores.calinskiHarabasz.value(), expected["calinski_harabasz"].toDouble()),
           qPrintable(QString::number(*scores.calinskiHarabasz, 'g', 12)));
}

KPoint pointAt(int k, double inertia, double silhouette, double other = 0) {
  ClusterScores scores{.silhouette = Silhouette{.mean = silhouette, .clusters = {}},
                       .daviesBouldin = 1 - silhouette,
                       .calinskiHarabasz = 100 * silhouette};
  KPoint point{.k = k, .runs = {{.seed = 1, .inertia = inertia, .scores = scores}}};
  if (other > 0) point.runs.push_back({.seed = 2, .inertia = other, .scores = std::nullopt});
  return point;
}

} // namespace

class TestQuality : public QObject {
  Q_OBJECT
private slots:
  void realTablesScoreAsScikitLearnSays_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"iris", "faithful", "quakes"})
      QTest::newRow(name) << QString(name);
  }
  void realTablesScoreAsScikitLearnSays() {
    QFETCH(QString, name);
    const SharedPointSet points = sample(name.toStdString() + ".csv");
    QVERIFY(points);
    holdAgainst(*points, fixture(name + ".json"));
  }

  /// Six columns far from zero, a point that is alone, points that share a place, a cluster without any.
  void hardPointsScoreAsScikitLearnSays() {
    const QJsonObject expected = fixture("hard.json");
    std::vector<std::vector<float>> columns;
    for (const auto& column : expected["points"].toArray()) {
      columns.emplace_back();
      for (const auto& value : column.toArray())
        columns.back().push_back(static_cast<float>(value.toDouble()));
    }
    QCOMPARE(columns.size(), std::size_t{6});
    holdAgainst(pointsOf(columns), expected);
  }

  void labelingsAgreeAsScikitLearnSays() {
    const QJsonObject all = fixture("labelings.json");
    QCOMPARE(all.size(), 9);
    for (const QString& name : all.keys()) {
      const QJsonObject expected = all[name].toObject();
      const std::vector<Label> clusters = labelsOf(expected["clusters"]);
      const std::vector<Label> classes = labelsOf(expected["classes"]);
      const int rows = 1 + std::ranges::max(clusters);
      const int columns = 1 + std::ranges::max(classes);
      const Confusion confusion = confusionOf(clusters, classes, rows, columns);
      QVERIFY2(near(adjustedRand(confusion), expected["adjusted_rand"].toDouble()), qPrintable(name));
      QVERIFY2(
          near(normalisedMutualInformation(confusion), expected["normalised_mutual_information"].toDouble()),
          qPrintable(name));
      const QJsonArray table = expected["confusion"].toArray();
      QCOMPARE(table.size(), rows);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
          QCOMPARE(static_cast<int>(confusion.at(r, c)), table[r].toArray()[c].toInt());
    }
    const QJsonObject iris = fixture("iris.json");
    const Confusion species = confusionOf(labelsOf(iris["labels"]), labelsOf(iris["classes"]), 3, 3);
    QVERIFY(near(adjustedRand(species), iris["adjusted_rand"].toDouble()));
    QVERIFY(near(normalisedMutualInformation(species), iris["normalised_mutual_information"].toDouble()));
  }

  void unknownClassesAndUnusedClustersAreLeftOut() {
    const std::vector<Label> clusters{0, 0, 2, 2, 0};
    const std::vector<Label> classes{1, 1, 0, 0, -1};
    const Confusion confusion = confusionOf(clusters, classes, 4, 2);
    QCOMPARE(confusion.left, std::uint64_t{1});
    QCOMPARE(confusion.counted, std::uint64_t{4});
    QCOMPARE(confusion.clusterSize(0), std::uint64_t{2});
    QCOMPARE(confusion.clusterSize(1), std::uint64_t{0});
    QCOMPARE(confusion.classSize(0), std::uint64_t{2});
    QCOMPARE(adjustedRand(confusion), 1.0);
    QCOMPARE(normalisedMutualInformation(confusion), 1.0);
  }

  /// One to one, where the most points meet first.
  void classesFindTheirClusters() {
    // Class 0 is in clusters 1 and 2, class 1 mostly in 1, class 2 in 2 alone, class 3 in no cluster.
    const std::vector<Label> clusters{1, 1, 2, 1, 1, 1, 2, 2, -1};
    const std::vector<Label> classes{0, 0, 0, 1, 1, 1, 2, 2, 3};
    QCOMPARE(clustersOfClasses(confusionOf(clusters, classes, 3, 4)), (std::vector<int>{-1, 1, 2, -1}));
    QCOMPARE(clustersOfClasses(confusionOf(classes, classes, 4, 4)), (std::vector<int>{0, 1, 2, 3}));
  }

  void whatHasNoMeaningHasNoScore() {
    const PointSet points = pointsOf({{1, 2, 3, 4}, {0, 0, 1, 1}});
    const std::vector<Label> one(4, 1);
    ClusterScores scores = scoresOf(points, one, 3); // a single cluster, two of three empty
    QVERIFY(!scores.silhouette && !scores.daviesBouldin && !scores.calinskiHarabasz);
    scores = scoresOf(points, std::vector<Label>{3, 1, 0, 2}, 4); // k = n
    QVERIFY(!scores.silhouette && !scores.daviesBouldin && !scores.calinskiHarabasz);
    const PointSet alone = pointsOf({{7}});
    scores = scoresOf(alone, std::vector<Label>{0}, 1);
    QVERIFY(!scores.silhouette && !scores.daviesBouldin);
    QCOMPARE(separationOf(alone, std::vector<Label>{0}, 1).inertia, 0.0);
  }

  void pointsInOnePlaceScoreNothingOdd() {
    const PointSet points = pointsOf({{5, 5, 5, 5, 5}});
    const ClusterScores scores = scoresOf(points, std::vector<Label>{0, 0, 1, 1, 1}, 2);
    QCOMPARE(scores.silhouette->mean, 0.0);
    QCOMPARE(scores.daviesBouldin.value(), 0.0);
    QCOMPARE(scores.calinskiHarabasz.value(), 1.0);
  }

  /// As far from zero as float32 still tells quarters apart.
  void anOffsetChangesNoScore() {
    std::vector<Label> labels;
    PointSet points = heaps(2000, 3, 4, labels);
    for (float& value : points.values)
      value = std::round(value * 4) / 4;
    const ClusterScores near0 = scoresOf(points, labels, 4);
    for (float& value : points.values)
      value += 2'000'000;
    const ClusterScores far = scoresOf(points, labels, 4);
    QVERIFY(std::abs(far.silhouette->mean - near0.silhouette->mean) <= 1e-12);
    QVERIFY(std::abs(*far.daviesBouldin - *near0.daviesBouldin) <= 1e-9);
    QVERIFY(std::abs(*far.calinskiHarabasz / *near0.calinskiHarabasz - 1) <= 1e-9);
  }

  /// Every number of points in a cluster, so that no width of vectors goes without its rest.
  void sumsOfDistancesLeaveNoPointOut() {
    for (std::size_t n = 3; n < 40; ++n) {
      std::vector<Label> labels;
      const PointSet points = heaps(n, 5, 2, labels);
      labels[0] = 0;
      labels[1] = 1;
      labels[2] = 0;
      double expected = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double sums[2] = {};
        double counts[2] = {};
        for (std::size_t o = 0; o < n; ++o) {
          double square = 0;
          for (int j = 0; j < 5; ++j)
            square +=
                std::pow(static_cast<double>(points.row(j)[i]) - static_cast<double>(points.row(j)[o]), 2);
          sums[labels[o]] += std::sqrt(square);
          counts[labels[o]] += 1;
        }
        const int own = labels[i];
        if (counts[own] < 2) continue;
        const double a = sums[own] / (counts[own] - 1);
        const double b = sums[1 - own] / counts[1 - own];
        expected += (b - a) / std::max(a, b) / static_cast<double>(n);
      }
      const auto found = silhouetteOf(points, labels, 2);
      QVERIFY2(found && std::abs(found->mean - expected) <= 1e-12, qPrintable(QString::number(n)));
    }
  }

  /// Beyond the budget it is the silhouette of the drawn points among themselves, as they come.
  void aSampleIsThatOfItsPoints() {
    std::vector<Label> labels;
    const PointSet points = heaps(5000, 2, 3, labels);
    const SilhouetteBudget budget{.differences = 4.0 * 900 * 900, .seed = 7};
    QCOMPARE(budget.pointsOf(points.n, points.d), std::size_t{900});
    const auto found = silhouetteOf(points, labels, 3, budget);
    QVERIFY(found && !found->exact());
    QCOMPARE(found->sampled, std::size_t{900});
    QCOMPARE(found->points, std::size_t{5000});
    const std::vector<std::uint32_t> rows = sampleRows(5000, 900, 7);
    QCOMPARE(rows.size(), std::size_t{900});
    QVERIFY(std::ranges::adjacent_find(rows, std::greater_equal<>()) == rows.end());
    PointSet drawn;
    drawn.n = 900;
    drawn.d = 2;
    std::vector<Label> theirs;
    theirs.reserve(rows.size());
    for (int j = 0; j < 2; ++j)
      for (const auto row : rows)
        drawn.values.push_back(points.row(j)[row]);
    for (const auto row : rows)
      theirs.push_back(labels[row]);
    QCOMPARE(found->mean, silhouetteOf(drawn, theirs, 3)->mean);
    const double all = silhouetteOf(points, labels, 3)->mean;
    QVERIFY(found->error > 0 && std::abs(found->mean - all) < 4 * found->error);
    QVERIFY(sampleText(*found).startsWith("of 900 of 5,000 points"));
    QVERIFY(silhouetteOf(points, labels, 3, {.differences = budget.differences, .seed = 8})->mean !=
            found->mean);
  }

  void everyRowIsDrawnAsOften() {
    std::vector<int> drawn(60);
    for (std::uint64_t seed = 0; seed < 3000; ++seed)
      for (const auto row : sampleRows(60, 20, seed))
        ++drawn[row];
    const auto [least, most] = std::ranges::minmax(drawn); // 1000 each, give or take 26
    QVERIFY2(least > 850 && most < 1150, qPrintable(QString("%1 to %2").arg(least).arg(most)));
    QCOMPARE(sampleRows(5, 9, 1), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  }

  /// Nothing more is begun once somebody has seen enough.
  void cancelledScoresEnd() {
    std::vector<Label> labels;
    const PointSet points = heaps(20'000, 3, 5, labels);
    std::atomic<bool> cancel{false};
    int told = 0;
    const ReadControl control{.progress =
                                  [&](std::uint64_t, double fraction) {
                                    ++told;
                                    cancel = cancel || (fraction >= 0 && fraction <= 1);
                                  },
                              .cancel = &cancel};
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(scoresOf(points, labels, 5, {}, control)), Cancelled);
    QCOMPARE(told, 1);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(separationOf(points, labels, 5, control)), Cancelled);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(sampleRows(1000, 10, 1, control)), Cancelled);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(ClusterOrder(labels, 5, control)), Cancelled);
  }

  void suggestionsAreTheExtremesOfTheBestRuns() {
    const std::vector<KPoint> points{pointAt(2, 100, 0.6, 140), pointAt(3, 40, 0.7, 39), pointAt(4, 30, 0.7),
                                     pointAt(5, 25, 0.3)};
    // The better run of k = 3 has no scores.
    QCOMPARE(suggestedK(points, Score::silhouette), std::optional(4));
    QCOMPARE(suggestedK(points, Score::daviesBouldin), std::optional(4));
    QCOMPARE(suggestedK(points, Score::calinskiHarabasz), std::optional(4));
    QCOMPARE(suggestedK(points, Score::inertia), std::optional(3));
    QCOMPARE(points[0].spread(Score::inertia), (std::optional(std::pair(100.0, 140.0))));
    QCOMPARE(points[1].spread(Score::silhouette), (std::optional(std::pair(0.7, 0.7))));
    QCOMPARE(suggestionText(points, Score::daviesBouldin),
             QString("Davies-Bouldin is lowest at k = 4 (0.3000)"));
    const std::vector<KPoint> equal{pointAt(9, 10, 0.5), pointAt(4, 20, 0.5), pointAt(5, 15, 0.5)};
    QCOMPARE(suggestedK(equal, Score::silhouette), std::optional(4));
    QCOMPARE(suggestedK(equal, Score::daviesBouldin), std::optional(4));
    const std::vector<KPoint> straight{pointAt(2, 30, 0.5), pointAt(3, 20, 0.5), pointAt(4, 10, 0.5)};
    QVERIFY(!suggestedK(straight, Score::inertia));
    QVERIFY(!suggestedK(std::span(points).first(1), Score::silhouette));
    QVERIFY(suggestionText(std::span(points).first(1), Score::silhouette).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestQuality)
#include "tst_quality.moc"

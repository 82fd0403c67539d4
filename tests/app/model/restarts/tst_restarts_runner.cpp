// SPDX-License-Identifier: GPL-3.0-or-later
// Runs from other first centroids beside a session.
#include "app/model/restarts/restart_list_model.hpp"
#include "app/model/restarts/restarts_runner.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

constexpr int patience = 20000; ///< milliseconds
constexpr const char* blobs = "blobs:n=3000,d=2,k=9,seed=2";

struct Fixture {
  Session session;
  DeviceLease lease;
  RestartsRunner runner{session, lease};
  RestartListModel model{runner};
  QSignalSpy messages{&runner, &RestartsRunner::message};

  explicit Fixture(const std::string& data, int k = 9, const Init& init = {}) {
    Settings settings = cpuSettings(k);
    settings.init = init;
    settings.seed = 4;
    session.setSettings(settings);
    session.open(generator(data));
  }
  bool ready() {
    return QTest::qWaitFor([&] { return session.data() && session.last(); }, patience);
  }
  bool over() {
    return QTest::qWaitFor([&] { return !runner.running(); }, patience);
  }
  QString said() const { return messages.isEmpty() ? QString() : messages.last().first().toString(); }
};

/// The run of a seed, by itself.
IterationResult alone(const SharedPointSet& points, Settings settings, std::uint64_t seed, int& iterations) {
  KMeansRunner runner;
  runner.chooseDevice(BackendRequest::cpu);
  runner.setData(points);
  runner.usePrivatePoints(Sharing::none);
  settings.seed = seed;
  runner.configure(settings);
  for (iterations = 1; !converged(runner.iterate(false), 0) && iterations < settings.iterations;
       ++iterations) {
  }
  return runner.finish();
}

} // namespace

class TestRestartsRunner : public QObject {
  Q_OBJECT
private slots:
  void eachRunIsTheRunOfItsSeed() {
    Fixture fixture(blobs);
    QVERIFY(!fixture.runner.whyNotRestarts().isEmpty()); // no data yet
    QVERIFY(fixture.ready());
    fixture.runner.start(8);
    QVERIFY(fixture.runner.running());
    QVERIFY(!fixture.lease.whyNot().isEmpty());
    QVERIFY(fixture.over());
    const auto& runs = fixture.runner.runs();
    QCOMPARE(runs.size(), std::size_t{8});
    double least = runs.front()->inertia();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const RestartRun& run = *runs[i];
      QCOMPARE(run.seed, std::uint64_t{4} + i);
      int iterations = 0;
      const IterationResult expected =
          alone(fixture.session.data(), fixture.session.settings(), run.seed, iterations);
      QVERIFY(run.result.centroids == expected.centroids);
      QVERIFY(run.result.sizes == expected.sizes);
      QCOMPARE(run.inertia(), *expected.inertia);
      QCOMPARE(run.iterations, iterations);
      QVERIFY(run.converged);
      least = std::min(least, run.inertia());
    }
    QCOMPARE(fixture.runner.best()->inertia(), least);
    // Several minima, or there is nothing to choose from.
    QVERIFY(std::ranges::any_of(runs, [&](const auto& run) { return run->inertia() > least * 1.01; }));
    QCOMPARE(fixture.session.settings().seed, std::uint64_t{4});
  }

  void picturesHaveTheLabelsOfTheirPoints() {
    Fixture fixture("blobs:n=20000,d=3,k=5", 5);
    QVERIFY(fixture.ready());
    fixture.runner.start(1);
    QVERIFY(fixture.over());
    const RestartRun& run = *fixture.runner.runs().front();
    const PointSet& points = *fixture.session.data();
    QCOMPARE(run.points->rows.size(), SketchPoints::most);
    for (std::size_t i = 0; i < run.points->rows.size(); i += 97) {
      const std::size_t row = run.points->rows[i];
      QVERIFY(run.points->x[i] >= 0 && run.points->x[i] <= 1 && run.points->y[i] >= 0 &&
              run.points->y[i] <= 1);
      double nearest = 0;
      int label = -1;
      for (int c = 0; c < 5; ++c) {
        double sum = 0;
        for (int j = 0; j < 3; ++j) {
          const double difference =
              static_cast<double>(points.row(j)[row]) -
              static_cast<double>(
                  run.result.centroids[static_cast<std::size_t>(c) * 3 + static_cast<std::size_t>(j)]);
          sum += difference * difference;
        }
        if (label < 0 || sum < nearest) {
          nearest = sum;
          label = c;
        }
      }
      QCOMPARE(run.labels[i], label);
    }
  }

  void oneColumnIsScattered() {
    Fixture fixture("uniform:n=100,d=1", 3);
    QVERIFY(fixture.ready());
    const auto sketch = sketchOf(*fixture.session.data());
    QCOMPARE(sketch->y.size(), std::size_t{100});
    const auto [low, high] = std::ranges::minmax(sketch->y);
    QVERIFY(low < 0.1f && high > 0.9f);
  }

  void cancelledRunsKeepThoseThatEnded() {
    Fixture fixture("uniform:n=60000,d=3", 40);
    QVERIFY(fixture.ready());
    fixture.runner.start(RestartsRunner::mostRestarts);
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.runner.runs().empty(), patience);
    fixture.runner.cancel();
    QVERIFY(fixture.over());
    const std::size_t kept = fixture.runner.runs().size();
    QVERIFY(kept > 0 && kept < RestartsRunner::mostRestarts);
    QVERIFY2(fixture.said().contains("cancelled"), qPrintable(fixture.said()));
    QVERIFY(fixture.lease.whyNot().isEmpty());
  }

  void runsOfOtherPointsGo() {
    Fixture fixture(blobs);
    QVERIFY(fixture.ready());
    fixture.runner.start(2);
    QVERIFY(fixture.over());
    Settings settings = fixture.session.settings();
    settings.seed = 77; // which run is shown is no other problem
    fixture.session.setSettings(settings);
    QCOMPARE(fixture.runner.runs().size(), std::size_t{2});
    settings.k = 3;
    fixture.session.setSettings(settings);
    QVERIFY(fixture.runner.runs().empty());
    QCOMPARE(fixture.model.rowCount(), 0);
  }

  void whatHasNoChanceOrNoEndIsRefused() {
    Fixture still(blobs, 9, {.kind = InitKind::first, .given = {}, .path = {}});
    QVERIFY(still.ready());
    still.runner.start(3);
    QVERIFY(!still.runner.running());
    QVERIFY2(still.said().contains("kmeans++ or random"), qPrintable(still.said()));
    Fixture moving("drift:n=2000,d=2,k=5", 5);
    QVERIFY(moving.ready());
    moving.runner.start(3);
    QVERIFY(!moving.runner.running());
    QVERIFY2(moving.said().contains("move"), qPrintable(moving.said()));
  }

  void theListSaysWhatEachIsAgainstTheBest() {
    Fixture fixture(blobs);
    QVERIFY(fixture.ready());
    fixture.runner.start(6);
    QVERIFY(fixture.over());
    QCOMPARE(fixture.model.rowCount(), 6);
    int best = 0;
    for (int row = 0; row < 6; ++row) {
      const QModelIndex index = fixture.model.index(row);
      const auto run = index.data(RestartListModel::runRole).value<RestartRunPtr>();
      const QString against = index.data(RestartListModel::comparisonRole).toString();
      best += index.data(RestartListModel::bestRole).toBool() ? 1 : 0;
      if (run->inertia() > fixture.runner.best()->inertia() * 1.001)
        QVERIFY2(against.startsWith('+') && against.endsWith('%'), qPrintable(against));
      QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(QString::number(run->seed)));
    }
    QCOMPARE(best, 1);
    const QString sentence = restartsSentence(fixture.runner);
    QVERIFY2(sentence.startsWith("6 runs: the best is seed"), qPrintable(sentence));
    fixture.model.setShown(5);
    QVERIFY(fixture.model.index(1).data(RestartListModel::shownRole).toBool());
    QVERIFY(!fixture.model.index(0).data(RestartListModel::shownRole).toBool());
  }
};

QTEST_GUILESS_MAIN(TestRestartsRunner)
#include "tst_restarts_runner.moc"

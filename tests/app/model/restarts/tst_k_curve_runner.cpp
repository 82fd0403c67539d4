// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in several numbers of clusters beside a session, and what they score.
#include "app/model/plot/k_curve_figure.hpp"
#include "app/model/restarts/k_curve_model.hpp"
#include "app/model/restarts/k_curve_runner.hpp"
#include "app/model/restarts/run_to_end.hpp"
#include "app/text/numbers.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

constexpr int patience = 20000; ///< milliseconds
constexpr const char* blobs = "blobs:n=3000,d=2,k=5,seed=2";

struct Fixture {
  Session session;
  DeviceLease lease;
  KCurveRunner runner{session, lease};
  KCurveModel model{runner};
  QSignalSpy messages{&runner, &KCurveRunner::message};

  explicit Fixture(const std::string& data, const Init& init = {}) {
    Settings settings = cpuSettings(3);
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

} // namespace

class TestKCurveRunner : public QObject {
  Q_OBJECT
private slots:
  /// What is of a sample says so beside what it suggests.
  void aSampleIsSaid() {
    Fixture fixture("blobs:n=60000,d=2,k=3,seed=2");
    QVERIFY(fixture.ready());
    const auto heading = [&fixture](int role) {
      return fixture.model.headerData(KCurveModel::silhouetteColumn, Qt::Horizontal, role).toString();
    };
    QCOMPARE(heading(Qt::DisplayRole), QString("silhouette"));
    fixture.runner.start({.low = 2, .high = 3, .restarts = 1});
    QVERIFY(QTest::qWaitFor([&] { return !fixture.runner.running(); }, 120000));
    QVERIFY2(fixture.messages.isEmpty(), qPrintable(fixture.said()));
    const Silhouette& silhouette = *fixture.runner.points().front().best().scores->silhouette;
    QVERIFY(silhouette.sampled < 60000);
    const QString sampled = countText(silhouette.sampled) + " of 60,000 points";
    const QString sentence = kCurveSentence(fixture.runner);
    QVERIFY2(sentence.contains(", of a sample of " + sampled + ", standard error 0.00"),
             qPrintable(sentence));
    QVERIFY2(heading(Qt::DisplayRole).contains("sample"), qPrintable(heading(Qt::DisplayRole)));
    QVERIFY2(heading(Qt::ToolTipRole).contains(sampled), qPrintable(heading(Qt::ToolTipRole)));
  }

  /// A number in the table is that of the sentence.
  void theTableHasTheDigitsOfTheSentence() {
    Fixture fixture("blobs:n=3000,d=2,k=5,seed=2,spread=2000");
    QVERIFY(fixture.ready());
    fixture.runner.start({.low = 2, .high = 7, .restarts = 1});
    QVERIFY(fixture.over());
    const auto k = suggestedK(fixture.runner.points(), Score::inertia);
    QVERIFY(k);
    const QString cell =
        fixture.model.data(fixture.model.index(*k - 2, KCurveModel::inertiaColumn)).toString();
    QVERIFY(cell.size() > 6);
    QVERIFY2(kCurveSentence(fixture.runner).contains('(' + cell + ')'),
             qPrintable(cell + " / " + kCurveSentence(fixture.runner)));
  }

  void everyRunIsTheRunOfItsKAndSeed() {
    Fixture fixture(blobs);
    QVERIFY(!fixture.runner.whyNotCurve().isEmpty()); // no data yet
    QVERIFY(fixture.ready());
    fixture.runner.start({.low = 2, .high = 7, .restarts = 3});
    QVERIFY(fixture.runner.running());
    QVERIFY(!fixture.lease.whyNot().isEmpty());
    QVERIFY(fixture.over());
    QVERIFY(fixture.messages.isEmpty());
    const auto& points = fixture.runner.points();
    QCOMPARE(points.size(), std::size_t{6});
    QCOMPARE(fixture.runner.done(), 18);
    const PointSet& data = *fixture.session.data();
    KMeansRunner alone;
    alone.chooseDevice(BackendRequest::cpu);
    alone.setData(fixture.session.data());
    alone.usePrivatePoints(Sharing::none, true);
    for (std::size_t i = 0; i < points.size(); ++i) {
      QCOMPARE(points[i].k, static_cast<int>(i) + 2);
      QCOMPARE(points[i].runs.size(), std::size_t{3});
      for (std::size_t r = 0; r < 3; ++r) {
        const ScoredRun& run = points[i].runs[r];
        QCOMPARE(run.seed, std::uint64_t{4} + r);
        Settings settings = fixture.session.settings();
        settings.k = points[i].k;
        settings.seed = run.seed;
        const EndedRun expected = runToItsEnd(alone, settings);
        QCOMPARE(run.inertia, expected.result.inertia.value_or(-1));
        const ClusterScores scores = scoresOf(data, expected.labels, settings.k);
        for (const Score score : {Score::silhouette, Score::daviesBouldin, Score::calinskiHarabasz})
          QCOMPARE(run.of(score).value(), scores.of(score).value());
      }
      const KRunPtr best = fixture.runner.best(points[i].k);
      QVERIFY(best);
      QCOMPARE(best->seed, points[i].best().seed);
      QCOMPARE(best->result.inertia.value_or(-1), points[i].best().inertia);
    }
    // Five blobs far apart: whoever scores finds them.
    for (const Score score : {Score::silhouette, Score::daviesBouldin, Score::calinskiHarabasz})
      QCOMPARE(suggestedK(points, score), std::optional(5));
    QCOMPARE(fixture.session.settings().k, 3);
    QCOMPARE(fixture.session.settings().seed, std::uint64_t{4});
  }

  void aCancelledCurveKeepsWhatEnded() {
    Fixture fixture("uniform:n=40000,d=3");
    QVERIFY(fixture.ready());
    fixture.runner.start({.low = 30, .high = 60, .restarts = 10});
    QTRY_VERIFY_WITH_TIMEOUT(fixture.runner.done() > 0, patience);
    fixture.runner.cancel();
    QVERIFY(fixture.over());
    const int kept = fixture.runner.done();
    QVERIFY(kept > 0 && kept < fixture.runner.asked().runs());
    QCOMPARE(fixture.model.kAt(0), 30);
    // A row that more runs may change says so.
    const int row = fixture.model.rowCount() - 1;
    const std::size_t ended = fixture.runner.points().back().runs.size();
    QCOMPARE(fixture.model.index(row, KCurveModel::runsColumn).data().toString(),
             ended < 10 ? QString("%1 of 10").arg(ended) : QString("10"));
    QVERIFY2(fixture.said().contains("cancelled") && fixture.said().contains("stay"),
             qPrintable(fixture.said()));
    QVERIFY(fixture.runner.present().isEmpty());
    QVERIFY(fixture.lease.whyNot().isEmpty());
  }

  void neitherKNorSeedTakesTheCurveAway() {
    Fixture fixture(blobs);
    QVERIFY(fixture.ready());
    fixture.runner.start({.low = 2, .high = 4, .restarts = 1});
    QVERIFY(fixture.over());
    Settings settings = fixture.session.settings();
    settings.k = 4;
    settings.seed = 9;
    fixture.session.setSettings(settings);
    QCOMPARE(fixture.model.rowCount(), 3);
    settings.init.kind = InitKind::random;
    fixture.session.setSettings(settings);
    QCOMPARE(fixture.model.rowCount(), 0);
    QVERIFY(!fixture.runner.best(3));
  }

  void whatHasNoEndOrNoChoiceIsRefused() {
    Fixture moving("drift:n=2000,d=2,k=5");
    QVERIFY(moving.ready());
    moving.runner.start({});
    QVERIFY(!moving.runner.running());
    QVERIFY2(moving.said().contains("move"), qPrintable(moving.said()));
  }

  void thereAreNoMoreClustersThanPoints() {
    Fixture fixture("uniform:n=6,d=2", {.kind = InitKind::first, .given = {}, .path = {}});
    QVERIFY(fixture.ready());
    fixture.runner.start({.low = 1, .high = 20, .restarts = 10});
    QVERIFY(fixture.over());
    QCOMPARE(fixture.runner.asked().high, 6);
    QCOMPARE(fixture.runner.asked().restarts, 1); // the first points are the same every time
    QCOMPARE(fixture.model.rowCount(), 6);
    const auto text = [&](int row, int column) { return fixture.model.index(row, column).data().toString(); };
    const QString none = QString::fromUtf8("\u2013");
    QCOMPARE(text(0, KCurveModel::silhouetteColumn), none); // k = 1
    QCOMPARE(text(5, KCurveModel::silhouetteColumn), none); // k = n
    QVERIFY(text(1, KCurveModel::silhouetteColumn) != none);
    QVERIFY(fixture.model.index(0, KCurveModel::silhouetteColumn)
                .data(Qt::ToolTipRole)
                .toString()
                .contains("two clusters"));
  }

  void tableAndFiguresSayWhatScoresSuggest() {
    Fixture fixture(blobs);
    QVERIFY(fixture.ready());
    QVERIFY(!kCurveFigure(fixture.runner.points(), Score::silhouette, 3).empty.isEmpty());
    fixture.runner.start({.low = 3, .high = 7, .restarts = 4});
    QVERIFY(fixture.over());
    fixture.model.setShown(5);
    QVERIFY(fixture.model.index(2, 0).data(KCurveModel::shownRole).toBool());
    QVERIFY(!fixture.model.index(1, 0).data(KCurveModel::shownRole).toBool());
    for (int column = KCurveModel::inertiaColumn; column < KCurveModel::runsColumn; ++column)
      for (int row = 0; row < 5; ++row)
        QCOMPARE(fixture.model.index(row, column).data(KCurveModel::suggestedRole).toBool(), row == 2);
    const QString sentence = kCurveSentence(fixture.runner);
    QVERIFY2(
        sentence.startsWith("Inertia is farthest below the straight line from k = 3 to k = 7 at k = 5 ("),
        qPrintable(sentence));
    QVERIFY2(sentence.contains("silhouette is highest at k = 5"), qPrintable(sentence));

    const auto& points = fixture.runner.points();
    const Figure figure = kCurveFigure(points, Score::silhouette, 4);
    QCOMPARE(figure.title, QString("Silhouette: k = 5"));
    QCOMPARE(kCurveFigure(points, Score::calinskiHarabasz, 4).shortTitle, QString("Calinski-H.: k = 5"));
    QCOMPARE(fixture.model.index(2, KCurveModel::runsColumn).data().toString(), QString("4"));
    QCOMPARE(figure.panels.size(), std::size_t{1});
    const PlotPanel& panel = figure.panels.front();
    QCOMPARE(panel.spans.front().from, 4.0);
    const auto reading = panel.read({6.2, 0});
    QVERIFY(reading && reading->text.startsWith("k = 6: silhouette 0."));
    QVERIFY2(reading->text.contains("over 4 runs"), qPrintable(reading->text));
    QVERIFY(!panel.read({9, 0}));
    const PlotTable table = kCurveTable(points);
    QCOMPARE(table.rows.size(), std::size_t{20});
    QCOMPARE(table.headings.size(), 6);
    QCOMPARE(table.rows.back().front(), QString("7"));
  }
};

QTEST_GUILESS_MAIN(TestKCurveRunner)
#include "tst_k_curve_runner.moc"

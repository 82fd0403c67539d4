// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters of a session held against the class of its points, while they change.
#include "app/model/classes/class_watch.hpp"
#include "app/model/classes/confusion_model.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

constexpr int patience = 20000; ///< milliseconds

struct Fixture {
  Session session;
  ClassWatch watch{session};
  ConfusionModel model{watch};

  explicit Fixture(const char* name, std::uint64_t seed) {
    Settings settings = cpuSettings(3);
    settings.seed = seed;
    session.setSettings(settings);
    DataRequest request;
    request.path = std::string(LLOYD_SOURCE_DIR "/resources/data/") + name;
    session.open(request);
  }
  bool plays() {
    if (!QTest::qWaitFor([&] { return session.data() && session.last(); }, patience)) return false;
    session.play();
    return QTest::qWaitFor([&] { return session.converged(); }, patience);
  }
};

} // namespace

class TestClassWatch : public QObject {
  Q_OBJECT
private slots:
  /// As scikit-learn has it (tests/fixtures/quality/iris.json).
  void irisIsHeldAgainstItsSpecies() {
    Fixture fixture("iris.csv", 2);
    fixture.watch.setWatched(true);
    QVERIFY(fixture.plays());
    QVERIFY(fixture.watch.hasClass());
    QTRY_VERIFY_WITH_TIMEOUT(fixture.watch.last() &&
                                 std::abs(fixture.watch.last()->adjustedRand - 0.7302382722834697) <= 1e-6,
                             patience);
    QVERIFY(std::abs(fixture.watch.last()->normalisedMutualInformation - 0.7581756800057784) <= 1e-6);
    QCOMPARE(classSentence(fixture.watch),
             QString("species: adjusted Rand 0.7302, normalised mutual information 0.7582"));
    QCOMPARE(fixture.model.rowCount(), 3);
    QCOMPARE(fixture.model.columnCount(), 3);
    QCOMPARE(fixture.model.headerData(1, Qt::Horizontal).toString(), QString("versicolor"));
    QCOMPARE(fixture.model.headerData(2, Qt::Vertical).toString(), QString("cluster 2"));
    int sum = 0;
    int pure = 0;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) {
        const QModelIndex index = fixture.model.index(row, column);
        sum += index.data().toString().toInt();
        pure += index.data().toString() == "50" && index.data(ConfusionModel::shareRole).toDouble() == 1.0;
      }
    QCOMPARE(sum, 150);
    QCOMPARE(pure, 1); // setosa alone
  }

  void itFollowsTheRunWhileItIsWatched() {
    Fixture fixture("iris.csv", 2);
    QVERIFY(fixture.plays());
    QTest::qWait(300);
    QVERIFY(!fixture.watch.last()); // nobody looks
    fixture.watch.setWatched(true);
    QTRY_VERIFY_WITH_TIMEOUT(fixture.watch.last() != nullptr, patience);
    Settings settings = fixture.session.settings();
    settings.k = 5;
    fixture.session.setSettings(settings);
    QTRY_COMPARE_WITH_TIMEOUT(fixture.model.rowCount(), 5, patience);
    QSignalSpy told(&fixture.watch, &ClassWatch::changed);
    fixture.session.moveCentroid(0, {5, 3, 4, 1});
    fixture.session.play();
    QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty(), patience);
  }

  void pointsWithoutAClassHaveNone() {
    Fixture fixture("faithful.csv", 1);
    fixture.watch.setWatched(true);
    QVERIFY(fixture.plays());
    QTest::qWait(300);
    QVERIFY(!fixture.watch.hasClass());
    QVERIFY(!fixture.watch.last());
    QCOMPARE(fixture.model.rowCount(), 0);
    QVERIFY(classSentence(fixture.watch).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestClassWatch)
#include "tst_class_watch.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/error.hpp"

#include <QTest>

using namespace lloyd;

/// What each of CUDA's codes means for the program, and what a person reads.
class TestErrors : public QObject {
  Q_OBJECT

private slots:
  void severities_data() {
    QTest::addColumn<int>("code");
    QTest::addColumn<int>("severity");
    const auto rows = [](Severity severity, const char* what, std::initializer_list<int> codes) {
      for (const int code : codes)
        QTest::addRow("%s %d", what, code) << code << static_cast<int>(severity);
    };
    rows(Severity::absent, "absent", {34, 35, 46, 100, 101, 209, 803, 804});
    rows(Severity::retrySmaller, "out of memory", {2});
    rows(Severity::noSharing, "no sharing", {219, 304});
    rows(Severity::badRequest, "bad request", {1, 9, 98, 701});
    rows(Severity::lost, "lost", {700, 702, 710, 714, 715, 716, 717, 718, 719, 999});
  }

  void severities() {
    QFETCH(int, code);
    QFETCH(int, severity);
    QCOMPARE(static_cast<int>(severityOf(code)), severity);
  }

  /// The same numbers say less when a graphics call returns them: computing may still work.
  void graphicsCallsOnlyLoseSharing() {
    for (const int code : {63, 100, 219, 304, 999})
      QVERIFY(severityOf(code, CallKind::graphics) == Severity::noSharing);
    QVERIFY(severityOf(2, CallKind::graphics) == Severity::retrySmaller);
    QVERIFY(severityOf(700, CallKind::graphics) == Severity::lost);
  }

  void sayWhatHappenedAndWhere() {
    const DeviceError error(700, Severity::lost, "reduce.v1", "illegal address");
    const QString text = error.what();
    QVERIFY(text.startsWith("illegal address (error 700) in reduce.v1, tst_errors.cpp:"));
    QVERIFY(!text.contains('/'));
    QVERIFY(error.severity() == Severity::lost);
  }

  void whatNamesItsOwnPlacesStandsAlone() {
    const DeviceError error(0, Severity::badRequest, {}, "the wait at mine.cu:3 waits for nothing");
    QCOMPARE(QString(error.what()), QString("the wait at mine.cu:3 waits for nothing"));
  }

  void noCodeIsNotShown() {
    QVERIFY(!QString(DeviceError(0, Severity::absent, "probe", "no driver").what()).contains("error 0"));
  }
};

QTEST_GUILESS_MAIN(TestErrors)
#include "tst_errors.moc"

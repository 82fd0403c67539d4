// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program.hpp"

#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

class TestVerify : public QObject {
  Q_OBJECT

private slots:
  void everyVariantOfThisMachineIsRight() {
    const Outcome outcome = runProgram({"verify", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject json = outcome.json().object();
    QCOMPARE(json["ok"].toBool(), true);
    QCOMPARE(json["devices"].toArray().size(), hasCuda() ? 2 : 1);
    for (const auto& device : json["devices"].toArray()) {
      QVERIFY(!device.toObject()["results"].toArray().isEmpty());
      for (const auto& value : device.toObject()["results"].toArray()) {
        const QJsonObject row = value.toObject();
        QVERIFY(row["passed"].toInt() > 0);
        QCOMPARE(row["failed"].toInt(), 0);
        QVERIFY(row["worst_error"].toDouble() <= 1);
      }
    }
  }

  void patternsChooseVariants() {
    const Outcome outcome = runProgram({"verify", "--variants", "cpu.v1", "--backend", "cpu", "--quiet"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("cpu.v1"));
    QVERIFY(!outcome.out.contains("cpu.v2"));
    QVERIFY(outcome.err.isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_cli_verify.moc"

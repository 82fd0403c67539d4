// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/counter_model.hpp"
#include "app/text/numbers.hpp"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lloyd;

namespace {

simt::Counters counters(std::uint64_t loads, std::uint64_t sectors, std::uint64_t conflicts) {
  simt::Counters made;
  made.globalLoadRequests = loads;
  made.globalLoadSectors = sectors;
  made.bankConflicts = conflicts;
  made.requests = loads;
  made.lanes = loads * 24;
  return made;
}

int rowNamed(const CounterModel& model, const QString& name) {
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, CounterModel::nameColumn).data() == name) return row;
  return -1;
}

QString cell(const CounterModel& model, const char* name, int column) {
  return model.index(rowNamed(model, QString::fromLatin1(name)), column).data().toString();
}

} // namespace

class TestCounterModel : public QObject {
  Q_OBJECT
private slots:
  void bothVersionsStandBesideEachOther() {
    CounterModel model;
    const QAbstractItemModelTester tester(&model);
    model.setAsked({"V2", counters(2048, 8192, 26880)}, {"V3", counters(2048, 24576, 0)});
    QCOMPARE(model.headerData(CounterModel::beforeColumn, Qt::Horizontal).toString(), QStringLiteral("V2"));
    QCOMPARE(model.headerData(CounterModel::nowColumn, Qt::Horizontal).toString(), QStringLiteral("V3"));
    QCOMPARE(cell(model, "bank conflicts", CounterModel::beforeColumn), QStringLiteral("26,880"));
    QCOMPARE(cell(model, "bank conflicts", CounterModel::differenceColumn), QStringLiteral("−26,880"));
    QCOMPARE(cell(model, "sectors loaded", CounterModel::differenceColumn), QStringLiteral("+16,384"));
    QCOMPARE(cell(model, "global loads", CounterModel::differenceColumn), QStringLiteral("same"));
    QCOMPARE(cell(model, "sectors a load", CounterModel::nowColumn), QStringLiteral("12.00"));
    QCOMPARE(cell(model, "sectors a load", CounterModel::differenceColumn), QStringLiteral("+8.00"));
    QCOMPARE(cell(model, "lanes a request", CounterModel::nowColumn), QStringLiteral("24.00"));
  }

  void aPartOfALaunchDiffersFromNoWholeOne() {
    CounterModel model;
    model.setAsked({"V2", counters(2048, 8192, 26880)}, {"mine", counters(64, 256, 0), true});
    const int row = rowNamed(model, QStringLiteral("global loads"));
    QCOMPARE(cell(model, "global loads", CounterModel::nowColumn), QStringLiteral("64"));
    QCOMPARE(cell(model, "global loads", CounterModel::differenceColumn), unknownText());
    QVERIFY(!model.index(row, CounterModel::differenceColumn).data(CounterModel::differsRole).toBool());
    model.setHidden(true);
    QCOMPARE(cell(model, "global loads", CounterModel::differenceColumn), unknownText());
  }

  /// A sign is short; words are for whoever listens or points.
  void aDifferenceIsSaidInWords() {
    CounterModel model;
    model.setAsked({"V2", counters(2048, 8192, 26880)}, {"V3", counters(2048, 24576, 0)});
    const auto said = [&](const char* name, int role) {
      return model.index(rowNamed(model, QString::fromLatin1(name)), CounterModel::differenceColumn)
          .data(role)
          .toString();
    };
    QCOMPARE(said("bank conflicts", Qt::AccessibleTextRole), "bank conflicts, difference: 26,880 fewer");
    QCOMPARE(said("sectors a load", Qt::AccessibleTextRole), "sectors a load, difference: 8.00 more");
    QVERIFY(said("bank conflicts", Qt::ToolTipRole).startsWith("bank conflicts: 26,880 fewer\n"));
    QVERIFY(model.headerData(CounterModel::differenceColumn, Qt::Horizontal, Qt::ToolTipRole)
                .toString()
                .startsWith("Difference"));
    model.setHidden(true);
    for (const int role : {int(Qt::AccessibleTextRole), int(Qt::ToolTipRole)})
      QVERIFY(!said("bank conflicts", role).contains("26,880"));
  }

  void whatIsNotKnownIsADashAndNeverNought() {
    CounterModel model;
    model.setAsked({}, {"V1", {}});
    for (int row = 0; row < model.rowCount(); ++row) {
      for (const int column :
           {CounterModel::beforeColumn, CounterModel::nowColumn, CounterModel::differenceColumn,
            CounterModel::askedColumn, CounterModel::doneColumn})
        QCOMPARE(model.index(row, column).data().toString(), unknownText());
    }
    // Nothing to divide by is not known either.
    model.setAsked({}, {"V1", simt::Counters{}});
    QCOMPARE(cell(model, "sectors a load", CounterModel::nowColumn), unknownText());
    QCOMPARE(cell(model, "global loads", CounterModel::nowColumn), QStringLiteral("0"));
    QCOMPARE(cell(model, "global loads", CounterModel::differenceColumn), unknownText());
  }

  void everyRowSaysWhatItMeans() {
    CounterModel model;
    int metrics = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString tip = model.index(row, 0).data(Qt::ToolTipRole).toString();
      QVERIFY2(tip.size() > 60, qPrintable(tip));
      metrics += tip.contains("l1tex__") ? 1 : 0;
      QVERIFY(!model.index(row, 1).data(Qt::AccessibleTextRole).toString().isEmpty());
    }
    QCOMPARE(metrics, 5);
  }

  void cardsAreReadFromTheirFiles() {
    const std::vector<CardCounters> rows =
        readCardCounters("nvidia-h200.csv", "variant,n,d,k,block,global_load_requests,bank_conflicts\n"
                                            "reduce.v2,65536,3,16,128,18432,26880\n"
                                            "layout.v1,65536,3,16,,2048,\n"
                                            "too,short\n"
                                            "reduce.v3,many,3,16,128,1,2\n");
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].card, QStringLiteral("NVIDIA H200"));
    QCOMPARE(rows[0].problem, (Problem{65536, 3, 16}));
    QCOMPARE(rows[0].block, 128);
    QCOMPARE(rows[0].values.at("bank_conflicts"), std::uint64_t{26880});
    QCOMPARE(rows[1].block, 0);
    QVERIFY(!rows[1].values.contains("bank_conflicts"));
    QVERIFY(readCardCounters("a.csv", "").empty());

    CounterModel model;
    model.setAsked({}, {"V2", counters(1, 1, 1)});
    model.setCard(rows[0], counters(18432, 70000, 26880));
    QCOMPARE(cell(model, "global loads", CounterModel::askedColumn), QStringLiteral("18,432"));
    QCOMPARE(cell(model, "bank conflicts", CounterModel::doneColumn), QStringLiteral("26,880"));
    QCOMPARE(cell(model, "barriers", CounterModel::doneColumn), unknownText());
    QVERIFY(model.index(rowNamed(model, "bank conflicts"), 0).data(CounterModel::onCardRole).toBool());
    QVERIFY(!model.index(rowNamed(model, "barriers"), 0).data(CounterModel::onCardRole).toBool());
    QVERIFY(model.headerData(CounterModel::doneColumn, Qt::Horizontal, Qt::AccessibleTextRole)
                .toString()
                .contains("NVIDIA H200"));
    QCOMPARE(model.headerData(CounterModel::doneColumn, Qt::Horizontal).toString(),
             QStringLiteral("done by\nNVIDIA\nH200"));
  }

  void aLineSaysTheMostTelling() {
    simt::Counters line;
    QVERIFY(marginText(line).isEmpty());
    line.globalLoadRequests = 512;
    line.globalLoadSectors = 2048;
    QCOMPARE(marginText(line), QString::fromUtf8("512 req · 2,048 sectors"));
    simt::Counters one;
    one.globalStoreSectors = one.barriers = 1;
    QCOMPARE(marginText(one), QString::fromUtf8("1 sector · 1 barrier"));
    simt::Counters shared;
    shared.sharedRequests = 1024;
    shared.bankConflicts = 26880;
    QCOMPARE(marginText(shared), QString::fromUtf8("1,024 shared · 26,880 conflicts"));
    QVERIFY(everythingText(shared).contains("bank conflicts: 26,880"));
    simt::Counters atomics;
    atomics.sharedAtomics = atomics.sharedAtomicTurns = 64;
    QCOMPARE(marginText(atomics), QStringLiteral("64 atomics")); // each took one turn
    atomics.sharedAtomicTurns = 2048;
    QCOMPARE(marginText(atomics), QString::fromUtf8("64 atomics · 2,048 turns"));
    QCOMPARE(marginText(atomics, true), QStringLiteral("2,048 turns"));
    QVERIFY(everythingText(atomics).contains("turns an atomic: 32.00"));
  }

  void contentionAndDivergenceAreShown() {
    simt::Counters before, now;
    before.sharedAtomics = now.sharedAtomics = 100;
    before.sharedAtomicTurns = 3200;
    now.sharedAtomicTurns = 450;
    before.globalAtomicTurns = 7;
    before.warpLines = now.warpLines = 10;
    before.warpLineLanes = 160;
    now.warpLineLanes = 320;
    CounterModel model;
    model.setAsked({"V1", before}, {"V2", now});
    QCOMPARE(cell(model, "shared turns", CounterModel::differenceColumn), QStringLiteral("−2,750"));
    QCOMPARE(cell(model, "turns an atomic", CounterModel::nowColumn), QStringLiteral("4.50"));
    QCOMPARE(cell(model, "global turns", CounterModel::beforeColumn), QStringLiteral("7"));
    QCOMPARE(cell(model, "lines executed", CounterModel::differenceColumn), QStringLiteral("same"));
    QCOMPARE(cell(model, "lanes a line", CounterModel::differenceColumn), QStringLiteral("+16.00"));
    model.setAsked({}, {"V1", simt::Counters{}});
    QCOMPARE(cell(model, "turns an atomic", CounterModel::nowColumn), unknownText());
  }
};

QTEST_APPLESS_MAIN(TestCounterModel)
#include "tst_counter_model.moc"

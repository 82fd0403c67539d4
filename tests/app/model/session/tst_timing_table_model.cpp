// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/timing_series.hpp"
#include "app/model/session/timing_table_model.hpp"
#include "app/text/numbers.hpp"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lloyd;

class TestTimingModel : public QObject {
  Q_OBJECT

  static QStringList stages(const TimingTableModel& model) {
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
      names << model.index(row, TimingTableModel::stageColumn).data().toString();
    return names;
  }

private slots:
  void aSnapshotIsMadeOnceAndStays() {
    TimingSeries timings;
    for (int i = 0; i < 5; ++i) {
      timings.beginIteration();
      timings.add(Stage::fused, "cpu.v3", 80, true, false);
      timings.addIterationSum(100);
    }
    const TimingSnapshotPtr before = timings.snapshot();
    QCOMPARE(timings.snapshot(), before);
    QCOMPARE(before->rows.size(), std::size_t(1));
    QCOMPARE(before->rows[0].share, 0.8);
    QCOMPARE(before->timesOf(Stage::fused, "cpu.v3").median, 80.0);
    QCOMPARE(before->timesOf(Stage::reduce, "cpu.v3").samples, std::size_t(0));
    for (int i = 0; i < 9; ++i)
      timings.addIterationSum(50);
    const TimingSnapshotPtr after = timings.snapshot();
    QVERIFY(after != before);
    QCOMPARE(before->iteration.median, 100.0);
    QCOMPARE(after->iteration.median, 50.0);
    timings.clear();
    QVERIFY(timings.snapshot()->rows.empty());
  }

  void workerPathHasTwoSums() {
    TimingTableModel model;
    QAbstractItemModelTester tester(&model);
    TimingSeries timings;
    model.refresh(timings.snapshot());
    QCOMPARE(model.rowCount(), 0);
    timings.add(Stage::load, "", 5000, false, false);
    for (int i = 0; i < 10; ++i) {
      timings.beginIteration();
      timings.add(Stage::fused, "cpu.v3", 80, true, false);
      timings.add(Stage::update, "update.v1", 20, true, false);
      timings.addIterationSum(100);
      timings.beginFrame();
      timings.add(Stage::draw, "", 4000, false, true);
      timings.add(Stage::wait, "", 12000, false, true);
      timings.addFrameSum(16000);
    }
    model.refresh(timings.snapshot());
    QCOMPARE(stages(model), QStringList({"fused", "update", "iteration", "draw", "wait", "frame", "load"}));
    QCOMPARE(model.index(0, TimingTableModel::shareColumn).data().toString(), QStringLiteral("80.0"));
    QCOMPARE(model.index(3, TimingTableModel::shareColumn).data().toString(), QStringLiteral("25.0"));
    QVERIFY(model.index(2, 0).data(TimingTableModel::sumRole).toBool());
    QCOMPARE(model.index(5, TimingTableModel::medianColumn).data().toString(), QStringLiteral("16,000"));
    QCOMPARE(model.index(6, TimingTableModel::lastColumn).data().toString(), QStringLiteral("5,000"));
  }

  void sharedPathHasOneSum() {
    TimingTableModel model;
    QAbstractItemModelTester tester(&model);
    TimingSeries timings;
    for (int i = 0; i < 10; ++i) {
      timings.beginIteration();
      timings.add(Stage::classify, "classify.v7", 40, true, true);
      timings.addIterationSum(40);
      timings.beginFrame();
      timings.add(Stage::draw, "", 60, false, true);
      timings.addFrameSum(100);
    }
    model.refresh(timings.snapshot());
    QCOMPARE(stages(model), QStringList({"classify", "draw", "frame"}));
  }

  void unknownTimesAreDashes() {
    TimingTableModel model;
    TimingSeries timings;
    timings.add(Stage::fused, "cpu.v3", 80, true, false); // warm-up: not kept
    model.refresh(timings.snapshot());
    QCOMPARE(model.index(0, TimingTableModel::medianColumn).data().toString(), unknownText());
    QCOMPARE(model.index(0, TimingTableModel::samplesColumn).data().toString(), QStringLiteral("0"));
    QVERIFY(!model.index(0, TimingTableModel::medianColumn).data(TimingTableModel::valueRole).isValid());
  }

  void whatAFilterLeavesToDistancesIsSaid() {
    TimingTableModel model;
    TimingSeries timings;
    timings.add(Stage::classify, "distance.v7", 80, true, false);
    timings.add(Stage::reduce, "reduce.v7", 40, true, false);
    model.refresh(timings.snapshot());
    QVERIFY(!model.anyRechecked());
    timings.setRechecked(Stage::classify, "distance.v7", 0.0537);
    model.refresh(timings.snapshot());
    QVERIFY(model.anyRechecked());
    const QModelIndex cell = model.index(0, TimingTableModel::recheckedColumn);
    QCOMPARE(cell.data().toString(), QStringLiteral("5.37"));
    QVERIFY(cell.data(Qt::ToolTipRole).toString().contains("distances"));
    QCOMPARE(cell.data(Qt::AccessibleTextRole).toString(), QStringLiteral("5.37 % of the points rechecked"));
    QVERIFY(model.index(1, TimingTableModel::recheckedColumn).data().toString().isEmpty());
  }

  void headersHaveUnitsAndDefinitions() {
    const TimingTableModel model;
    for (int column = 0; column < model.columnCount(); ++column) {
      QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }
    QVERIFY(model.headerData(TimingTableModel::medianColumn, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .contains("µs"));
    QVERIFY(!model.headerData(TimingTableModel::columnTotal, Qt::Horizontal, Qt::DisplayRole).isValid());
  }

  void textIsAligned() {
    TimingTableModel model;
    TimingSeries timings;
    for (int i = 0; i < 5; ++i)
      timings.add(Stage::fused, "cpu.v3", 12345, true, false);
    model.refresh(timings.snapshot());
    const QStringList lines = model.text().trimmed().split('\n');
    QVERIFY(lines.size() >= 2);
    QVERIFY(lines[0].contains("median µs"));
    QCOMPARE(lines[0].indexOf("median µs") + 9,
             lines[1].indexOf("12,300", lines[1].indexOf("12,300") + 1) + 6);
  }
};

QTEST_GUILESS_MAIN(TestTimingModel)
#include "tst_timing_table_model.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/race/race_summary_text.hpp"
#include "app/model/race/race_table_model.hpp"
#include "app/model/session/timing_series.hpp"
#include "tests/app/model/race/race_support.hpp"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace lloyd;
using namespace lloyd::test;

/// The race's table, on races that are written down by hand.
class TestRaceModel : public QObject {
  Q_OBJECT

  using Kind = RaceTableModel::Kind;
  const Variant v1 = paperVariant("classify", "v1");
  const Variant v2 = paperVariant("classify", "v2");
  const Variant v3 = paperVariant("classify", "v3");
  const Variant sum = paperVariant("reduce", "v1", Backend::cpu, Stage::reduce);
  const Variant card1 = paperVariant("classify", "card1", Backend::cuda);
  const Variant card2 = paperVariant("reduce", "card2", Backend::cuda, Stage::reduce);

  static DeviceInfo cpu() {
    DeviceInfo device;
    device.backend = Backend::cpu;
    device.name = "a test's processor";
    device.usable = true;
    return device;
  }
  std::vector<Candidate> field() const {
    return {{&v1, Stage::classify, {}}, {&v2, Stage::classify, {}},    {&v3, Stage::classify, {}},
            {&sum, Stage::reduce, {}},  {&card1, Stage::classify, {}}, {&card2, Stage::reduce, {}}};
  }
  void fill(RaceTableModel& model) const {
    model.setField(field(), paperProblem, cpu(), QStringLiteral("no driver"));
  }
  static QModelIndex cell(const RaceTableModel& model, int row, RaceColumn column) {
    return model.index(row, static_cast<int>(column));
  }
  static QString text(const RaceTableModel& model, int row, RaceColumn column) {
    return cell(model, row, column).data().toString();
  }
  /// "classify", "classify.v1", ... from top to bottom; a folded line as "...".
  static QStringList order(const RaceTableModel& model) {
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row) {
      const bool folded =
          model.index(row, 0).data(RaceTableModel::kindRole).toInt() == static_cast<int>(Kind::reason);
      names << (folded ? QStringLiteral("...") : text(model, row, RaceColumn::variant));
    }
    return names;
  }
  static QStringList list(const char* words) { return QString::fromUtf8(words).split(QLatin1Char(' ')); }

private slots:
  void allVariantsStandThereBeforeARace() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    QCOMPARE(order(model), list("classify classify.v1 classify.v2 classify.v3 reduce reduce.v1 ..."));
    const int row = model.rowOf(Stage::classify, &v1);
    for (const auto column : {RaceColumn::rank, RaceColumn::median, RaceColumn::verdict, RaceColumn::p95,
                              RaceColumn::bandwidth, RaceColumn::registers, RaceColumn::verified})
      QCOMPARE(text(model, row, column), QStringLiteral("\u2013"));
    QVERIFY(!cell(model, row, RaceColumn::median).data(RaceTableModel::valueRole).isValid());
  }

  void everyHeaderIsDefined() {
    RaceTableModel model;
    for (int column = 0; column < model.columnCount(); ++column) {
      QVERIFY(!model.headerData(column, Qt::Horizontal).toString().isEmpty());
      const QString tip = model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
      QVERIFY2(tip.size() > 20, qPrintable(tip));
      QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString().contains('\n'));
      QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::AccessibleDescriptionRole).toString(), tip);
    }
    QVERIFY(!model.headerData(raceColumns, Qt::Horizontal).isValid());
  }

  void liveTimesAreCalledSoAndARaceTakesTheirPlace() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    TimingSeries timings;
    for (int i = 0; i < 8; ++i)
      timings.add(Stage::classify, "classify.v2", 21, true, false);
    Plan plan;
    plan.classify = &v2;
    model.setLive(timings.snapshot(), plan);
    int row = model.rowOf(Stage::classify, &v2);
    QCOMPARE(text(model, row, RaceColumn::median), QStringLiteral("21.0"));
    QCOMPARE(text(model, row, RaceColumn::verdict), QStringLiteral("live"));
    QVERIFY(cell(model, row, RaceColumn::median).data(RaceTableModel::liveRole).toBool());
    QVERIFY(cell(model, row, RaceColumn::median).data(Qt::ToolTipRole).toString().contains("Live"));
    QVERIFY(model.index(row, 0).data(RaceTableModel::currentRole).toBool());
    QVERIFY(!cell(model, model.rowOf(Stage::classify, &v1), RaceColumn::median)
                 .data(RaceTableModel::liveRole)
                 .toBool());

    model.setRace(raceOf({measuredAs(v1, Stage::classify, samplesAround(10)),
                          measuredAs(v2, Stage::classify, samplesAround(8))}));
    model.setLive(timings.snapshot(), plan);
    row = model.rowOf(Stage::classify, &v2);
    QCOMPARE(text(model, row, RaceColumn::median), QStringLiteral("8.00"));
    QVERIFY(!cell(model, row, RaceColumn::median).data(RaceTableModel::liveRole).toBool());
    QCOMPARE(text(model, row, RaceColumn::verdict), QStringLiteral("faster by 20.0 %"));
    QCOMPARE(cell(model, row, RaceColumn::verdict).data(RaceTableModel::betterRole).toInt(), 1);
    QCOMPARE(text(model, row, RaceColumn::againstFirst), QStringLiteral("1.25×"));
    QCOMPARE(text(model, model.rowOf(Stage::classify, &v1), RaceColumn::verdict), QStringLiteral("baseline"));
  }

  void whatAFilterLeavesToDistancesIsSaid() {
    RaceTableModel model;
    fill(model);
    QVERIFY(!model.known(RaceColumn::rechecked));
    Measurement filter = measuredAs(v2, Stage::classify, samplesAround(8));
    filter.rechecked = 0.0537;
    model.setRace(raceOf({measuredAs(v1, Stage::classify, samplesAround(10)), filter}));
    QVERIFY(model.known(RaceColumn::rechecked));
    const int row = model.rowOf(Stage::classify, &v2);
    QCOMPARE(text(model, row, RaceColumn::rechecked), QStringLiteral("5.37"));
    QCOMPARE(text(model, model.rowOf(Stage::classify, &v1), RaceColumn::rechecked), QStringLiteral("\u2013"));
    const QModelIndex index = cell(model, row, RaceColumn::rechecked);
    QVERIFY(index.data(Qt::ToolTipRole).toString().contains("of 5.37 % of the points"));
    QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains("rechecked % : 5.37") ||
            index.data(Qt::AccessibleTextRole).toString().contains("rechecked %: 5.37"));
  }

  void aSimulatorsTimesAreNotCalledLive() {
    RaceTableModel model;
    DeviceInfo simulator = cpu();
    simulator.backend = Backend::simt;
    const Variant traced = paperVariant("classify", "traced", Backend::simt);
    model.setField({{&traced, Stage::classify, {}}}, paperProblem, simulator);
    TimingSeries timings;
    for (int i = 0; i < 8; ++i)
      timings.add(Stage::classify, "classify.traced", 90000, true, false);
    model.setLive(timings.snapshot(), {});
    QVERIFY(text(model, 1, RaceColumn::verdict).contains(QStringLiteral("simulated")));
  }

  void rankedThenWrongThenWhatCannotRun() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    auto wrong = measuredAs(v1, Stage::classify, samplesAround(1)); // fastest by far
    wrong.verified = false;
    wrong.difference = "312 of 1000 labels are wrong";
    model.setRace(raceOf({wrong, measuredAs(v2, Stage::classify, samplesAround(10)),
                          measuredAs(v3, Stage::classify, samplesAround(8))}));
    QCOMPARE(order(model), list("classify classify.v3 classify.v2 classify.v1 reduce reduce.v1 ..."));
    const int row = model.rowOf(Stage::classify, &v1);
    QCOMPARE(text(model, row, RaceColumn::rank), QStringLiteral("\u2013"));
    QCOMPARE(text(model, row, RaceColumn::verified), QStringLiteral("differs: 312 of 1000 labels are wrong"));
    QVERIFY(text(model, row, RaceColumn::verdict).startsWith(QStringLiteral("differs")));
    QVERIFY(!cell(model, row, RaceColumn::median).data(RaceTableModel::barRole).value<RaceBar>().ranked);
    QCOMPARE(text(model, 1, RaceColumn::rank), QStringLiteral("1"));
    // However it is sorted, it gets no rank.
    model.sort(static_cast<int>(RaceColumn::median), Qt::AscendingOrder);
    QCOMPARE(order(model).mid(0, 4), list("classify classify.v1 classify.v3 classify.v2"));
    QVERIFY(!cell(model, 1, RaceColumn::rank).data(RaceTableModel::valueRole).isValid());
    QCOMPARE(
        raceHeadline(*model.race(), Stage::classify),
        QStringLiteral("classify.v3 is the fastest way to classify here: faster by 20.0 % than classify.v2"));
  }

  void timesThatAreNoNumbersAreNotRanked() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    const std::vector<double> nothing(60, std::numeric_limits<double>::quiet_NaN());
    auto wrong = measuredAs(v2, Stage::classify, samplesAround(2));
    wrong.verified = false;
    wrong.difference = "inertia is nan";
    model.setRace(raceOf({measuredAs(v1, Stage::classify, nothing), wrong,
                          measuredAs(v3, Stage::classify, samplesAround(8, 60))}));
    const int empty = model.rowOf(Stage::classify, &v1);
    QCOMPARE(text(model, empty, RaceColumn::rank), QStringLiteral("\u2013"));
    QCOMPARE(text(model, empty, RaceColumn::median), QStringLiteral("\u2013"));
    QCOMPARE(text(model, model.rowOf(Stage::classify, &v2), RaceColumn::verified),
             QStringLiteral("differs: inertia is nan"));
    QCOMPARE(text(model, 1, RaceColumn::variant), QStringLiteral("classify.v3"));
    QCOMPARE(text(model, 1, RaceColumn::rank), QStringLiteral("\u2013"));
  }

  void variantsThatCannotBeToldApartShareARank() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    model.setRace(raceOf({measuredAs(v1, Stage::classify, samplesAround(20)),
                          measuredAs(v2, Stage::classify, samplesAround(8.01)),
                          measuredAs(v3, Stage::classify, samplesAround(8))}));
    QCOMPARE(text(model, 1, RaceColumn::rank), QStringLiteral("1="));
    QCOMPARE(text(model, 2, RaceColumn::rank), QStringLiteral("1="));
    QCOMPARE(text(model, 3, RaceColumn::rank), QStringLiteral("3"));
    QVERIFY(raceHeadline(*model.race(), Stage::classify).contains(QStringLiteral("cannot be told apart")));
  }

  void oneReasonIsOneLine() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    const int line = model.rowCount() - 1;
    QCOMPARE(text(model, line, RaceColumn::variant),
             QStringLiteral("2 variants cannot run here: each needs a CUDA device (no driver)"));
    QVERIFY(model.index(line, 0).data(Qt::ToolTipRole).toString().contains("classify.card1, reduce.card2"));
    QCOMPARE(model.rowOf(Stage::classify, &card1), -1);
    QVERIFY(!model.toggleFold(0));
    QVERIFY(model.toggleFold(line));
    QCOMPARE(order(model).mid(line), list("... classify.card1 reduce.card2"));
    const int row = model.rowOf(Stage::classify, &card1);
    QCOMPARE(text(model, row, RaceColumn::verified), QStringLiteral("cannot run: needs a CUDA device"));
    QVERIFY(!(model.flags(model.index(row, 0)) & Qt::ItemIsUserCheckable));
    QVERIFY(model.index(row, 0).data(RaceTableModel::foldedRole).toBool());
    QVERIFY(model.toggleFold(line));
    QCOMPARE(model.rowOf(Stage::classify, &card1), -1);
  }

  void ticksChooseWhoRaces() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    QVERIFY(model.ticked().empty());
    const QSignalSpy changed(&model, &RaceTableModel::ticksChanged);
    const QModelIndex index = model.index(model.rowOf(Stage::classify, &v2), 0);
    QVERIFY(model.setData(index, Qt::Checked, Qt::CheckStateRole));
    QCOMPARE(index.data(Qt::CheckStateRole).toInt(), static_cast<int>(Qt::Checked));
    QCOMPARE(changed.count(), 1);
    QVERIFY(!model.setData(model.index(0, 0), Qt::Checked, Qt::CheckStateRole)); // a heading
    model.tickStage(Stage::reduce);
    QCOMPARE(model.ticked().size(), std::size_t{1});
    QCOMPARE(model.ticked().front().variant, &sum);
    model.tickAll(true);
    QCOMPARE(model.ticked().size(), std::size_t{4}); // not those that cannot run
    fill(model);
    QCOMPARE(model.ticked().size(), std::size_t{4}); // a new field keeps the ticks
    model.tickAll(false);
    QVERIFY(model.ticked().empty());
  }

  void headersSortWithinTheirStage() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    model.setRace(raceOf({measuredAs(v1, Stage::classify, samplesAround(20)),
                          measuredAs(v2, Stage::classify, samplesAround(30)),
                          measuredAs(v3, Stage::classify, samplesAround(10)),
                          measuredAs(sum, Stage::reduce, samplesAround(5))}));
    const QPersistentModelIndex kept = model.index(model.rowOf(Stage::classify, &v2), 0);
    model.sort(static_cast<int>(RaceColumn::median), Qt::DescendingOrder);
    QCOMPARE(order(model), list("classify classify.v2 classify.v1 classify.v3 reduce reduce.v1 ..."));
    QCOMPARE(kept.data().toString(), QStringLiteral("classify.v2"));
    QCOMPARE(kept.row(), 1);
    model.sort(-1);
    QCOMPARE(order(model).mid(0, 4), list("classify classify.v3 classify.v1 classify.v2"));
  }

  void theBarsOfAStageShareAnAxis() {
    RaceTableModel model;
    fill(model);
    model.setRace(raceOf({measuredAs(v1, Stage::classify, samplesAround(20)),
                          measuredAs(v3, Stage::classify, samplesAround(10))}));
    const auto bar = [&](int row) {
      return model.index(row, 0).data(RaceTableModel::barRole).value<RaceBar>();
    };
    const RaceBar fast = bar(model.rowOf(Stage::classify, &v3));
    const RaceBar slow = bar(model.rowOf(Stage::classify, &v1));
    QCOMPARE(fast.longest, slow.longest);
    QCOMPARE(bar(0).longest, slow.longest); // the heading labels the axis
    QVERIFY(slow.high >= slow.median && slow.median >= slow.low);
    QCOMPARE(slow.longest, 25.0); // a little beyond the slowest, and round
    QVERIFY(fast.low >= model.entryAt(1)->measured->times.min);
    QVERIFY(std::abs(fast.baselineUs - 20) < 0.1);
  }

  void samplesBeyondTheAxisAreSaid() {
    RaceTableModel model;
    fill(model);
    std::vector<double> wide = samplesAround(20);
    for (std::size_t i = 0; i < wide.size(); i += 8)
      wide[i] = 80;
    model.setRace(
        raceOf({measuredAs(v1, Stage::classify, wide), measuredAs(v2, Stage::classify, samplesAround(10))}));
    const auto tip = [&](const Variant& variant) {
      return cell(model, model.rowOf(Stage::classify, &variant), RaceColumn::bar)
          .data(Qt::ToolTipRole)
          .toString();
    };
    QVERIFY2(tip(v1).contains("goes on to 80.0 µs") && tip(v1).contains("ends at 25 µs"),
             qPrintable(tip(v1)));
    QVERIFY2(!tip(v2).contains("goes on"), qPrintable(tip(v2)));
  }

  void theRowOfTheBaselineSaysSo() {
    RaceTableModel model;
    QAbstractItemModelTester tester(&model);
    fill(model);
    const auto race = raceOf({measuredAs(v1, Stage::classify, samplesAround(20)),
                              measuredAs(v2, Stage::classify, samplesAround(10))});
    model.setRace(race);
    model.setBaseline(Baseline::ofVariant(race->rows[1].candidate));
    const int first = model.rowOf(Stage::classify, &v1);
    const int second = model.rowOf(Stage::classify, &v2);
    QCOMPARE(text(model, second, RaceColumn::verdict), QStringLiteral("baseline"));
    QCOMPARE(text(model, first, RaceColumn::verdict), QStringLiteral("takes 2.00 times as long"));
    QCOMPARE(text(model, first, RaceColumn::deltaUs), QStringLiteral("+10.0"));
    QCOMPARE(text(model, first, RaceColumn::againstBaseline), QStringLiteral("0.500×"));
    model.setBaseline({});
    QCOMPARE(text(model, first, RaceColumn::verdict), QStringLiteral("\u2013"));
  }

  void copiedTextHasEveryVariantAndColumn() {
    RaceTableModel model;
    fill(model);
    const QStringList rows = model.text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QCOMPARE(rows.size(), 7); // the heading and six variants
    for (const QString& row : rows)
      QCOMPARE(row.count(QLatin1Char('\t')), raceColumns - 1);
    QVERIFY(rows.last().startsWith(QStringLiteral("reduce\treduce.card2")));
  }

  void conditionsAreSaid() {
    auto race = raceOf({measuredAs(v1, Stage::classify, samplesAround(20, 120))});
    race->conditions.clockMhz = 1980;
    race->conditions.throttled = 3;
    race->conditions.seconds = 21;
    race->conditions.undecided = 1;
    QCOMPARE(
        raceConditionsText(*race),
        QStringLiteral("1,000 points, 2 dimensions, k = 4; hot caches, 120 rounds, clock 1,980 MHz, stable, "
                       "3 throttled samples thrown away, 21.0 s; undecided: 1"));
    race->finished = false;
    QVERIFY(raceConditionsText(*race).endsWith(QStringLiteral("not finished")));
    QCOMPARE(raceHeadline(*race, Stage::classify),
             QStringLiteral("classify.v1 is the only one timed to classify here: 20.0 µs"));
    QVERIFY(raceHeadline(*race, Stage::reduce).isEmpty());
    QCOMPARE(stageOfLargestGain(*race), std::optional(Stage::classify));
    QVERIFY(!stageOfLargestGain(*raceOf({})));
  }
};

QTEST_GUILESS_MAIN(TestRaceModel)
#include "tst_race_table_model.moc"

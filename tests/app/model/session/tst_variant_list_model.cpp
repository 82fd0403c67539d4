// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"
#include "app/model/session/timing_series.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lloyd;

class TestVariantListModel : public QObject {
  Q_OBJECT

  static DeviceInfo cpu() {
    DeviceInfo device;
    device.backend = Backend::cpu;
    device.usable = true;
    return device;
  }
  static const Variant* variant(const char* id) { return Registry::instance().find(id); }

private slots:
  void everyVariantAndStageHasARung() {
    VariantListModel model;
    QAbstractItemModelTester tester(&model);
    model.setProblem({1000, 2, 4}, cpu(), {});
    for (const char* id : {"cpu.v1", "cpu.v2"}) {
      QVERIFY(model.rowOf(Stage::classify, variant(id)) >= 0);
      QVERIFY(model.rowOf(Stage::reduce, variant(id)) >= 0);
    }
    QVERIFY(model.rowOf(Stage::fused, variant("cpu.v3")) >= 0);
    for (const LadderRow& row : model.rows()) {
      if (!row.variant->runsOn(Backend::cpu)) QVERIFY(!row.whyNot.isEmpty());
    }
  }

  void layoutStandsAtTheFootAndIsNotChosen() {
    VariantListModel model;
    model.setProblem({1000, 2, 4}, cpu(), {});
    bool seen = false;
    for (const LadderRow& row : model.rows()) {
      if (row.stage == Stage::layout) {
        QVERIFY(row.variant->has(Stage::layout));
        QVERIFY(row.whyNot.contains(QStringLiteral("no part of an iteration")));
      } else {
        QVERIFY(!seen); // nothing stands below it
      }
      seen = seen || row.stage == Stage::layout;
    }
    for (const Variant* one : Registry::instance().all())
      QCOMPARE(model.rowOf(Stage::layout, one) >= 0, one->has(Stage::layout));
    QVERIFY(model.neighbour(Stage::layout, nullptr, 1) == nullptr);
  }

  void notTimedIsNotZero() {
    VariantListModel model;
    model.setProblem({1000, 2, 4}, cpu(), {});
    QCOMPARE(model.longestUs(), 0.0);
    QCOMPARE(headline(model.rows()), QString());
  }

  void headlineComesFromMeasuredMediansOnly() {
    VariantListModel model;
    model.setProblem({1000, 2, 4}, cpu(), {});
    TimingSeries timings;
    Plan plan;
    plan.classify = variant("cpu.v2");
    plan.reduce = variant("cpu.v2");
    for (int i = 0; i < 8; ++i)
      timings.add(Stage::classify, "cpu.v2", 20, true, false);
    model.refresh(timings.snapshot(), plan);
    QCOMPARE(headline(model.rows()), QStringLiteral("classify cpu.v2: 20.0 µs (live)"));
    for (int i = 0; i < 8; ++i)
      timings.add(Stage::classify, "cpu.v1", 190, true, false);
    model.refresh(timings.snapshot(), plan);
    QCOMPARE(headline(model.rows()),
             QStringLiteral("classify cpu.v2: 20.0 µs, 9.50 times as fast as cpu.v1 (live)"));
    QCOMPARE(model.longestUs(), 190.0);
  }

  void onePassIsHeldAgainstTheTwoItReplaces() {
    VariantListModel model;
    model.setProblem({1000, 2, 4}, cpu(), {});
    TimingSeries timings;
    Plan plan;
    plan.fused = variant("cpu.v3");
    for (int i = 0; i < 8; ++i) {
      timings.add(Stage::classify, "cpu.v1", 80, true, false);
      timings.add(Stage::reduce, "cpu.v1", 20, true, false);
      timings.add(Stage::fused, "cpu.v3", 50, true, false);
    }
    model.refresh(timings.snapshot(), plan);
    QCOMPARE(headline(model.rows()),
             QStringLiteral("fused cpu.v3: 50.0 µs, 2.00 times as fast as cpu.v1 (live)"));
  }

  void neighboursStopAtTheEnds() {
    VariantListModel model;
    model.setProblem({1000, 2, 4}, cpu(), {});
    QCOMPARE(model.neighbour(Stage::classify, variant("cpu.v1"), 1), variant("cpu.v2"));
    QCOMPARE(model.neighbour(Stage::classify, variant("cpu.v1"), -1), nullptr);
  }

  void choosingOneStageKeepsTheOther() {
    Plan plan;
    plan.classify = variant("cpu.v1");
    plan.reduce = variant("cpu.v2");
    Selection selection = withVariant({}, plan, Stage::classify, *variant("cpu.v2"));
    QCOMPARE(selection.classify, std::string("cpu.v2"));
    QCOMPARE(selection.reduce, std::string("cpu.v2"));
    selection = withVariant(selection, plan, Stage::fused, *variant("cpu.v3"));
    QCOMPARE(selection.fused, std::string("cpu.v3"));
    QVERIFY(selection.classify.empty() && selection.reduce.empty());
    selection = withVariant(selection, Plan{}, Stage::classify, *variant("cpu.v1"));
    QVERIFY(selection.fused.empty());
  }
};

QTEST_GUILESS_MAIN(TestVariantListModel)
#include "tst_variant_list_model.moc"

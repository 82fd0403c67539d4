// SPDX-License-Identifier: GPL-3.0-or-later
// Both versions at one launch shape, and what is said where they cannot be.
#include "app/model/compute/settings.hpp"
#include "app/model/teach/counter_service.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QTest>

using namespace lloyd;

namespace {

const Variant& variant(const char* id) {
  const Variant* found = Registry::instance().find(id);
  if (!found) qFatal("there is no variant %s", id);
  return *found;
}

TeachSubject subjectOf(Stage stage, const Variant& now) {
  return {stage, &now, versionBefore(stage, now), {}};
}

/// Tuning parameters that both have, without those whose values have nothing in common.
std::vector<std::string_view> shared(const TeachSubject& subject) {
  std::vector<std::string_view> names;
  for (const Parameter& parameter : subject.variant->info.parameters)
    if (const Parameter* other = subject.before->parameter(parameter.name))
      if (std::ranges::any_of(parameter.values, [&](int value) { return other->allows(value); }))
        names.push_back(parameter.name);
  return names;
}

constexpr Problem small{1500, 2, 5};

} // namespace

class TestLaunchShapes : public QObject {
  Q_OBJECT

private slots:
  void thisVersionsShapeIsTaken() {
    const TeachSubject v5 = subjectOf(Stage::reduce, variant("reduce.v5"));
    QCOMPARE(v5.before->complete({}).block, 512); // by itself
    const LaunchShapes shapes = launchShapes(v5, small);
    QCOMPARE(shapes.now, v5.variant->complete({}));
    QCOMPARE(shapes.before.block, 128);
    QCOMPARE(shapes.askedBlock, 0);
    QCOMPARE(shapeText(v5, shapes, small), QStringLiteral("Both: block 128, D = 2, K = 5"));
    QCOMPARE(shapeDifferences(v5, shapes), QStringLiteral("Differs: items 16 here, none before"));

    TeachSubject v6 = subjectOf(Stage::reduce, variant("reduce.v6"));
    v6.tuning.block = 64;
    v6.tuning.items = 8;
    const LaunchShapes same = launchShapes(v6, small);
    QCOMPARE(same.before.block, 64);
    QCOMPARE(same.before.items, 8);
    QCOMPARE(shapeText(v6, same, small), QStringLiteral("Both: block 64, items 8, D = 2, K = 5"));
    QVERIFY(shapeDifferences(v6, same).isEmpty());
  }

  void theFirstOfItsStageStandsAlone() {
    const TeachSubject v1 = subjectOf(Stage::reduce, variant("reduce.v1"));
    QVERIFY(!v1.before);
    const LaunchShapes shapes = launchShapes(v1, small);
    QCOMPARE(shapeText(v1, shapes, small), QStringLiteral("Block 512, D = 2, K = 5"));
    QVERIFY(shapeDifferences(v1, shapes).isEmpty());
  }

  /// fused.v2 has blocks of 640, and fused.v1 none above 512.
  void theNearestBlockThatBothTakeIsNamed() {
    const TeachSubject v2 = subjectOf(Stage::fused, variant("fused.v2"));
    QCOMPARE(v2.variant->complete({}).block, 640);
    const LaunchShapes shapes = launchShapes(v2, small);
    QCOMPARE(shapes.now.block, 512);
    QCOMPARE(shapes.before.block, 512);
    QCOMPARE(shapes.askedBlock, 640);
    QVERIFY2(shapeDifferences(v2, shapes).contains("V1 cannot run with V2's block of 640"),
             qPrintable(shapeDifferences(v2, shapes)));
  }

  void whoCannotRunDecidesNothing() {
    const TeachSubject v3 = subjectOf(Stage::classify, variant("classify.v3"));
    TeachSubject asked = v3;
    asked.tuning.block = 256;
    const LaunchShapes shapes = launchShapes(asked, {500, 5, 3}); // V3 takes no five dimensions
    QCOMPARE(shapes.now.block, 256);
    QCOMPARE(shapes.before.block, 256);
  }

  void everyNeighbourHasTheSameShape() {
    int pairs = 0;
    for (const Stage stage : taughtStages())
      for (const Variant* now : taughtVariants(stage)) {
        const TeachSubject subject = subjectOf(stage, *now);
        if (!subject.before || !isCounted(*now, stage) || !isCounted(*subject.before, stage)) continue;
        const Problem problem{1500, now->id() == "fused.v4" ? 8 : 2, 5};
        const LaunchShapes shapes = launchShapes(subject, problem);
        for (const std::string_view name : shared(subject))
          QVERIFY2(shapes.now.value(name) == shapes.before.value(name),
                   (now->id() + ": " + std::string(name)).c_str());
        for (const Parameter& parameter : subject.before->info.parameters)
          if (!now->parameter(parameter.name))
            QCOMPARE(shapes.before.value(parameter.name), parameter.fallback);
        ++pairs;
      }
    QVERIFY2(pairs >= 20, qPrintable(QString::number(pairs)));
  }

  /// What the window shows of two neighbours is what "trace" counts of each at one block.
  void theWindowCountsWhatTraceCounts() {
    Session session;
    DeviceLease lease;
    CounterService service(session, lease);
    service.setActive(true);
    session.setSettings(cpuSettings(5));
    session.open(generator("blobs:n=1500,d=2,k=5"));
    QVERIFY(QTest::qWaitFor([&] { return session.last() != nullptr; }, 20000));
    int pairs = 0;
    for (const Stage stage : taughtStages())
      for (const Variant* now : taughtVariants(stage)) {
        const TeachSubject subject = subjectOf(stage, *now);
        if (!subject.before || !isCounted(*now, stage) || !isCounted(*subject.before, stage)) continue;
        service.setSubject(subject);
        QVERIFY(QTest::qWaitFor(
            [&] { return service.complete() && service.counts() && service.counts()->now.variant == now; },
            30000));
        const TeachCounts& counts = *service.counts();
        if (!counts.now.trace || !counts.before.trace) continue; // not in two dimensions
        const auto traced = [&](const Variant& of, Tuning tuning) {
          return simt::traceStage({.variant = &of,
                                   .stage = stage,
                                   .problem = small,
                                   .points = session.data()->values,
                                   .centroids = session.last()->centroids,
                                   .oldLabels = {},
                                   .tuning = tuning,
                                   .schedule = {},
                                   .cancel = nullptr})
              .trace.counters;
        };
        // As "trace --block": the block is given, and where both have items, those.
        Tuning given;
        given.block = counts.shapes.now.block;
        if (subject.before->parameter("items") && now->parameter("items") &&
            subject.before->parameter("items")->allows(counts.shapes.now.items))
          given.items = counts.shapes.now.items;
        Tuning before = subject.before->complete(given);
        for (const std::string_view name : {"vector", "unroll"})
          if (subject.before->parameter(name) && now->parameter(name))
            before.set(name, counts.shapes.now.value(name));
        QVERIFY2(counts.now.trace->counters == traced(*now, now->complete(given)), now->id().c_str());
        QVERIFY2(counts.before.trace->counters == traced(*subject.before, before), now->id().c_str());
        if (subject.before->parameter("block") && now->parameter("block"))
          QCOMPARE(counts.shapes.before.block, counts.shapes.now.block);
        ++pairs;
      }
    QVERIFY2(pairs >= 18, qPrintable(QString::number(pairs)));
  }

  /// V5 adds 16 points on loading, and has a sixteenth of V4's barriers: at one block, and only there.
  void barriersFallByTheItems() {
    Session session;
    session.setSettings(cpuSettings(5));
    session.open(generator("blobs:n=16384,d=2,k=5"));
    QVERIFY(QTest::qWaitFor([&] { return session.last() != nullptr; }, 20000));
    DeviceLease lease;
    CounterService service(session, lease);
    service.setActive(true);
    service.setSubject(subjectOf(Stage::reduce, variant("reduce.v5")));
    QVERIFY(QTest::qWaitFor([&] { return service.complete() && service.counts(); }, 30000));
    QCOMPARE(service.counts()->before.trace->counters.barriers,
             16 * service.counts()->now.trace->counters.barriers);
  }
};

QTEST_GUILESS_MAIN(TestLaunchShapes)
#include "tst_launch_shapes.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"
#include "app/model/teach/counter_service.hpp"
#include "app/model/teach/point_groups.hpp"
#include "gpu/reference/reference.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace lloyd;

namespace {

TeachSubject subjectOf(const char* id, Stage stage) {
  const Variant* variant = Registry::instance().find(id);
  return {stage, variant, versionBefore(stage, *variant), {}};
}

bool completes(const CounterService& trace) {
  return QTest::qWaitFor([&] { return trace.complete() && trace.counts(); }, 30000);
}

/// A session that shows the labels of its first centroids and waits.
void open(Session& session, const char* data, int k) {
  session.setSettings(cpuSettings(k));
  session.open(generator(data));
  QVERIFY(QTest::qWaitFor([&] { return session.last() != nullptr; }, 20000));
}

} // namespace

class TestTeachTrace : public QObject {
  Q_OBJECT
private slots:
  void countsWhatTheSimulatorCounts_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("stage");
    QTest::newRow("classify.v3") << "classify.v3" << int(Stage::classify);
    QTest::newRow("reduce.v7") << "reduce.v7" << int(Stage::reduce);
    QTest::newRow("update.v1") << "update.v1" << int(Stage::update);
    QTest::newRow("layout.v2") << "layout.v2" << int(Stage::layout);
  }
  void countsWhatTheSimulatorCounts() {
    QFETCH(QString, id);
    QFETCH(int, stage);
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "blobs:n=3001,d=2,k=5", 5);
    trace.setSubject(subjectOf(qPrintable(id), static_cast<Stage>(stage)));
    QVERIFY(completes(trace));
    const TeachCounts& counts = *trace.counts();
    QCOMPARE(counts.problem, (Problem{3001, 2, 5}));
    QVERIFY2(counts.now.why.isEmpty(), qPrintable(counts.now.why));
    const PointSet& points = *session.data();
    const simt::TraceRequest request{.variant = counts.subject.variant,
                                     .stage = static_cast<Stage>(stage),
                                     .problem = counts.problem,
                                     .points = points.values,
                                     .centroids = session.last()->centroids,
                                     .oldLabels = {},
                                     .tuning = tuningParametersFor(*counts.subject.variant, {}),
                                     .schedule = {},
                                     .cancel = nullptr};
    const simt::StageTrace own = simt::traceStage(request);
    QVERIFY(own.trace.counters.requests > 0);
    QVERIFY(counts.now.trace->counters == own.trace.counters);
    QCOMPARE(counts.now.trace->lines.size(), own.trace.lines.size());
    QCOMPARE(counts.before.trace.has_value(), counts.subject.before != nullptr);
  }

  /// Who looks at a run that has ended sees what its last state asks, however long ago the first count was.
  void aRunThatEndedIsCountedAtItsEnd() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "blobs:n=2000,d=2,k=5,seed=3", 5);
    trace.setSubject(subjectOf("classify.v1", Stage::classify));
    QVERIFY(completes(trace));
    QCOMPARE(trace.counts()->iteration, session.last()->iteration);
    const int first = session.last()->iteration;
    session.play();
    QVERIFY(QTest::qWaitFor([&] { return session.converged(); }, 20000));
    QVERIFY(session.playing());
    QVERIFY(session.last()->iteration > first);
    QVERIFY(completes(trace));
    QCOMPARE(trace.counts()->iteration, session.last()->iteration);
  }

  void theNextClassificationIsCountedAgainstTheLabelsOfTheLast() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "blobs:n=2000,d=2,k=5", 5);
    trace.setSubject(subjectOf("classify.v1", Stage::classify));
    session.step();
    QVERIFY(QTest::qWaitFor([&] { return session.last()->iteration == 1; }, 20000));
    QVERIFY(completes(trace));
    const IterationResult& last = *session.last();
    const Problem problem{2000, 2, 5};
    const std::vector<float>& points = session.data()->values;
    const std::vector<Label> old =
        reference::classify(problem, points, reference::asDoubles(last.usedCentroids));
    const simt::StageTrace own =
        simt::traceStage({.variant = trace.subject().variant,
                          .stage = Stage::classify,
                          .problem = problem,
                          .points = points,
                          .centroids = last.centroids,
                          .oldLabels = old,
                          .tuning = tuningParametersFor(*trace.subject().variant, {}),
                          .schedule = {},
                          .cancel = nullptr});
    QVERIFY(trace.counts()->now.trace->counters == own.trace.counters);
    // In the first iteration every point changes; in the second few do, and fewer warps add to the counter.
    QVERIFY(own.trace.counters.sharedAtomics < 2000 / 32);
  }

  /// Whoever counts changes needs them: a pass over settled points adds nothing to the count of changes.
  void onePassIsCountedWithTheLabelsBefore() {
    const TeachSubject subject = subjectOf("fused.v1", Stage::fused);
    const std::vector<float> centroids{0, 10};
    CountInput input{subject, {256, 1, 2}, {}, centroids, centroids};
    for (std::size_t i = 0; i < 256; ++i)
      input.points.push_back(i % 3 == 0 ? 9.0f : 1.0f);
    const std::vector<Label> old = labelsBefore(input);
    QCOMPARE(old.size(), std::size_t{256});
    QCOMPARE(old[3], 1);
    const StageCount settled = countStage(input, old, subject.variant, nullptr);
    const StageCount first = countStage(input, {}, subject.variant, nullptr);
    QVERIFY(settled.trace && first.trace);
    QVERIFY(settled.trace->counters.globalAtomics < first.trace->counters.globalAtomics);
    input.subject.stage = Stage::reduce;
    QVERIFY(labelsBefore(input).empty());
  }

  void manyPointsAreCountedInPart() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "uniform:n=20000,d=1", 2);
    trace.setSubject(subjectOf("classify.v2", Stage::classify));
    QVERIFY(completes(trace));
    QCOMPARE(trace.counts()->problem.n, mostCounted);
    QCOMPARE(trace.counts()->points, std::size_t{20000});
  }

  void aVariantThatCannotRunSaysWhy() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "uniform:n=500,d=5", 3);
    trace.setSubject(subjectOf("classify.v3", Stage::classify));
    QVERIFY(completes(trace));
    QVERIFY(!trace.counts()->now.trace);
    QVERIFY2(trace.counts()->now.why.contains("classify.v3"), qPrintable(trace.counts()->now.why));
    QVERIFY(trace.counts()->before.trace.has_value()); // V2 takes up to 64 dimensions
  }

  void aRunThatPlaysIsNotCountedOnceAnIteration() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "drift:n=2000,k=4", 4);
    trace.setSubject(subjectOf("classify.v3", Stage::classify));
    QVERIFY(completes(trace));
    QSignalSpy counting(&trace, &CounterService::counting);
    session.play();
    QVERIFY(QTest::qWaitFor([&] { return session.last()->iteration > 10; }, 20000));
    QCOMPARE(counting.count(), 0);
    session.pause();
    QVERIFY(QTest::qWaitFor([&] { return counting.count() > 0 && trace.complete(); }, 20000));
    const int before = static_cast<int>(counting.count());
    trace.countAgain();
    QCOMPARE(counting.count(), before + 1);
    QVERIFY(completes(trace));
  }

  void nothingIsCountedBesideAMeasurement() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "blobs:n=16384,d=3,k=16", 16);
    QSignalSpy counted(&trace, &CounterService::counted);
    trace.setSubject(subjectOf("reduce.v6", Stage::reduce));
    DeviceLease::Hold race = lease.take(QStringLiteral("A race is being run")); // while it counts
    trace.countAgain();
    QTest::qWait(300);
    QCOMPARE(counted.count(), 0);
    QVERIFY(!trace.complete() && !trace.counts());
    race.reset();
    QVERIFY(completes(trace));
    QCOMPARE(trace.counts()->now.variant, Registry::instance().find("reduce.v6"));
  }

  void theLastRequestCounts() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "blobs:n=16384,d=3,k=16", 16);
    for (const char* id : {"reduce.v1", "reduce.v2", "reduce.v3", "reduce.v6"})
      trace.setSubject(subjectOf(id, Stage::reduce));
    QVERIFY(completes(trace));
    QCOMPARE(trace.counts()->now.variant, Registry::instance().find("reduce.v6"));
    QCOMPARE(trace.counts()->before.variant, Registry::instance().find("reduce.v5"));
    session.open(generator("uniform:n=700,d=2"));
    QVERIFY(QTest::qWaitFor(
        [&] { return trace.counts() && trace.complete() && trace.counts()->points == 700; }, 30000));
    trace.setSubject(subjectOf("reduce.v2", Stage::reduce)); // and leaves while it counts
  }

  void threadsArePutInGroups() {
    Session session;
    DeviceLease lease;
    CounterService trace(session, lease);
    trace.setActive(true);
    open(session, "uniform:n=1000,d=2", 4);
    trace.setSubject(subjectOf("classify.v3", Stage::classify));
    trace.wantOwners(true);
    QVERIFY(QTest::qWaitFor([&] { return trace.owners() && trace.complete(); }, 20000));
    const std::vector<simt::Owner>& owners = trace.owners()->owners;
    QCOMPARE(owners.size(), std::size_t{1000});
    const int block = tuningParametersFor(*trace.subject().variant, {}).block;
    // One thread a point: point i belongs to thread i of the grid.
    for (std::size_t i = 0; i < owners.size(); ++i) {
      QCOMPARE(owners[i].block, static_cast<std::uint32_t>(i / static_cast<std::size_t>(block)));
      QCOMPARE(owners[i].thread, static_cast<std::uint32_t>(i % static_cast<std::size_t>(block)));
    }
    const PointGroups lanes = groupsOf(ColourBy::thread, owners, block);
    QCOMPARE((*lanes.groups)[37], 5);
    QCOMPARE(lanes.count, std::size_t{32});
    const PointGroups warps = groupsOf(ColourBy::warp, owners, block);
    QCOMPARE((*warps.groups)[37], 1);
    QCOMPARE(warps.count, static_cast<std::size_t>(block / 32));
    QVERIFY2(warps.legend.contains("4 warps of 32 threads"), qPrintable(warps.legend));
    const PointGroups blocks = groupsOf(ColourBy::block, owners, block);
    QCOMPARE((*blocks.groups)[999], 999 / block);
    QCOMPARE(blocks.count, std::size_t{8});

    trace.setSubject(subjectOf("update.v1", Stage::update));
    QVERIFY(QTest::qWaitFor(
        [&] { return trace.complete() && trace.owners()->subject.stage == Stage::update; }, 20000));
    QVERIFY(trace.owners()->owners.empty() && !trace.owners()->why.isEmpty());
  }

  void aPointSaysWhoHandlesItAndWhereItLies() {
    const simt::Owner owner{2, 37};
    const Problem problem{100, 3, 4};
    QCOMPARE(handlerText(owner, 37, problem, Layout::soa),
             "block 2, warp 1, lane 5\nbyte 148 of the points, each further coordinate 512 bytes on");
    QCOMPARE(handlerText(owner, 37, problem, Layout::aos),
             "block 2, warp 1, lane 5\nbyte 444 of the points, each further coordinate 4 bytes on");
    QCOMPARE(handlerText({}, 1, {100, 1, 4}, Layout::soa), "no thread handles it\nbyte 4 of the points");
  }

  void whatChangedIsTold() {
    const std::vector<Label> before{0, 1, 2, 2}, now{0, 2, 2, 1};
    const PointGroups some = changedGroups(before, now);
    QCOMPARE(*some.groups, (std::vector<std::int32_t>{0, 1, 0, 1}));
    QVERIFY2(some.legend.contains("2 of 4"), qPrintable(some.legend));
    QCOMPARE(*changedGroups({}, now).groups, std::vector<std::int32_t>(4, 1));
    const std::vector<simt::Owner> nobody(3);
    QCOMPARE(*groupsOf(ColourBy::warp, nobody, 128).groups, std::vector<std::int32_t>(3, -1));
  }
};

QTEST_GUILESS_MAIN(TestTeachTrace)
#include "tst_counter_service.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_runner.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

using namespace lloyd;

namespace {

/// Whatever can be measured in no time at all.
SweepRequest quickRequest(const SweepRunner& runner, std::vector<SweepAxis> axes, const Session& session) {
  SweepRequest request;
  request.plan.axes = std::move(axes);
  request.plan.base = {session.data()->n, session.data()->d, session.settings().k};
  request.plan.candidates = runner.sweepable(Stage::classify);
  request.cellSeconds = 0.001;
  request.options.rounds = 3;
  request.options.warmUpSeconds = 0;
  request.options.sampleUs = 1;
  return request;
}

void open(Session& session, const char* text, int k) {
  session.setSettings(cpuSettings(k));
  session.open(generator(text));
  QVERIFY(QTest::qWaitFor([&] { return session.data() && session.last(); }, 20000));
}

bool ends(const SweepRunner& runner) {
  return QTest::qWaitFor([&] { return !runner.running(); }, 60000);
}

} // namespace

/// Sweeps on the CPU, as a person starts and cancels them.
class TestSweepRunner : public QObject {
  Q_OBJECT

private slots:
  void everyCellIsMeasuredOnItsOwnProblem() {
    Session session;
    open(session, "uniform:n=600,d=2", 4);
    DeviceLease lease;
    SweepRunner runner(session, lease);
    QSignalSpy updates(&runner, &SweepRunner::updated);
    QSignalSpy progress(&runner, &SweepRunner::progressed);
    const SweepRequest request =
        quickRequest(runner, {{SweepParameter::n, {200, 400}}, {SweepParameter::k, {2, 5}}}, session);
    QVERIFY(!request.plan.candidates.empty());
    runner.start(request);
    QVERIFY(runner.running());
    QVERIFY(!runner.whyNot().isEmpty());
    QVERIFY(ends(runner));
    QVERIFY(runner.last()->finished);
    QCOMPARE(updates.size(), 1 + 4); // an empty one, then one for each race
    QVERIFY(progress.size() >= 4);
    for (std::size_t row = 0; row < 2; ++row)
      for (std::size_t column = 0; column < 2; ++column) {
        const Measurement* one = runner.last()->at(column, row, 0);
        QVERIFY(one && one->ran());
        QVERIFY2(one->verified, one->difference.c_str());
        QCOMPARE(one->problem.n, column == 0 ? 200U : 400U);
        QCOMPARE(one->problem.k, row == 0 ? 2 : 5);
      }
    QCOMPARE(runner.last()->device.backend, Backend::cpu);
  }

  void whatCannotRunIsAGapWithItsReason() {
    Session session;
    open(session, "bands:n=300,k=3", 4);
    DeviceLease lease;
    SweepRunner runner(session, lease);
    // More clusters than points, and dimensions that bands cannot make.
    runner.start(
        quickRequest(runner, {{SweepParameter::k, {2, 1000}}, {SweepParameter::d, {1, 3}}}, session));
    QVERIFY(ends(runner));
    const SweepResult& result = *runner.last();
    QVERIFY(result.finished);
    QVERIFY(result.at(0, 0, 0)->ran());
    const QString clusters = QString::fromStdString(gapReason(result.at(1, 0, 0)));
    QVERIFY2(clusters.contains("number of points"), qPrintable(clusters));
    const QString dimensions = QString::fromStdString(gapReason(result.at(0, 1, 0)));
    QVERIFY2(dimensions.contains("3 dimensions"), qPrintable(dimensions));
  }

  void aKnobThatNoVariantHasIsAllGaps() {
    Session session;
    open(session, "uniform:n=300", 4);
    DeviceLease lease;
    SweepRunner runner(session, lease);
    const SweepRequest request = quickRequest(runner, {{SweepParameter::items, {1, 2}}}, session);
    std::size_t without = 0;
    for (const Candidate& candidate : request.plan.candidates)
      without += candidate.variant->parameter("items") == nullptr;
    if (without == 0) QSKIP("every CPU variant of classify has the parameter items");
    runner.start(request);
    QVERIFY(ends(runner));
    std::size_t gaps = 0;
    for (const auto& cell : runner.last()->cells)
      gaps += QString::fromStdString(gapReason(cell.get())).contains("no parameter items");
    QCOMPARE(gaps, 2 * without);
  }

  void cancellingKeepsWhatWasMeasured() {
    Session session;
    open(session, "uniform:n=500", 4);
    DeviceLease lease;
    SweepRunner runner(session, lease);
    QSignalSpy messages(&runner, &SweepRunner::message);
    SweepRequest request =
        quickRequest(runner, {{SweepParameter::k, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}}}, session);
    connect(&runner, &SweepRunner::updated, &runner, [&](const SweepResultPtr& result) {
      if (result->cells.front()) runner.cancel(); // the first race has ended
    });
    runner.start(request);
    QVERIFY(ends(runner));
    std::size_t measured = 0;
    for (const auto& cell : runner.last()->cells)
      measured += cell != nullptr;
    QVERIFY(measured >= request.plan.candidates.size());
    QVERIFY(!messages.empty());
    QVERIFY(messages.back()[0].toString().contains("cancelled"));
    QVERIFY(!messages.back()[1].toBool());
    // It can be begun again, and from nothing.
    QVERIFY(runner.whyNot().isEmpty());
    runner.disconnect(&runner);
    request.plan.axes[0].values = {2};
    runner.start(request);
    QVERIFY(ends(runner));
    QVERIFY(runner.last()->finished);
  }

  void playingPausesAndGoesOn() {
    Session session;
    open(session, "drift:n=400", 3);
    session.play();
    QVERIFY(session.playing());
    DeviceLease lease;
    SweepRunner runner(session, lease);
    runner.start(quickRequest(runner, {{SweepParameter::k, {2, 3}}}, session));
    QVERIFY(!session.playing());
    QVERIFY(ends(runner));
    QVERIFY(session.playing());
  }

  void newDataEndIt() {
    Session session;
    open(session, "uniform:n=400", 3);
    DeviceLease lease;
    SweepRunner runner(session, lease);
    QSignalSpy messages(&runner, &SweepRunner::message);
    SweepRequest request = quickRequest(runner, {{SweepParameter::k, {2, 3, 4, 5, 6, 7}}}, session);
    request.cellSeconds = 5;
    request.options.rounds = 100'000;
    runner.start(request);
    session.open(generator("uniform:n=300"));
    QVERIFY(ends(runner));
    QVERIFY(!messages.empty());
    QVERIFY2(messages.back()[0].toString().contains("data changed"),
             qPrintable(messages.back()[0].toString()));
  }

  void refusalsAreSaid() {
    Session session;
    DeviceLease lease;
    SweepRunner runner(session, lease);
    QSignalSpy messages(&runner, &SweepRunner::message);
    QVERIFY(!runner.whyNot().isEmpty()); // no data
    open(session, "uniform:n=300", 3);
    QVERIFY(runner.whyNot().isEmpty());
    DeviceLease::Hold race = lease.take(QStringLiteral("A race is being run"));
    QCOMPARE(runner.whyNot(), QStringLiteral("A race is being run"));
    runner.start(quickRequest(runner, {{SweepParameter::k, {2}}}, session));
    QVERIFY(!runner.running());
    QVERIFY(messages.back()[0].toString().contains("race") && messages.back()[1].toBool());
    race.reset();
    SweepRequest twice = quickRequest(runner, {{SweepParameter::k, {2}}, {SweepParameter::k, {3}}}, session);
    QVERIFY(runner.whyNot(twice.plan).contains("Both axes"));
    twice.plan.axes.pop_back();
    twice.plan.candidates.clear();
    QVERIFY(runner.whyNot(twice.plan).contains("No variant"));
    QVERIFY(runner.whyNot(SweepPlan{}).contains("nothing"));
    SweepPlan large = quickRequest(runner, {{SweepParameter::k, {}}, {SweepParameter::n, {}}}, session).plan;
    for (std::uint64_t i = 1; i <= 200; ++i) {
      large.axes[0].values.push_back(i);
      large.axes[1].values.push_back(i);
    }
    QVERIFY(runner.whyNot(large).contains("40,000") || runner.whyNot(large).contains("more than"));
  }

  void theSimulatorIsRefused() {
    Session session;
    Settings settings = cpuSettings(3);
    settings.backend = BackendRequest::simt;
    session.setSettings(settings);
    session.open(generator("uniform:n=300"));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.simulated(); }, 20000));
    DeviceLease lease;
    SweepRunner runner(session, lease);
    QVERIFY(runner.whyNot().contains("simulator"));
  }
};

QTEST_GUILESS_MAIN(TestSweepRunner)
#include "tst_sweep_runner.moc"

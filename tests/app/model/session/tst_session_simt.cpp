// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/live_benchmark.hpp"
#include "app/model/session/timing_table_model.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/app/model/session/session_halves.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lloyd;

namespace {

Settings simtSettings(int k) {
  Settings settings;
  settings.k = k;
  settings.backend = BackendRequest::simt;
  return settings;
}

/// An simulator that takes one block after the other, so that even the order of atomic additions is always
/// the same.
ChosenDevice oneBlockAtATime(BackendRequest) {
  auto device = simt::createSimtDevice();
  device->startRecording();
  return {std::move(device), {}};
}

bool said(const QSignalSpy& messages, const char* words) {
  return std::any_of(messages.begin(), messages.end(), [&](const QList<QVariant>& message) {
    return message.front().toString().contains(QLatin1String(words));
  });
}

} // namespace

/// A session on the SIMT simulator: CUDA variants without a GPU.
class TestSessionSimt : public QObject {
  Q_OBJECT
private slots:
  void automaticNeverChoosesIt() {
    QVERIFY(chooseDevice(BackendRequest::automatic).device->backend() != Backend::simt);
    const DeviceList list = listDevices();
    QCOMPARE(list.devices.back().backend, Backend::simt);
    QCOMPARE(list.devices.back().name, std::string("SIMT simulator"));
    QVERIFY(list.devices.back().usable);
    QCOMPARE(std::count_if(list.devices.begin(), list.devices.end(),
                           [](const DeviceInfo& device) { return device.backend == Backend::simt; }),
             std::ptrdiff_t(1));
  }

  void itFindsWhatTheCpuFinds() {
    Session simulated;
    Session cpu;
    simulated.setSettings(simtSettings(3));
    cpu.setSettings(cpuSettings(3));
    for (Session* session : {&simulated, &cpu}) {
      QSignalSpy done(session, &Session::convergedNow);
      session->open(sample("faithful.csv"));
      session->play();
      QVERIFY(done.wait(60000));
    }
    QVERIFY(simulated.simulated() && !cpu.simulated());
    QCOMPARE(simulated.plan().classify->id(), std::string("classify.v7"));
    QCOMPARE(simulated.plan().reduce->id(), std::string("reduce.v7"));
    QCOMPARE(simulated.plan().update->id(), std::string("update.v1"));
    const State left = stateOf(simulated);
    const State right = stateOf(cpu);
    QCOMPARE(left.labels, right.labels);
    QCOMPARE(left.result.sizes, right.result.sizes);
    QCOMPARE(left.result.iteration, right.result.iteration);
    for (std::size_t i = 0; i < left.result.centroids.size(); ++i) {
      const double difference = std::abs(static_cast<double>(left.result.centroids[i]) -
                                         static_cast<double>(right.result.centroids[i]));
      QVERIFY(difference <= 1e-5);
    }
  }

  void halvesGoBackAndForth() {
    Session session(nullptr, oneBlockAtATime);
    Settings settings = simtSettings(5);
    settings.init.kind = InitKind::random;
    session.setSettings(settings);
    QVERIFY(published(session, [&] { session.open(generator("drift:n=1500,d=2,k=5")); }));
    std::vector<State> forward{stateOf(session)};
    for (int half = 0; half < 7; ++half) {
      QVERIFY(halfStep(session));
      forward.push_back(stateOf(session));
      QCOMPARE(session.last()->halfway, half % 2 == 0);
    }
    QVERIFY(forward[1].result.times[Stage::classify] && !forward[1].result.times[Stage::reduce]);
    QVERIFY(forward[2].result.times[Stage::reduce] && forward[2].result.times[Stage::update]);
    for (std::size_t at = forward.size() - 1; at-- > 0;) {
      QVERIFY(stepBack(session));
      QVERIFY2(stateOf(session) == forward[at], qPrintable(QString::number(at)));
    }
    QVERIFY(!session.canStepBack());
    for (std::size_t at = 1; at < forward.size(); ++at) {
      QVERIFY(halfStep(session));
      QVERIFY2(stateOf(session) == forward[at], qPrintable(QString::number(at)));
    }
  }

  void everyCudaVariantClusters() {
    for (const Variant* variant : Registry::instance().all()) {
      for (const Stage stage : {Stage::classify, Stage::reduce}) {
        if (!variant->on(Backend::simt).has(stage)) continue;
        Session session;
        Settings settings = simtSettings(4);
        (stage == Stage::classify ? settings.selection.classify : settings.selection.reduce) = variant->id();
        session.setSettings(settings);
        QVERIFY(published(session, [&] { session.open(generator("blobs:n=600,d=2,k=4")); }));
        QVERIFY2(halfStep(session), variant->id().c_str());
        QVERIFY2(halfStep(session), variant->id().c_str());
        QCOMPARE(session.plan().of(stage), variant);
        QVERIFY(session.last()->shift > 0);
        std::uint64_t all = 0;
        for (const std::uint32_t size : session.last()->sizes)
          all += size;
        QCOMPARE(all, std::uint64_t(600));
      }
    }
  }

  void whatAFilterLeavesToDistancesStandsBesideItsTimes() {
    for (const char* id : {"distance.v7", "distance.v5"}) {
      Session session;
      Settings settings = simtSettings(16);
      settings.selection.classify = id;
      session.setSettings(settings);
      QVERIFY(published(session, [&] { session.open(generator("uniform:n=1500,d=16")); }));
      QVERIFY2(halfStep(session), id);
      const auto rechecked = session.last()->rechecked;
      QCOMPARE(rechecked.has_value(), std::string(id) == "distance.v7");
      std::optional<double> shown;
      for (const TimingSnapshot::Row& row : session.timings().snapshot()->rows)
        if (row.stage == Stage::classify) shown = row.rechecked;
      QCOMPARE(shown.has_value(), rechecked.has_value());
      if (!rechecked) continue;
      QVERIFY(*rechecked > 0 && *rechecked <= 1500);
      QCOMPARE(*shown, static_cast<double>(*rechecked) / 1500);
    }
  }

  void aDeviceGoesBackWithTheSettingsThatBroughtIt() {
    Session session;
    session.setSettings(cpuSettings(3));
    QVERIFY(published(session, [&] { session.open(sample("iris.csv")); }));
    QSignalSpy messages(&session, &Session::message);
    Settings wrong = simtSettings(3);
    wrong.selection.classify = "classify.v3"; // of one to three dimensions, and these are four
    session.setSettings(wrong);
    QTRY_VERIFY(said(messages, "classify.v3"));
    QCOMPARE(session.settings().backend, BackendRequest::cpu);
    QTRY_VERIFY(session.device().backend == Backend::cpu && session.state() == Session::State::paused);
    QVERIFY(halfStep(session));
    QVERIFY(!session.simulated());
  }

  void aCpuVariantIsRefusedInWords() {
    Session session;
    session.setSettings(simtSettings(3));
    QVERIFY(published(session, [&] { session.open(sample("iris.csv")); }));
    QSignalSpy messages(&session, &Session::message);
    Settings wrong = session.settings();
    wrong.selection.classify = "cpu.v1";
    session.setSettings(wrong);
    QTRY_VERIFY(said(messages, "cpu.v1"));
    QVERIFY(session.settings().selection.classify.empty());
  }

  void ofTooManyPointsAPartIsTakenAndThatIsSaid() {
    Session session;
    QSignalSpy messages(&session, &Session::message);
    session.setSettings(simtSettings(2));
    session.open(generator("blobs:n=100000,d=1,k=2"));
    QTRY_VERIFY(session.data());
    QCOMPARE(session.data()->n, Session::simulatorPoints);
    QCOMPARE(session.pointsRead(), std::size_t(100000));
    QVERIFY(said(messages, "65,536 of 100,000 points"));
    QVERIFY(session.data()->remarks.back().find("65,536 of 100,000 points") != std::string::npos);
    QCOMPARE(session.data()->inputRow(session.data()->n - 1) / 100000, std::uint64_t(0));
    QVERIFY(session.data()->inputRow(session.data()->n - 1) > 99000);

    Settings all = session.settings();
    all.backend = BackendRequest::cpu;
    QSignalSpy data(&session, &Session::dataChanged);
    session.setSettings(all);
    QTRY_COMPARE(data.count(), 1);
    QCOMPARE(session.data()->n, std::size_t(100000));
    QVERIFY(session.data()->rows.empty());
    QTRY_VERIFY(session.frame().labels && session.frame().labels->size() == 100000);

    all.backend = BackendRequest::simt;
    session.setSettings(all);
    QTRY_COMPARE(session.data()->n, Session::simulatorPoints);
    QTRY_VERIFY(session.frame().labels && session.frame().labels->size() == Session::simulatorPoints);
  }

  void aGeneratorMakesNoMoreThanAreUsed() {
    Session session;
    QSignalSpy messages(&session, &Session::message);
    session.setSettings(simtSettings(2));
    DataRequest request = generator("uniform:d=1");
    request.defaultCount = std::size_t{1} << 20;
    session.open(request);
    QTRY_VERIFY(session.data());
    QCOMPARE(session.data()->n, Session::simulatorPoints);
    QCOMPARE(session.pointsRead(), Session::simulatorPoints);
    QVERIFY(!said(messages, "65,536 of"));
    QCOMPARE(session.request().defaultCount, Session::simulatorPoints);
  }

  void timesAreCalledSimulated() {
    Session session;
    session.setSettings(simtSettings(3));
    session.open(generator("drift:n=500,d=2,k=3"));
    session.play();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 5, 30000);
    session.pause();
    VariantListModel ladder;
    ladder.setProblem({500, 2, 3}, session.device(), {});
    ladder.refresh(session.timings().snapshot(), session.plan());
    QVERIFY(ladder.simulated());
    const QString words = headline(ladder.rows(), ladder.simulated());
    QVERIFY2(words.endsWith(QStringLiteral("(simulated)")) && !words.contains(QStringLiteral("×")),
             qPrintable(words));
    for (int row = 0; row < ladder.rowCount(); ++row) {
      const QString tip = ladder.index(row).data(Qt::ToolTipRole).toString();
      QVERIFY2(!tip.contains(QStringLiteral("Published")), qPrintable(tip));
    }
    TimingTableModel times;
    times.refresh(session.timings().snapshot(), session.simulated());
    int labelled = 0;
    for (int row = 0; row < times.rowCount(); ++row) {
      const QString stage = times.index(row, TimingTableModel::stageColumn).data().toString();
      const QString variant = times.index(row, TimingTableModel::variantColumn).data().toString();
      if (stage == QStringLiteral("load")) QVERIFY(!variant.contains(QStringLiteral("simulated")));
      if (variant.contains(QStringLiteral("simulated"))) ++labelled;
    }
    QVERIFY(labelled >= 4); // classify, reduce, update and their sum at least
  }

  void aTourTimesEveryVariant() {
    Session session;
    session.setSettings(simtSettings(3));
    QVERIFY(published(session, [&] { session.open(generator("drift:n=300,d=2,k=3")); }));
    DeviceLease lease;
    LiveBenchmark benchmark(session, lease);
    QSignalSpy ended(&benchmark, &LiveBenchmark::ended);
    benchmark.start();
    QVERIFY(benchmark.running() && lease.held());
    QVERIFY(ended.wait(200000));
    for (const Variant* variant : Registry::instance().all())
      for (const Stage stage : {Stage::classify, Stage::reduce})
        if (variant->on(Backend::simt).has(stage) &&
            !variant->whyNot(stage, {300, 2, 3}, session.device(), {})) {
          const TimingSeries::Row* row = session.timings().find(stage, variant->id());
          QVERIFY2(row && !row->series.samples().empty(), variant->id().c_str());
        }
    QCOMPARE(session.settings().selection, Selection());
    QVERIFY(!lease.held());
  }

  /// What the tour had the session try is nobody's choice; what a person chooses meanwhile is.
  void aTourThatIsInterruptedLeavesNothingBehind() {
    Session session;
    session.setSettings(simtSettings(3));
    QVERIFY(published(session, [&] { session.open(generator("drift:n=300,d=2,k=3")); }));
    DeviceLease lease;
    LiveBenchmark benchmark(session, lease);
    QSignalSpy ended(&benchmark, &LiveBenchmark::ended);
    benchmark.start();
    QVERIFY(session.settings().selection != Selection());
    Settings settings = session.settings();
    settings.k = 4;
    session.setSettings(settings);
    QVERIFY(ended.wait(20000));
    QCOMPARE(ended.front().front().toBool(), false);
    QCOMPARE(session.settings().selection, Selection());
    QCOMPARE(session.settings().k, 4);

    benchmark.start();
    settings.selection = {.classify = "classify.v3", .reduce = "reduce.v2"};
    session.setSettings(settings);
    QVERIFY(!benchmark.running());
    QCOMPARE(session.settings().selection, settings.selection);
  }

  void aTourNeitherBeginsBesideAMeasurementNorGoesOnBesideOne() {
    Session session;
    session.setSettings(simtSettings(3));
    QVERIFY(published(session, [&] { session.open(generator("drift:n=300,d=2,k=3")); }));
    DeviceLease lease;
    LiveBenchmark benchmark(session, lease);
    DeviceLease::Hold race = lease.take(QStringLiteral("A race is being run"));
    benchmark.start();
    QVERIFY(!benchmark.running());
    race.reset();
    benchmark.start();
    QVERIFY(benchmark.running() && session.playing());
    race = lease.take(QStringLiteral("A race is being run"));
    QVERIFY(race && !benchmark.running() && !session.playing());
    QCOMPARE(session.settings().selection, Selection());
  }
};

QTEST_GUILESS_MAIN(TestSessionSimt)
#include "tst_session_simt.moc"

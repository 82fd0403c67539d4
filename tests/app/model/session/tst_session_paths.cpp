// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"
#include "gpu/core/contract/system_memory.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/support/faulty_device.hpp"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace lloyd;

namespace {

/// A drawing side without OpenGL: it cannot share, and shows what it is given when the event loop comes
/// round.
class PlainSurface : public PointSurface {
public:
  explicit PlainSurface(Session& session) : session_(session) {}
  std::string show(const SharedPointSet&, Device*, double& uploadUs) override {
    uploadUs = 0;
    ++shows;
    return "it has no buffers to lend";
  }
  void withdraw() override {}
  std::optional<PointMemory> map() override { return std::nullopt; }
  void unmap(bool) override {}
  void present(const Frame& frame) override { last = frame; }
  void refresh() override {
    if (paints) QTimer::singleShot(delayMs, &session_, [this] { session_.frameShown(1000); });
  }

  bool paints = true;
  int delayMs = 0; ///< from a request to the screen
  int shows = 0;
  Frame last;

private:
  Session& session_;
};

} // namespace

/// The session between a device that may fail and a window that may vanish: every way ends in a usable
/// session.
class TestSessionPaths : public QObject {
  Q_OBJECT
private slots:
  void outOfMemoryIsSaidAndSurvived() {
    auto* counters = new FaultCounters;
    const std::unique_ptr<FaultCounters> owner(counters);
    int fail = 0;
    Session session(nullptr, [&](BackendRequest) {
      return ChosenDevice{
          std::make_unique<FaultyDevice>(createCpuDevice(), Fault{.call = fail, .code = 2}, counters), {}};
    });
    // Every call of the first seconds fails once, in turn; each time the session must stay usable.
    for (fail = 1; fail <= 25; ++fail) {
      Settings settings = session.settings();
      settings.backend = fail % 2 ? BackendRequest::cpu : BackendRequest::automatic;
      settings.k = 3;
      session.setSettings(settings);
      QSignalSpy messages(&session, &Session::message);
      session.open(sample("iris.csv"));
      session.play();
      QTRY_VERIFY_WITH_TIMEOUT(messages.count() > 0 || session.converged(), 10000);
      if (messages.count() > 0) QVERIFY(messages.front().at(1).toBool());
    }
  }

  void whoAsksForLabelsIsAnsweredWhenTheyCannotBeFound() {
    FaultyDevice* device = nullptr;
    FaultCounters counters;
    Session session(nullptr, [&](BackendRequest) {
      auto made = std::make_unique<FaultyDevice>(createCpuDevice(), Fault{}, &counters);
      device = made.get();
      return ChosenDevice{std::move(made), {}};
    });
    session.setSettings(cpuSettings(3));
    session.open(sample("iris.csv"));
    QTRY_VERIFY_WITH_TIMEOUT(session.last() != nullptr, 10000);
    QSignalSpy messages(&session, &Session::message);
    device->plan({.call = 1, .code = 2}); // nothing computes
    bool answered = false;
    IterationPtr found;
    session.fetchLabels([&](const std::vector<Label>& labels, const IterationPtr& result) {
      answered = labels.empty();
      found = result;
    });
    QTRY_VERIFY_WITH_TIMEOUT(answered, 10000);
    QVERIFY(!found);
    QCOMPARE(messages.count(), 1);
    // The next who asks gets them.
    std::vector<Label> all;
    session.fetchLabels([&](const std::vector<Label>& labels, const IterationPtr&) { all = labels; });
    QTRY_COMPARE_WITH_TIMEOUT(all.size(), std::size_t{150}, 10000);
  }

  /// Though the frame before it is still being drawn when it comes.
  void aStateIsTakenOverOnce() {
    Session session;
    PlainSurface surface(session);
    session.setSettings(cpuSettings(3));
    session.setSurface(&surface);
    session.open(sample("iris.csv"));
    session.play();
    QTRY_VERIFY_WITH_TIMEOUT(session.converged(), 10000);
    const RunState ended{.result = *session.last(), .usedBefore = {}, .driftTime = 0};
    surface.delayMs = 100;
    QSignalSpy adopted(&session, &Session::stateAdopted);
    bool due = true;
    connect(&session, &Session::iterated, &session, [&](const IterationPtr& result) {
      if (!due || result->iteration == 0) return;
      due = false;
      session.adoptState(ended);
    });
    session.restart();
    session.play();
    QTRY_VERIFY_WITH_TIMEOUT(!adopted.isEmpty(), 10000);
    QTest::qWait(400);
    QCOMPARE(adopted.count(), 1);
    QVERIFY(session.last()->centroids == ended.result.centroids);
    session.setSurface(nullptr);
  }

  void asManyPointsAsAreOfferedFit_data() {
    QTest::addColumn<QString>("points");
    QTest::newRow("at rest") << "uniform:d=2,n=";
    QTest::newRow("many columns") << "uniform:d=40,n=";
    QTest::newRow("moving") << "drift:d=3,n=";
  }
  void asManyPointsAsAreOfferedFit() {
    QFETCH(QString, points);
    Session session;
    QSignalSpy messages(&session, &Session::message);
    session.setSettings(cpuSettings(4));
    qputenv("LLOYD_MEMORY_LIMIT", "4000000");
    session.open(generator((points + "1000000").toStdString()));
    QTRY_VERIFY_WITH_TIMEOUT(messages.count() == 1, 20000);
    qunsetenv("LLOYD_MEMORY_LIMIT");
    const QString said = messages.front().front().toString();
    const auto offer = QRegularExpression("About ([0-9,]+) points fit").match(said);
    QVERIFY2(offer.hasMatch(), qPrintable(said));
    const QString count = offer.captured(1).remove(QLatin1Char(','));
    QVERIFY(count.toULongLong() >= 10000);
    session.open(generator((points + count).toStdString()));
    session.play();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 2, 20000);
    QCOMPARE(messages.count(), 1);
  }

  /// There is room for the points, and none for the copy that the CPU computes on.
  void pointsThatCannotBeComputedOnAreRefusedBeforeTheyAreMade() {
    Session session;
    QSignalSpy messages(&session, &Session::message);
    QSignalSpy ended(&session, &Session::loadEnded);
    session.setSettings(cpuSettings(3));
    session.open(sample("iris.csv"));
    QTRY_VERIFY_WITH_TIMEOUT(session.last(), 20000);
    const SharedPointSet before = session.data();
    const auto n = static_cast<std::size_t>(0.7 * static_cast<double>(availableMemory()) / (4 * 784));
    const std::string wanted = "uniform:d=784,n=" + std::to_string(n);
    ended.clear();
    session.open(generator(wanted));
    QTRY_VERIFY_WITH_TIMEOUT(ended.count() == 1, 20000);
    QCOMPARE(messages.count(), 1);
    const QString said = messages.front().front().toString();
    QVERIFY2(said.startsWith(QString::fromStdString(wanted + ": ")) && said.contains("more to compute") &&
                 said.contains("are free"),
             qPrintable(said));
    QCOMPARE(session.data(), before);
    QVERIFY(!session.loading());
  }

  void whatPointsWillTakeIsKnownBeforehand() {
    const auto need = memoryNeed(generator("uniform:n=2^20,d=784"));
    QVERIFY(need);
    QCOMPARE(need->points, 4.0 * 784 * 1048576);
    QCOMPARE(need->compute, need->points + 8.0 * 1048576);
    QVERIFY(memoryNeed(generator("drift:n=1e6,d=2"))->compute > 3 * 8e6);
    QVERIFY(!memoryNeed(sample("iris.csv"))); // a table says it when it is read
    const MemoryRoom cpu{.host = 23e9};
    QVERIFY(!whyNoRoom("them", *need, cpu));
    QCOMPARE(memoryText(*need, cpu), std::string("3.3 GB of memory, and 3.3 GB more to compute"));
    QVERIFY(memoryText(*memoryNeed(generator("uniform:n=1000,d=2")), cpu).empty());
    const MemoryRoom card{.host = 23e9, .onHost = false, .device = 2e9, .name = "a card"};
    QCOMPARE(memoryText(*need, card), std::string("3.3 GB of memory, and 3.3 GB more on a card"));
    QCOMPARE(whyNoRoom("them", *need, card),
             std::optional<std::string>("them: 3.3 GB of the device's memory would be needed, and a card has "
                                        "2.0 GB; 'lloydscope run' takes the points in batches"));
    // What present points give back counts.
    QVERIFY(whyNoRoom("them", *need, {.host = 5e9}));
    QVERIFY(!whyNoRoom("them", *need, {.host = 5e9, .given = 2e9}));
  }

  void aLostDeviceLeadsToTheCpu() {
    auto counters = std::make_unique<FaultCounters>();
    bool first = true;
    Session session(nullptr, [&](BackendRequest) -> ChosenDevice {
      if (std::exchange(first, false))
        return {std::make_unique<FaultyDevice>(
                    createCpuDevice(), Fault{.call = 40, .code = 700, .persistent = true}, counters.get()),
                {}};
      return {createCpuDevice(), {}};
    });
    Settings settings;
    settings.k = 4;
    session.setSettings(settings);
    QSignalSpy messages(&session, &Session::message);
    session.open(generator("drift:n=1000,d=2"));
    session.play();
    QTRY_VERIFY(messages.count() > 0);
    QVERIFY(messages.front().front().toString().contains("CPU"));
    QTRY_VERIFY(!session.why().isEmpty());
    QTRY_VERIFY(session.last() && session.last()->iteration > 5);
    QCOMPARE(counters->liveAllocations(), 0);
  }

  /// A result that waits for the frame before it must not be shown with other points, though they be as many.
  void aFrameOfOtherPointsIsNotShown() {
    Session session;
    PlainSurface surface(session);
    surface.paints = false;
    session.setSettings(cpuSettings(5));
    session.setSurface(&surface);
    session.open(generator("drift:n=3000,d=2,k=5"));
    session.play();
    QTRY_VERIFY(surface.last.positions);
    QTest::qWait(50); // for the next result, which waits to be drawn
    bool opened = false;
    connect(&session, &Session::dataChanged, this, [&] {
      opened = true;
      surface.last = {};
      session.frameShown(1000);
      QVERIFY(!surface.last.labels);
    });
    session.open(generator("drift:n=3000,d=10,k=5"));
    QTRY_VERIFY(opened);
    surface.paints = true;
    session.frameShown(1000);
    QTRY_VERIFY(session.data()->d == 10 && surface.last.positions && session.last());
    QCOMPARE(surface.last.positions->size(), surface.last.stride * 10);
    session.setSurface(nullptr);
  }

  void newBuffersShowTheSamePicture() {
    Session session;
    PlainSurface surface(session);
    session.setSettings(cpuSettings(5));
    session.setSurface(&surface);
    session.open(generator("drift:n=3000,d=2,k=5"));
    session.play();
    QTRY_VERIFY(session.last() && session.last()->iteration > 5);
    session.pause();
    const auto current = [&] {
      std::vector<Label> all;
      session.fetchLabels([&](std::vector<Label> fetched, const IterationPtr&) { all = std::move(fetched); });
      return QTest::qWaitFor([&] { return !all.empty(); }, 5000) ? all : std::vector<Label>();
    };
    const std::vector<Label> before = current();
    const IterationPtr was = session.last();
    const std::vector<float> positions(surface.last.positions->begin(), surface.last.positions->end());
    const int shows = surface.shows;
    surface.last = {};
    session.surfaceChanged();
    QTRY_VERIFY(surface.last.labels);
    QVERIFY(surface.shows > shows);
    QCOMPARE(session.last()->iteration, was->iteration);
    QCOMPARE(session.last()->centroids, was->centroids);
    QVERIFY(std::equal(positions.begin(), positions.end(), surface.last.positions->begin(),
                       surface.last.positions->end()));
    QCOMPARE(current(), before);
    session.setSurface(nullptr);
  }

  void aWindowThatPaintsNothingDoesNotStopTheRun() {
    Session session;
    PlainSurface surface(session);
    surface.paints = false;
    session.setSettings(cpuSettings(5));
    session.setSurface(&surface);
    session.open(generator("drift:n=1000,d=2,k=5"));
    session.play();
    QTRY_VERIFY(session.last() && session.last()->iteration > 3);
    session.setSurface(nullptr);
  }
};

QTEST_GUILESS_MAIN(TestSessionPaths)
#include "tst_session_paths.moc"

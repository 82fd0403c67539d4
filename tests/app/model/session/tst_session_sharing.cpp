// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/session.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/support/faulty_device.hpp"
#include "tests/support/placed_points.hpp"

#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <utility>

using namespace lloyd;

namespace {

/// A call that fails, counted from 1, with CUDA's number for it; never: 0.
struct FailingCall {
  int call = 0;
  int code = 0;
};

/// A window whose buffers a device writes, as CUDA writes those of OpenGL. Any of the calls that lend them
/// may fail.
class LendingSurface : public PointSurface {
public:
  LendingSurface(Session& session, const FaultCounters& counters) : session_(session), counters_(counters) {}

  std::string show(const SharedPointSet& data, Device* device, double& uploadUs) override {
    uploadUs = 0;
    points_.reset();
    if (!device) return "there is nobody to lend to";
    ++registrations;
    if (!refusal.empty()) return refusal;
    points_ = std::make_unique<test::PlacedPoints>(*device, data->n, data->d, data->values.data(), false,
                                                   data->drift.has_value());
    return {};
  }
  void withdraw() override {
    if (points_ && counters_.liveDevices() == 0) orphaned = true;
    points_.reset();
  }
  std::optional<PointMemory> map() override {
    if (!points_) return std::nullopt;
    fail(mapping, ++maps, "map");
    return points_->map();
  }
  void unmap(bool flip) override {
    const bool fails = unmapping.call == ++unmaps;
    points_->unmap(flip && !fails);
    fail(unmapping, unmaps, "unmap");
  }
  void present(const Frame& frame) override { last = frame; }
  std::vector<Label> labels() override { return points_ ? points_->labels() : std::vector<Label>(); }
  void refresh() override {
    QMetaObject::invokeMethod(
        &session_, [this] { session_.frameShown(1000); }, Qt::QueuedConnection);
  }

  std::string refusal; ///< of every registration
  FailingCall mapping, unmapping;
  int registrations = 0, maps = 0, unmaps = 0;
  bool orphaned = false; ///< buffers were still registered when their device went
  Frame last;

private:
  static void fail(const FailingCall& failing, int call, const char* what) {
    if (call == failing.call)
      throw DeviceError(failing.code, severityOf(failing.code, CallKind::graphics), what, "planned fault");
  }

  Session& session_;
  const FaultCounters& counters_;
  std::unique_ptr<test::PlacedPoints> points_;
};

/// A session on points that move, whose iterations go on for ever, in a window that lends its buffers.
struct Shared {
  explicit Shared(const Fault& fault = {})
      : session(nullptr,
                [this, fault](BackendRequest) -> ChosenDevice {
                  const bool first = std::exchange(fresh, false);
                  return {
                      std::make_unique<FaultyDevice>(createCpuDevice(), first ? fault : Fault{}, &counters),
                      {}};
                }),
        surface(session, counters), messages(&session, &Session::message) {
    session.setSettings(cpuSettings(4));
    session.setSurface(&surface);
  }
  ~Shared() { session.setSurface(nullptr); }

  void open() {
    session.open(generator("drift:n=2000,d=2,k=4"));
    session.play();
  }
  [[nodiscard]] bool reaches(int iteration) {
    return QTest::qWaitFor([&] { return session.last() && session.last()->iteration >= iteration; }, 20000);
  }
  [[nodiscard]] QString said() const {
    return messages.isEmpty() ? QString() : messages.back().front().toString();
  }

  FaultCounters counters;
  bool fresh = true;
  Session session;
  LendingSurface surface;
  QSignalSpy messages;
};

} // namespace

/// Buffers of the window that a device writes, and every way in which that ends: points are copied then, and
/// the run goes on.
class TestSessionSharing : public QObject {
  Q_OBJECT

  static void codes() {
    QTest::addColumn<int>("code");
    QTest::newRow("a driver for computing only") << 63;
    QTest::newRow("another card draws the window") << 100;
    QTest::newRow("a window on another machine") << 219;
    QTest::newRow("a hybrid laptop, WSL") << 304;
    QTest::newRow("VirtualGL") << 999;
  }

private slots:
  void buffersAreLentInEveryIteration() {
    Shared shared;
    shared.open();
    QVERIFY(shared.reaches(5));
    QCOMPARE(shared.session.sharing(), Sharing::shared);
    QVERIFY(shared.surface.maps >= 5 && !shared.surface.last.labels);
    QCOMPARE(shared.messages.count(), 0);
  }

  void theTimeBetweenTwoRunsIsNoFrame() {
    Shared shared;
    shared.session.open(generator("uniform:n=2000,d=2"));
    shared.session.play();
    QVERIFY(QTest::qWaitFor([&] { return shared.session.converged(); }, 20000));
    QTest::qWait(1500);
    shared.session.restart();
    shared.session.play();
    QVERIFY(QTest::qWaitFor([&] { return shared.session.last() && shared.session.last()->iteration < 4; },
                            20000));
    QVERIFY(shared.reaches(4));
    const auto& frames = shared.session.timings().frame().samples();
    QVERIFY(!frames.empty());
    for (const double us : frames)
      QVERIFY2(us < 1.4e6, qPrintable(QString::number(us)));
  }

  void aRefusedRegistrationLeavesACopy() {
    Shared shared;
    shared.surface.refusal = "OpenGL is drawn by another device";
    shared.open();
    QVERIFY(shared.reaches(5));
    QVERIFY(shared.session.sharing() != Sharing::shared);
    QVERIFY(shared.surface.last.labels);
    QCOMPARE(shared.surface.maps, 0);
    // Nobody asked for sharing, so nobody is told; but a new context is asked again.
    QCOMPARE(shared.messages.count(), 0);
    shared.surface.refusal.clear();
    shared.session.surfaceChanged();
    QTRY_COMPARE(shared.session.sharing(), Sharing::shared);
  }

  void buffersThatCannotBeLentLaterAreCopied_data() { codes(); }
  void buffersThatCannotBeLentLaterAreCopied() {
    QFETCH(int, code);
    Shared shared;
    shared.surface.mapping = {6, code};
    shared.open();
    QVERIFY(shared.reaches(3));
    QCOMPARE(shared.session.sharing(), Sharing::shared);
    QTRY_VERIFY(shared.session.sharing() != Sharing::shared);
    const SharedPointSet points = shared.session.data();
    const int then = shared.session.last()->iteration;
    QVERIFY(then >= 3); // the run is the same still
    QVERIFY(shared.reaches(then + 5));
    QCOMPARE(shared.session.data(), points);
    QVERIFY(shared.session.playing());
    QCOMPARE(shared.messages.count(), 1);
    QVERIFY2(shared.said().contains("copied") && shared.said().contains("planned fault"),
             qPrintable(shared.said()));
    QTRY_VERIFY(shared.surface.last.labels);
    QCOMPARE(shared.surface.registrations, 1);
    // Another context may be one that can.
    shared.session.surfaceChanged();
    QTRY_COMPARE(shared.session.sharing(), Sharing::shared);
  }

  void buffersThatDoNotComeBackAreCopied_data() { codes(); }
  void buffersThatDoNotComeBackAreCopied() {
    QFETCH(int, code);
    Shared shared;
    shared.surface.unmapping = {6, code};
    shared.open();
    QTRY_VERIFY(shared.messages.count() == 1);
    QVERIFY2(shared.said().contains("copied"), qPrintable(shared.said()));
    QTRY_VERIFY(shared.session.sharing() != Sharing::shared);
    const int then = shared.session.last()->iteration;
    QVERIFY(then >= 3);
    QVERIFY(shared.reaches(then + 5));
    // No iteration is missing: what was computed before its buffers stayed away counts.
    int next = 1;
    for (const IterationStats& past : shared.session.history())
      QCOMPARE(past.iteration, next++);
    QCOMPARE(shared.messages.count(), 1);
  }

  void aDeviceThatIsLostIsLeftByTheWindowFirst_data() {
    QTest::addColumn<int>("code");
    QTest::newRow("illegal address") << 700;
    QTest::newRow("launch timed out") << 702;
    QTest::newRow("assertion in a kernel") << 710;
    QTest::newRow("misaligned address") << 716;
    QTest::newRow("gone after suspend") << 999;
  }
  void aDeviceThatIsLostIsLeftByTheWindowFirst() {
    QFETCH(int, code);
    Shared shared({.call = 60, .code = code, .persistent = true});
    shared.open();
    QTRY_VERIFY(shared.messages.count() == 1);
    QVERIFY2(shared.said().contains("CPU") && shared.said().contains("restart the program"),
             qPrintable(shared.said()));
    QVERIFY(!shared.surface.orphaned);
    QTRY_VERIFY(shared.session.last());
    QVERIFY(shared.reaches(shared.session.last()->iteration + 5));
    QVERIFY(shared.session.why().contains("restart the program"));
    QCOMPARE(shared.counters.liveDevices(), 1);
  }

  void aDeviceThatIsLostWhileItLendsIsLeftToo_data() {
    QTest::addColumn<bool>("back");
    QTest::newRow("on the way there") << false;
    QTest::newRow("on the way back") << true;
  }
  void aDeviceThatIsLostWhileItLendsIsLeftToo() {
    QFETCH(bool, back);
    Shared shared;
    (back ? shared.surface.unmapping : shared.surface.mapping) = {6, 700};
    shared.open();
    QTRY_VERIFY(shared.messages.count() == 1);
    QVERIFY2(shared.said().contains("CPU"), qPrintable(shared.said()));
    QVERIFY(!shared.surface.orphaned);
    QTRY_VERIFY(shared.session.last());
    QVERIFY(shared.reaches(shared.session.last()->iteration + 5));
  }

  void aContextThatGoesInTheMiddleOfARunCostsNoIteration() {
    Shared shared;
    shared.open();
    QVERIFY(shared.reaches(5));
    for (int times = 0; times < 3; ++times) {
      // As the window does when its context is destroyed, at whatever moment that is.
      shared.session.setSurface(nullptr);
      QVERIFY(!shared.surface.map());
      const int then = shared.session.last()->iteration;
      shared.session.setSurface(&shared.surface);
      QVERIFY(shared.reaches(then + 3));
      QCOMPARE(shared.session.sharing(), Sharing::shared);
    }
    int next = 1;
    for (const IterationStats& past : shared.session.history())
      QCOMPARE(past.iteration, next++);
    QCOMPARE(shared.messages.count(), 0);
  }

  void whateverTheWorkerThrowsIsSaid_data() {
    QTest::addColumn<bool>("memory");
    QTest::addColumn<QString>("words");
    QTest::newRow("no memory on the host") << true << "There is not enough memory";
    QTest::newRow("anything else") << false << "the cat sat on it";
  }
  void whateverTheWorkerThrowsIsSaid() {
    QFETCH(bool, memory);
    QFETCH(QString, words);
    bool throws = true;
    Session session(nullptr, [&](BackendRequest) -> ChosenDevice {
      if (!throws) return {createCpuDevice(), {}};
      if (memory) throw std::bad_alloc();
      throw std::runtime_error("the cat sat on it");
    });
    session.setSettings(cpuSettings(3));
    QSignalSpy messages(&session, &Session::message);
    session.open(sample("iris.csv"));
    QTRY_VERIFY(messages.count() > 0);
    QVERIFY2(messages.front().front().toString().contains(words),
             qPrintable(messages.front().front().toString()));
    QVERIFY(messages.front().at(1).toBool());
    throws = false;
    session.open(sample("iris.csv"));
    session.play();
    QTRY_VERIFY(session.converged());
  }
};

QTEST_GUILESS_MAIN(TestSessionSharing)
#include "tst_session_sharing.moc"

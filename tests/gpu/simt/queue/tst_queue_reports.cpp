// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of report, planted once, in every order of turns; and what looks like one and is right.
#include "gpu/core/contract/error.hpp"
#include "tests/gpu/simt/queue/planted.hpp"
#include "tests/gpu/simt/queue/queue_kernels.hpp"

#include <algorithm>
#include <array>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::size_t n = 100;

/// A device with two queues and memory that has been written.
struct Rig {
  explicit Rig(const simt::Schedule& schedule = {}) { device->setSchedule(schedule); }
  std::unique_ptr<simt::SimtDevice> device = simt::createSimtDevice();
  HostBuffer<float> up{*device, n};
  HostBuffer<float> down{*device, n};
  Buffer<float> a{*device, std::vector<float>(n, 1.0f)};
  Buffer<float> b{*device, std::vector<float>(n, 2.0f)};
  std::unique_ptr<Event> event = device->createEvent();
  std::unique_ptr<Queue> one = device->createQueue();
  std::unique_ptr<Queue> two = device->createQueue();

  void begin() {
    std::ranges::fill(up.write(), 1.0f);
    device->synchronize();
  }
  /// A right program, on whatever is left of what came before.
  [[nodiscard]] QString rightAgain() {
    return reportOf(*device, [&] {
      std::ranges::fill(up.write(), 3.0f);
      one->upload(a.data(), up.data(), up.bytes());
      one->record(*event);
      two->wait(*event);
      two->launch("doubling",
                  [this](LaunchContext& context) { launchDouble(context, a.data(), b.data(), n); });
      two->download(down.data(), b.data(), b.bytes());
      two->synchronize();
      const auto values = down.read();
      if (std::ranges::any_of(values, [](float value) { return value != 6.0f; }))
        throw DeviceError(0, Severity::badRequest, "a test", "wrong values");
    });
  }
};

} // namespace

class TestQueueReports : public QObject {
  Q_OBJECT

private slots:
  void twoQueuesTouchTheSameBytes() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot filled;
      const Spot fetched;
      const QString report = reportOf(*rig.device, [&] {
        rig.one->fill(rig.a.data() + 10, 0, 40, filled);
        rig.two->download(rig.down.data(), rig.a.data(), rig.a.bytes(), fetched);
      });
      REPORTS(report, deed("the fill", 1, filled), deed("the download", 2, fetched));
      QVERIFY2(report.contains(QLatin1String(" 40 bytes ")), qPrintable(report));
      QCOMPARE(rig.rightAgain(), QString());
    }
  }

  void aLaunchTouchesWhatItIsGiven() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot launched;
      const Spot uploaded;
      // What the kernel only reads is named as read.
      const QString report = reportOf(*rig.device, [&] {
        rig.one->launch(
            "doubling", [&](LaunchContext& context) { launchDouble(context, rig.a.data(), rig.b.data(), n); },
            launched);
        rig.two->upload(rig.a.data(), rig.up.data(), rig.up.bytes(), uploaded);
      });
      REPORTS(report, deed("doubling", 1, launched), deed("the upload", 2, uploaded));
      QVERIFY2(report.contains(QLatin1String("reads")) && report.contains(QLatin1String("writes")),
               qPrintable(report));
      QCOMPARE(rig.rightAgain(), QString());
    }
  }

  void readersAndNeighboursAreRight() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      HostBuffer<float> other(*rig.device, n);
      QCOMPARE(reportOf(*rig.device,
                        [&] {
                          rig.one->download(rig.down.data(), rig.a.data(), rig.a.bytes());
                          rig.two->download(other.data(), rig.a.data(), rig.a.bytes());
                          rig.one->fill(rig.b.data(), 0, 80);
                          rig.two->fill(rig.b.data() + 20, 0, 80);
                        }),
               QString());
    }
  }

  void anEventOrdersThroughAThirdQueue() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const auto three = rig.device->createQueue();
      const auto second = rig.device->createEvent();
      QCOMPARE(reportOf(*rig.device,
                        [&] {
                          rig.one->fill(rig.a.data(), 0, rig.a.bytes());
                          rig.one->record(*rig.event);
                          rig.two->wait(*rig.event);
                          rig.two->record(*second);
                          three->wait(*second);
                          three->upload(rig.a.data(), rig.up.data(), rig.up.bytes());
                          three->synchronize();
                          QCOMPARE(rig.a.download(), std::vector<float>(n, 1.0f));
                        }),
               QString());
    }
  }

  void anEventOrdersWhatIsBeforeItAlone() {
    Rig rig;
    rig.begin();
    const Spot filled;
    const Spot fetched;
    REPORTS(reportOf(*rig.device,
                     [&] {
                       rig.one->record(*rig.event);
                       rig.one->fill(rig.a.data(), 0, rig.a.bytes(), filled);
                       rig.two->wait(*rig.event);
                       rig.two->download(rig.down.data(), rig.a.data(), rig.a.bytes(), fetched);
                     }),
            deed("the fill", 1, filled), deed("the download", 2, fetched));
  }

  void theHostMustWaitToo() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot copied;
      const Spot looked;
      REPORTS(reportOf(*rig.device,
                       [&] {
                         rig.one->download(rig.down.data(), rig.a.data(), rig.a.bytes(), copied);
                         static_cast<void>(rig.down.read(looked));
                       }),
              deed("the download", 1, copied), hostDeed("the reading", looked));
      REPORTS(reportOf(*rig.device,
                       [&] {
                         rig.one->upload(rig.a.data(), rig.up.data(), rig.up.bytes(), copied);
                         std::ranges::fill(rig.up.write(looked), 5.0f);
                       }),
              deed("the upload", 1, copied), hostDeed("the writing", looked));
      // The same with operations that have taken place already, when another queue was waited for.
      REPORTS(reportOf(*rig.device,
                       [&] {
                         rig.one->download(rig.down.data(), rig.a.data(), rig.a.bytes(), copied);
                         rig.one->record(*rig.event);
                         rig.two->wait(*rig.event);
                         const auto later = rig.device->createEvent();
                         rig.one->fill(rig.b.data(), 0, 4);
                         rig.one->download(rig.down.data(), rig.a.data(), 4, copied);
                         rig.one->record(*later);
                         rig.device->waitFor(*rig.event);
                         static_cast<void>(rig.down.read(0, 1, looked));
                       }),
              deed("the download", 1, copied), hostDeed("the reading", looked));
      QCOMPARE(rig.rightAgain(), QString());
    }
  }

  void theDevicesOwnOrderIsOneToo() {
    Rig rig;
    rig.begin();
    const Spot fetched;
    REPORTS(reportOf(*rig.device,
                     [&] {
                       rig.device->fill(rig.a.data(), 0, rig.a.bytes());
                       rig.one->download(rig.down.data(), rig.a.data(), rig.a.bytes(), fetched);
                     }),
            QStringLiteral("a fill of the device's own order"), deed("the download", 1, fetched));
    QCOMPARE(reportOf(*rig.device,
                      [&] {
                        rig.device->fill(rig.a.data(), 0, rig.a.bytes());
                        rig.device->record(*rig.event);
                        rig.one->wait(*rig.event);
                        rig.one->download(rig.down.data(), rig.a.data(), rig.a.bytes());
                      }),
             QString());
  }

  void aWaitForWhatNobodyRecorded() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot waited;
      const Spot recorded;
      const Spot behind;
      REPORTS(reportOf(*rig.device,
                       [&] {
                         rig.two->wait(*rig.event, waited);
                         rig.two->fill(rig.a.data(), 0, 4, behind);
                         rig.one->record(*rig.event, recorded);
                       }),
              deed("the wait", 2, waited), deed("the record", 1, recorded));
      const auto never = rig.device->createEvent();
      REPORTS(reportOf(*rig.device,
                       [&] {
                         rig.two->wait(*never, waited);
                         rig.two->fill(rig.a.data(), 0, 4, behind);
                       }),
              deed("the wait", 2, waited), deed("the fill", 2, behind));
      QVERIFY(reportOf(*rig.device, [&] {
                rig.device->waitFor(*never, waited);
              }).contains(hostDeed("the wait", waited)));
      QCOMPARE(rig.rightAgain(), QString());
    }
  }

  void aCopyOfWhatNobodyWrote() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot made;
      const Spot fetched;
      Buffer<float> fresh(*rig.device, n, made);
      const QString whole = reportOf(*rig.device, [&] {
        rig.one->fill(fresh.data(), 0, 40);
        rig.one->download(rig.down.data(), fresh.data(), fresh.bytes(), fetched);
      });
      REPORTS(whole, deed("the download", 1, fetched), QStringLiteral("allocated at ") + made.text());
      QVERIFY2(whole.contains(QLatin1String(" 360 bytes ")), qPrintable(whole));
      const Spot pinned;
      HostBuffer<float> empty(*rig.device, n, HostMemory::pinned, pinned);
      REPORTS(reportOf(*rig.device, [&] { rig.one->upload(fresh.data(), empty.data(), 4, fetched); }),
              deed("the upload", 1, fetched), QStringLiteral("allocated at ") + pinned.text());
      QCOMPARE(rig.rightAgain(), QString());
    }
  }

  void allocationForgets() {
    Rig rig;
    rig.begin();
    const auto whether = [&] {
      Buffer<float> memory(*rig.device, n);
      return reportOf(*rig.device,
                      [&] { rig.one->download(rig.down.data(), memory.data(), memory.bytes()); });
    };
    { Buffer<float> before(*rig.device, std::vector<float>(n, 1.0f)); }
    QVERIFY(!whether().isEmpty());
    QVERIFY(!whether().isEmpty());
  }

  void anAtomicOperationOnWhatNobodyWrote() {
    for (const simt::Schedule& order : allOrders()) {
      Rig rig(order);
      rig.begin();
      const Spot made;
      const Spot launched;
      Buffer<std::uint32_t> changed(*rig.device, 1, made);
      const auto count = [&](const char* how) {
        const bool clears = how == std::string_view("clears");
        return reportOf(*rig.device, [&] {
          rig.one->launch(
              "counting",
              [&, clears](LaunchContext& context) {
                (clears ? launchClearAndCount : launchCount)(context, rig.a.data(), changed.data(), n);
              },
              launched);
        });
      };
      const QString report = count("adds");
      REPORTS(report, deed("counting", 1, launched), QStringLiteral("allocated at ") + made.text());
      QVERIFY2(report.contains(QLatin1String("tests/gpu/simt/queue/queue_kernels.cpp:")), qPrintable(report));
      changed = Buffer<std::uint32_t>(*rig.device, 1);
      QCOMPARE(count("clears"), QString());
      changed = Buffer<std::uint32_t>(*rig.device, 1);
      rig.one->fill(changed.data(), 0, changed.bytes());
      QCOMPARE(count("adds"), QString());
      rig.device->synchronize();
      QCOMPARE(changed.download(), std::vector<std::uint32_t>{n});
    }
  }

  void theCallsOwnPlaceIsTheUsualOne() {
    Rig rig;
    rig.begin();
    const QString report = reportOf(*rig.device, [&] {
      rig.one->fill(rig.a.data(), 0, 4);
      rig.two->fill(rig.a.data(), 1, 4);
    });
    const auto at = [](int line) {
      return QStringLiteral("tests/gpu/simt/queue/tst_queue_reports.cpp:%1").arg(line);
    };
    constexpr int closing = __LINE__ - 4;
    REPORTS(report, at(closing - 2), at(closing - 1));
  }

  void memoryThatIsNotPinnedIsRefused() {
    Rig rig;
    rig.begin();
    std::vector<float> pageable(n);
    QVERIFY(reportOf(*rig.device, [&] {
              rig.one->upload(rig.a.data(), pageable.data(), 4);
            }).contains(QLatin1String("allocateHost()")));
    QCOMPARE(rig.rightAgain(), QString());
  }
};

QTEST_GUILESS_MAIN(TestQueueReports)
#include "tst_queue_reports.moc"

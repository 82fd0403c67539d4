// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/device_lease.hpp"

#include <QSignalSpy>
#include <QTest>

using namespace lloyd;

/// One machine, one measurement at a time.
class TestDeviceLease : public QObject {
  Q_OBJECT

private slots:
  void theSecondIsRefusedWithTheSentenceOfTheFirst() {
    DeviceLease lease;
    QVERIFY(!lease.held());
    QVERIFY(lease.whyNot().isEmpty());
    const DeviceLease::Hold race = lease.take(QStringLiteral("A race is being run"));
    QVERIFY(race != nullptr);
    QVERIFY(lease.held());
    QVERIFY(lease.take(QStringLiteral("A sweep is being run")) == nullptr);
    QCOMPARE(lease.whyNot(), QStringLiteral("A race is being run"));
  }

  void itIsFreeWhenItsHolderLetsGo() {
    DeviceLease lease;
    QSignalSpy changes(&lease, &DeviceLease::changed);
    QList<bool> held;
    connect(&lease, &DeviceLease::changed, this, [&] { held << lease.held(); });
    {
      DeviceLease::Hold first = lease.take(QStringLiteral("A race is being run"));
      const DeviceLease::Hold kept = std::move(first);
      QCOMPARE(changes.size(), 1);
      QVERIFY(lease.held());
    }
    QCOMPARE(held, (QList<bool>{true, false}));
    QVERIFY(lease.whyNot().isEmpty());
    QVERIFY(lease.take(QStringLiteral("A sweep is being run")) != nullptr);
  }

  void oneThatMakesWayRefusesNobodyAndIsToldOfItsEnd() {
    DeviceLease lease;
    DeviceLease::Hold benchmark = lease.takeUntilWanted();
    QVERIFY(lease.held() && lease.has(benchmark));
    QVERIFY(lease.whyNot().isEmpty());
    QVERIFY(lease.takeUntilWanted() == nullptr);
    QSignalSpy changes(&lease, &DeviceLease::changed);
    DeviceLease::Hold race = lease.take(QStringLiteral("A race is being run"));
    QCOMPARE(changes.size(), 1);
    QVERIFY(lease.has(race) && !lease.has(benchmark));
    benchmark.reset();
    QCOMPARE(changes.size(), 1);
    QVERIFY(lease.takeUntilWanted() == nullptr);
    race.reset();
    QCOMPARE(changes.size(), 2);
    QVERIFY(!lease.held());
  }

  void aHolderMayOutliveIt() {
    auto lease = std::make_unique<DeviceLease>();
    DeviceLease::Hold hold = lease->take(QStringLiteral("A race is being run"));
    lease.reset();
    hold.reset();
  }
};

QTEST_GUILESS_MAIN(TestDeviceLease)
#include "tst_device_lease.moc"

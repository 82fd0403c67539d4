// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/worker_thread.hpp"

#include <QTest>

#include <memory>
#include <thread>
#include <vector>

using namespace lloyd;

/// What worker threads give to the GUI thread.
class TestHandOver : public QObject {
  Q_OBJECT
private slots:
  void everythingArrivesInOrderOnTheGuiThread() {
    HandOver toGui;
    const auto gui = std::this_thread::get_id();
    std::vector<int> arrived;
    bool elsewhere = false;
    {
      WorkerThread worker;
      for (int i = 0; i < 1000; ++i) {
        worker.post([&, i] {
          toGui.post([&, i] {
            elsewhere = elsewhere || std::this_thread::get_id() != gui;
            arrived.push_back(i);
          });
        });
      }
      worker.waitUntilIdle();
    }
    QTRY_COMPARE(arrived.size(), std::size_t{1000});
    QVERIFY(!elsewhere);
    for (int i = 0; i < 1000; ++i)
      QCOMPARE(arrived[static_cast<std::size_t>(i)], i);
  }

  /// It may hold a device, which must not outlive whoever chose it.
  void whatIsOnItsWayGoesWithIt() {
    auto toGui = std::make_unique<HandOver>();
    const auto held = std::make_shared<int>(0);
    bool called = false;
    {
      WorkerThread worker;
      worker.post([&] { toGui->post([held, &called] { called = true; }); });
      worker.waitUntilIdle();
    }
    QCOMPARE(held.use_count(), 2L);
    toGui.reset();
    QCOMPARE(held.use_count(), 1L);
    QCoreApplication::processEvents();
    QVERIFY(!called);
  }

  void itMayEndInItsOwnTask() {
    auto toGui = std::make_unique<HandOver>();
    bool again = false;
    toGui->post([&] { toGui.reset(); });
    toGui->post([&] { again = true; });
    QTRY_VERIFY(!toGui);
    QCoreApplication::processEvents();
    QVERIFY(!again);
  }
};

QTEST_GUILESS_MAIN(TestHandOver)
#include "tst_hand_over.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/machine_load.hpp"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <QThread>

using namespace lloyd;

/// What others do on the machine.
class TestMachineLoad : public QObject {
  Q_OBJECT

private slots:
  void anotherProcessThatComputesIsSeen() {
    QProcess loop;
    loop.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("while :; do :; done")});
    QVERIFY(loop.waitForStarted());
    const MachineWatch watch;
    QThread::msleep(1500);
    const MachineLoad load = watch.load();
    loop.kill();
    QVERIFY(loop.waitForFinished());
    if (load.processors == 0) QSKIP("this system does not tell what its processors do");
    QVERIFY2(load.byOthers > 0.3, qPrintable(QString::number(load.byOthers)));
    QVERIFY(load.busy());
  }

  void ownWorkIsNotOthers() {
    const MachineWatch watch;
    QElapsedTimer timer;
    timer.start();
    double own = 0;
    while (timer.elapsed() < 1000)
      own += 1;
    const MachineLoad load = watch.load();
    // Whatever others do here, this process's second is not among it.
    QVERIFY2(load.byOthers <= load.processors - 0.2, qPrintable(QString::number(load.byOthers)));
    QVERIFY(own > 0);
  }

  void tooShortATimeSaysNothing() { QVERIFY(!MachineWatch().load().busy()); }

  void whatIsBusy() {
    QVERIFY(!MachineLoad{}.busy());
    QVERIFY((MachineLoad{.processors = 2, .byOthers = 1, .stolen = 0, .switchedAway = 0}).busy());
    QVERIFY((MachineLoad{.processors = 2, .byOthers = 0, .stolen = 0.5, .switchedAway = 0}).busy());
    QVERIFY(!(MachineLoad{.processors = 64, .byOthers = 0.05, .stolen = 0, .switchedAway = 9}).busy());
  }
};

QTEST_GUILESS_MAIN(TestMachineLoad)
#include "tst_machine_load.moc"

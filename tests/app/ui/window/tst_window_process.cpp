// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

#include <csignal>

using namespace lloyd;

/// The program with its window, started and ended as a desktop does. Nothing is set up for it but a folder of
/// settings that nobody else uses.
class TestWindowProcess : public QObject {
  Q_OBJECT
private slots:
  void whatIsChosenComesBackAtTheNextStart();
  void aPipeInThePlaceOfTheSettingsIsLeftAlone();

private:
  void startAndEnd(const QStringList& arguments, int signal);
  [[nodiscard]] QString setting(const char* name) const {
    return QSettings(folder_.filePath("lloydscope/lloydscope.conf"), QSettings::IniFormat)
        .value(name)
        .toString();
  }
  QTemporaryDir folder_;
};

namespace {

/// Whether the process ends a signal by itself, which its window does from the moment that it can be closed.
bool handles(const QProcess& process, int signal) {
  QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
  if (!status.open(QIODevice::ReadOnly)) return false;
  for (const QByteArray& line : status.readAll().split('\n')) {
    if (line.startsWith("SigCgt:"))
      return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1U) != 0;
  }
  return false;
}

} // namespace

void TestWindowProcess::startAndEnd(const QStringList& arguments, int signal) {
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_CONFIG_HOME", folder_.path());
  // Qt wants one that is the person's alone, and says so where there is none.
  const QString runtime = folder_.filePath("runtime");
  QVERIFY(QDir().mkpath(runtime) &&
          QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  environment.insert("XDG_RUNTIME_DIR", runtime);
  // What an unloaded driver leaves behind has no name that a list could hold; tests of the window look for
  // leaks.
  environment.insert("ASAN_OPTIONS", "detect_leaks=0");
  process.setProcessEnvironment(environment);
  process.start(programPath(), arguments);
  QVERIFY(process.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(process.state() != QProcess::Running || handles(process, signal), 30000);
  QCOMPARE(process.state(), QProcess::Running);
  QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
  QVERIFY(process.waitForFinished(30000));
  QCOMPARE(process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(process.exitCode(), 0);
  QCOMPARE(process.readAllStandardError(), QByteArray());
}

void TestWindowProcess::whatIsChosenComesBackAtTheNextStart() {
  startAndEnd({sampleData("iris.csv"), "--theme", "light", "--workspace", "teach"}, SIGTERM);
  QCOMPARE(setting("theme"), QString("light"));
  QCOMPARE(setting("workspace"), QString("teach"));
  // What a person has switched on while the window was open.
  {
    QSettings settings(folder_.filePath("lloydscope/lloydscope.conf"), QSettings::IniFormat);
    settings.setValue("restarts/shown", true);
    settings.setValue("restarts/count", 5);
  }
  // A start that read nothing would write its defaults over all of it.
  startAndEnd({}, SIGINT);
  QCOMPARE(setting("restarts/shown"), QString("true"));
  QCOMPARE(setting("restarts/count"), QString("5"));
  QCOMPARE(setting("theme"), QString("light"));
  QCOMPARE(setting("workspace"), QString("teach"));
}

/// Nobody writes to it, so whoever reads it waits for ever.
void TestWindowProcess::aPipeInThePlaceOfTheSettingsIsLeftAlone() {
  const QString path = folder_.filePath("lloydscope/lloydscope.conf");
  QVERIFY(QFile::remove(path) && ::mkfifo(QFile::encodeName(path).constData(), 0600) == 0);
  startAndEnd({sampleData("iris.csv"), "--theme", "light"}, SIGTERM);
  QVERIFY(!QFileInfo(path).isFile());
}

QTEST_GUILESS_MAIN(TestWindowProcess)
#include "tst_window_process.moc"

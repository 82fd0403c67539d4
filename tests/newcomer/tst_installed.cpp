// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has who installs the program and keeps neither its sources nor its build folder.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

class TestInstalled : public QObject {
  Q_OBJECT

  QTemporaryDir prefix_;

  [[nodiscard]] QString path(const char* name) const { return prefix_.filePath(QLatin1String(name)); }

private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable(QStringLiteral("cmake")).isEmpty())
      QSKIP("there is no cmake here to install with");
    if (!QFileInfo::exists(QStringLiteral(LLOYD_BUILD_DIR "/CMakeCache.txt")))
      QSKIP("the folder that this was built in is not here");
    QProcess install;
    install.setProcessChannelMode(QProcess::MergedChannels);
    install.start(QStringLiteral("cmake"),
                  {"--install", QStringLiteral(LLOYD_BUILD_DIR), "--prefix", prefix_.path()});
    QVERIFY2(install.waitForFinished(60'000) && install.exitCode() == 0, install.readAll().constData());
  }

  void aDesktopFindsIt() {
    const QString entry = QString::fromUtf8(readFile(path("share/applications/lloydscope.desktop")));
    const auto value = [&](const QString& key) {
      return entry.section(u'\n' + key + u'=', 1, 1).section(u'\n', 0, 0);
    };
    QVERIFY(QFileInfo(path("bin/") + value("Exec").section(u' ', 0, 0)).isExecutable());
    QVERIFY(QFileInfo::exists(path("share/icons/hicolor/scalable/apps/") + value("Icon") + ".svg"));
  }

  void itHasEveryVariant() {
    const QStringList all{"list", "variants", "--json"};
    const Outcome installed = runProgramAt(path("bin/lloydscope"), all);
    QVERIFY2(installed.status == 0, qPrintable(installed.text()));
    QVERIFY(installed.json().array().size() > 40);
    QCOMPARE(installed.json(), runProgram(all).json());
  }

  /// The headers that a kernel of a person's own includes come with the program.
  void itTriesAKernel() {
    const QString mine = path("mine.cu");
    QVERIFY(QFile::copy(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/reduce/v2_shared_tree.cu"), mine));
    const Outcome tried = runProgramAt(path("bin/lloydscope"), {"try", mine});
    QVERIFY2(tried.status == 0, qPrintable(tried.text()));
    QVERIFY2(tried.out.startsWith("reduce.mine is right."), tried.out.constData());
  }
};

QTEST_GUILESS_MAIN(TestInstalled)
#include "tst_installed.moc"

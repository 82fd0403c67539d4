// SPDX-License-Identifier: GPL-3.0-or-later
// What a newcomer does with docs/add-a-variant.md, done for real: its file is taken out of the page, put into
// a kernel folder, built, listed, verified and traced.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

using namespace lloyd;

namespace {

const QString kernelFolder = QStringLiteral(LLOYD_NEWCOMER_KERNELS);
const QString buildFolder = QStringLiteral(LLOYD_BUILD_DIR);
const QString program = QStringLiteral(LLOYD_NEWCOMER_PROGRAM);

/// The file that the page shows: where the page puts it, below gpu/kernels/, and its text.
struct Page {
  QString path;
  QByteArray text;
};

Page fileInPage() {
  const QString page = QString::fromUtf8(readFile(QStringLiteral(LLOYD_SOURCE_DIR "/docs/add-a-variant.md")));
  static const QRegularExpression block(
      QStringLiteral("<!-- newcomer: gpu/kernels/(\\S+) -->\\n```cpp\\n(.*?)```\\n<!-- /newcomer -->"),
      QRegularExpression::DotMatchesEverythingOption);
  const QRegularExpressionMatch match = block.match(page);
  return {match.captured(1), match.captured(2).toUtf8()};
}

/// "reduce/vote.cu" is reduce.vote.
QString idOf(const QString& path) {
  return QFileInfo(path).dir().dirName() + QLatin1Char('.') + QFileInfo(path).completeBaseName();
}

QJsonObject rowOf(const QJsonArray& rows, const char* key, const QString& id) {
  for (const auto& row : rows)
    if (row.toObject()[key].toString() == id) return row.toObject();
  return {};
}

} // namespace

class TestNewcomer : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() {
    if (QStandardPaths::findExecutable(QStringLiteral("cmake")).isEmpty())
      QSKIP("there is no cmake here to build with");
    if (!QFileInfo::exists(buildFolder + QStringLiteral("/CMakeCache.txt")))
      QSKIP("the folder that this was built in is not here");
  }

  void thePageShowsAFileThatIsNotThereYet() {
    page_ = fileInPage();
    QVERIFY2(!page_.path.isEmpty(), "docs/add-a-variant.md shows no file between its newcomer marks");
    id_ = idOf(page_.path);
    QVERIFY(!QFileInfo::exists(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/") + page_.path));
    const Outcome before = runProgram({"list", "variants", "--json"});
    QCOMPARE(before.status, 0);
    QVERIFY(rowOf(before.json().array(), "id", id_).isEmpty());
  }

  void itBuilds() {
    QVERIFY(!page_.path.isEmpty());
    QVERIFY(QDir(kernelFolder).removeRecursively());
    const QString path = kernelFolder + QLatin1Char('/') + page_.path;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QVERIFY(writeFile(path, page_.text));
    QProcess build;
    build.setProcessChannelMode(QProcess::MergedChannels);
    build.start(QStringLiteral("cmake"), {"--build", buildFolder, "--target", "lloydscope_newcomer"});
    const bool ended = build.waitForFinished(600'000);
    QVERIFY2(ended && build.exitStatus() == QProcess::NormalExit && build.exitCode() == 0,
             build.readAll().right(4000).constData());
    built_ = true;
  }

  void itAppears() {
    QVERIFY(built_);
    const Outcome outcome = runProgramAt(program, {"list", "variants", "--json"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject row = rowOf(outcome.json().array(), "id", id_);
    QVERIFY2(!row.isEmpty(), qPrintable(id_ + " is not listed"));
    QVERIFY(row["backends"].toArray().contains("simt"));
    QVERIFY(row["parameters"].toObject().contains("block"));
  }

  void itVerifies() {
    QVERIFY(built_);
    const Outcome outcome =
        runProgramAt(program, {"verify", "--variants", id_, "--backend", "simt", "--quiet", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonArray devices = outcome.json().object()["devices"].toArray();
    const QJsonObject row = rowOf(devices.first().toObject()["results"].toArray(), "variant", id_);
    QVERIFY(row["passed"].toInt() > 50);
    QCOMPARE(row["failed"].toInt(), 0);
  }

  void itTraces() {
    QVERIFY(built_);
    const Outcome outcome = runProgramAt(
        program, {"trace", "--variants", id_, "--n", "4096", "--ks", "4", "--quiet", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject row = rowOf(outcome.json().array(), "variant", id_);
    const QJsonObject counters = row["counters"].toObject();
    QVERIFY(counters["global_load_requests"].toInt() > 0);
    QVERIFY(counters["warp_collectives"].toInt() > 0);
    QCOMPARE(row["races"].toInt(-1), 0);
    QVERIFY(row["faults"].toArray().isEmpty());
  }

private:
  Page page_;
  QString id_;
  bool built_ = false;
};

QTEST_GUILESS_MAIN(TestNewcomer)
#include "tst_newcomer.moc"

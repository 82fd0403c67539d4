// SPDX-License-Identifier: GPL-3.0-or-later
// The lists, the help, and the manual's tables of subcommands and options.
#include "app/cli/options.hpp"
#include "app/text/strings.hpp"
#include "tests/app/cli/program.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QTest>

using namespace lloyd;

namespace {

void requireKeys(const QJsonArray& rows, std::initializer_list<const char*> keys) {
  QVERIFY(!rows.isEmpty());
  for (const auto& row : rows)
    for (const char* key : keys)
      QVERIFY2(row.toObject().contains(key), key);
}

} // namespace

class TestList : public QObject {
  Q_OBJECT

private slots:
  void variantsHaveTheirKeys() {
    const Outcome outcome = runProgram({"list", "variants", "--json"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonArray rows = outcome.json().array();
    requireKeys(
        rows, {"id", "stage", "name", "idea", "backends", "published_us", "source", "lesson", "parameters"});
    for (const auto& row : rows) {
      QVERIFY(QFileInfo::exists(QStringLiteral(LLOYD_SOURCE_DIR "/") + row.toObject()["source"].toString()));
      const QJsonValue lesson = row.toObject()["lesson"];
      QVERIFY(lesson.isNull() || QFileInfo::exists(QStringLiteral(LLOYD_SOURCE_DIR "/") + lesson.toString()));
      if (row.toObject()["id"] == "classify.v1")
        QCOMPARE(lesson.toString(), QString("resources/lessons/classify.v1.md"));
    }
  }

  void devicesHaveTheirKeys() {
    const Outcome outcome = runProgram({"list", "devices", "--json"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject json = outcome.json().object();
    for (const char* key : {"backend", "interop", "why", "devices"})
      QVERIFY2(json.contains(key), key);
    requireKeys(json["devices"].toArray(), {"name", "backend", "compute_capability", "memory_bytes", "driver",
                                            "runtime", "usable", "why"});
    const QJsonArray devices = json["devices"].toArray();
    QVERIFY(devices.size() >= 2);
    const QJsonObject cpu = devices[devices.size() - 2].toObject();
    QCOMPARE(cpu["backend"].toString(), QString("cpu"));
    QCOMPARE(cpu["simulated"].toBool(true), false);
    QVERIFY(cpu["memory_bytes"].toDouble() > 0);
    const QJsonObject simulator = devices.last().toObject();
    QCOMPARE(simulator["backend"].toString(), QString("simt"));
    QCOMPARE(simulator["name"].toString(), QString("SIMT simulator"));
    QCOMPARE(simulator["simulated"].toBool(), true);
    QCOMPARE(simulator["usable"].toBool(), true);
  }

  void withoutAGpuTheReasonIsSaid() {
    QProcessEnvironment without;
    without.insert("CUDA_VISIBLE_DEVICES", "");
    const QJsonObject json = runProgram({"list", "devices", "--json"}, without).json().object();
    QCOMPARE(json["backend"].toString(), QString("cpu"));
    QCOMPARE(json["interop"].toString(), QString("none"));
    QVERIFY(!json["why"].toString().isEmpty());
  }

  void generatorsAndFormatsAreNamed() {
    const QByteArray generators = runProgram({"list", "generators"}).out;
    for (const char* name : {"drift", "blobs", "uniform", "rings", "moons", "anisotropic", "bands"})
      QVERIFY2(generators.contains(name), name);
    requireKeys(runProgram({"list", "generators", "--json"}).json().array(), {"name", "idea", "keys"});
    requireKeys(runProgram({"list", "formats", "--json"}).json().array(),
                {"name", "extensions", "reads", "writes"});
  }

  /// What README.md's table is made of.
  void stepsHaveTheirKeysAndTheirRule() {
    const Outcome listed = runProgram({"list", "steps", "--json"});
    QVERIFY2(listed.status == 0, qPrintable(listed.text()));
    const QJsonArray steps = listed.json().array();
    QCOMPARE(steps.size(), 12);
    requireKeys(steps, {"variant", "before", "there", "printed", "here", "judgement", "cells"});
    for (const auto& step : steps)
      QCOMPARE(step.toObject()["cells"].toArray().size(), 6);
    const QByteArray text = runProgram({"list", "steps"}).out;
    QVERIFY2(text.contains("classify.v2 after v1") && text.contains("A step holds when "), text.constData());
  }

  void everyCommandExplainsItself() {
    for (const char* command : {"", "run", "bench", "verify", "trace", "shot", "list"}) {
      const Outcome outcome = runProgram((*command ? QStringList{command} : QStringList()) << "--help");
      QCOMPARE(outcome.status, 0);
      QVERIFY(outcome.err.isEmpty());
      QVERIFY(outcome.out.startsWith("Usage: lloydscope"));
      QVERIFY(outcome.out.contains("--log-level"));
    }
    QCOMPARE(runProgram({"--version"}).out, QByteArray("lloydscope " LLOYD_VERSION "\n"));
  }

  void helpIsASubcommandToo() {
    QCOMPARE(runProgram({"help"}).out, runProgram({"--help"}).out);
    QCOMPARE(runProgram({"help", "help"}).out, runProgram({"--help"}).out);
    for (const SubcommandSpec& spec : subcommandTable()) {
      if (spec.name.empty()) continue;
      const Outcome outcome = runProgram({"help", qtext(spec.name)});
      QCOMPARE(outcome.status, 0);
      QVERIFY(outcome.err.isEmpty());
      QVERIFY2(outcome.out.startsWith("Usage: lloydscope " + qtext(spec.name).toUtf8()), outcome.out);
      QCOMPARE(outcome.out, runProgram({qtext(spec.name), "--help"}).out);
    }
    const Outcome unknown = runProgram({"help", "rnu"});
    QCOMPARE(unknown.status, 2);
    QCOMPARE(unknown.err,
             QByteArray("lloydscope: there is no subcommand 'rnu'; lloydscope help lists them\n"));
    QCOMPARE(runProgram({"help", "run", "bench"}).status, 2);
  }

  /// A word means one thing to try and another to what takes points.
  void tryExplainsItsFile() {
    const QByteArray help = runProgram({"try", "--help"}).out;
    QVERIFY2(help.contains("a kernel file of your own, as in mine.cu; of a schedule") &&
                 !help.contains("CSV, TSV"),
             help);
    QVERIFY(runProgram({"run", "--help"}).out.contains("CSV, TSV or XYZ text"));
  }

  void theManualHasTheSubcommands() {
    const QString manual = QString::fromUtf8(readFile(QStringLiteral(LLOYD_SOURCE_DIR "/docs/manual.md")));
    const QString table = manual.section("| command | does |\n", 1).section("\n\n", 0, 0);
    QStringList told;
    for (const QString& row : table.split('\n').mid(1))
      told << row.section('|', 1, 1).trimmed().remove('`');
    QStringList known{"(none)", "help"};
    for (const SubcommandSpec& spec : subcommandTable())
      if (!spec.name.empty()) known << qtext(spec.name);
    told.sort();
    known.sort();
    QCOMPARE(told, known);
  }

  void theManualHasTheOptions() {
    const QByteArray table = runProgram({"list", "options"}).out;
    const QByteArray manual = readFile(QStringLiteral(LLOYD_SOURCE_DIR "/docs/manual.md"));
    const QByteArray start = "<!-- options -->\n";
    const QByteArray stop = "<!-- /options -->";
    const qsizetype from = manual.indexOf(start);
    const qsizetype to = manual.indexOf(stop);
    const bool same =
        from >= 0 && to > from && manual.mid(from + start.size(), to - from - start.size()) == table;
    if (!same)
      qInfo("docs/manual.md should have this:\n%s%s%s", start.constData(), table.constData(),
            stop.constData());
    QVERIFY2(same, "docs/manual.md differs from 'lloydscope list options'");
  }
};

QTEST_GUILESS_MAIN(TestList)
#include "tst_cli_list.moc"

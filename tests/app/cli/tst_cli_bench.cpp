// SPDX-License-Identifier: GPL-3.0-or-later
// What "bench" reports. Nothing here depends on how fast this machine is.
#include "tests/app/cli/program.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

class TestBench : public QObject {
  Q_OBJECT

private slots:
  void everyVariantHasARow() {
    const Outcome outcome = runProgram({"bench", "--points", "blobs:d=2", "--n", "2^12,5e3", "--ks", "4,16",
                                        "--backend", "cpu", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject json = outcome.json().object();
    QVERIFY(!json["device"].toObject()["name"].toString().isEmpty());
    int measured = 0;
    for (const auto& value : json["results"].toArray()) {
      const QJsonObject row = value.toObject();
      for (const char* key :
           {"variant",      "stage",     "n",          "d",          "k",         "block",
            "items",        "vector",    "unroll",     "arithmetic", "streams",   "late",
            "samples",      "median_us", "p95_us",     "min_us",     "iqr_us",    "noise",
            "bytes",        "gb_per_s",  "limit_us",   "of_limit",   "registers", "shared_bytes",
            "local_bytes",  "occupancy", "verified",   "skipped",    "rank",      "against_first",
            "published_us", "launches",  "samples_us", "finished"})
        QVERIFY2(row.contains(key), key);
      if (!row["skipped"].isNull()) {
        QVERIFY(row["median_us"].isNull());
        continue;
      }
      ++measured;
      QVERIFY2(row["verified"].toBool(), qPrintable(row["variant"].toString()));
      QVERIFY(row["rank"].toInt() >= 1);
      QVERIFY(row["launches"].toInt() >= 1);
      QVERIFY(row["samples"].toInt() >= 5);
      QVERIFY(row["samples_us"].toArray().size() >= row["samples"].toInt());
      QVERIFY(row["min_us"].toDouble() > 0);
      QVERIFY(row["min_us"].toDouble() <= row["median_us"].toDouble());
      QVERIFY(row["median_us"].toDouble() <= row["p95_us"].toDouble());
      QCOMPARE(row["of_limit"].isNull(), row["limit_us"].isNull());
      QVERIFY(row["of_limit"].isNull() ||
              (row["of_limit"].toDouble() > 0 && row["of_limit"].toDouble() <= 1));
      QVERIFY(row["limit_us"].toDouble() <= row["median_us"].toDouble());
    }
    // Two sizes, two k, and nine stages: cpu.v1 and cpu.v2 classify and reduce, cpu.v3 is fused, cpu.v4
    // classifies and is fused, update.v1 updates, schedule.graph repeats.
    QCOMPARE(measured, 2 * 2 * 9);
    const QJsonArray races = json["races"].toArray();
    QCOMPARE(races.size(), 4);
    for (const auto& value : races) {
      const QJsonObject race = value.toObject();
      QVERIFY(race["finished"].toBool());
      QCOMPARE(race["cache"].toString(), QString("hot"));
      QVERIFY(race["rounds"].toInt() >= 5);
    }
    // The seed is in the command that repeats it, though nobody typed it; the output's name is not.
    QCOMPARE(json["command"].toString(),
             QString("lloydscope bench --points blobs:d=2 --seed 1 --backend cpu --n 2^12,5e3 --ks 4,16"));
  }

  void aScheduleIsTimedByTheIteration() {
    const QStringList words{"bench",
                            "--points",
                            "uniform:d=2",
                            "--n",
                            "5000",
                            "--k",
                            "8",
                            "--backend",
                            "cpu",
                            "--variants",
                            "schedule.*,fused.*,cpu.v3",
                            "--fused",
                            "cpu.v3",
                            "--budget",
                            "0.01"};
    const Outcome outcome = runProgram(words + QStringList{"--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QJsonObject schedule;
    QJsonObject pass;
    for (const auto& value : outcome.json().object()["results"].toArray()) {
      const QJsonObject row = value.toObject();
      if (row["variant"] == "schedule.graph") schedule = row;
      if (row["variant"] == "cpu.v3") pass = row;
    }
    QCOMPARE(schedule["stage"].toString(), QString("iterate"));
    QVERIFY2(schedule["verified"].toBool(), qPrintable(schedule["difference"].toString()));
    QVERIFY(schedule["median_us"].toDouble() > 0);
    QVERIFY(pass["verified"].toBool() && pass["note"].isNull());
    QCOMPARE(schedule["bytes"].toInt(), pass["bytes"].toInt());
    QVERIFY(schedule["note"].toString().contains("one iteration") &&
            schedule["note"].toString().contains("cpu.v3"));
    const Outcome text = runProgram(words);
    QVERIFY2(text.out.contains("schedule.graph (iterate): one iteration"), text.out.constData());
    // A pass that this device does not have is a reason not to run.
    const Outcome other = runProgram({"bench", "--n", "5000", "--backend", "cpu", "--variants", "schedule.*",
                                      "--fused", "fused.v1", "--budget", "0.01"});
    QVERIFY2(other.out.contains("fused.v1 needs a CUDA device"), qPrintable(other.text()));
  }

  void aPresetStandsForItsOptions() {
    const QStringList words{"bench", "--preset", "scheduling", "--n",    "4096", "--backend",
                            "cpu",   "--budget", "0.01",       "--json", "-"};
    const Outcome outcome = runProgram(words);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.err.contains("classify.v7 and reduce.v5 cannot run here"), outcome.err.constData());
    const QJsonObject json = outcome.json().object();
    // What is given counts, and the command that repeats it names no preset.
    const QString command = json["command"].toString();
    QVERIFY2(command.contains("--n 4096") && command.contains("--late 5") &&
                 command.contains("--init bands") && command.contains("bands:spread=0") &&
                 !command.contains("preset"),
             qPrintable(command));
    std::size_t measured = 0;
    for (const auto& value : json["results"].toArray()) {
      const QJsonObject row = value.toObject();
      if (row["variant"] == "schedule.graph") continue;
      QCOMPARE(row["stage"].toString(), QString("sets"));
      QVERIFY2(row["verified"].toBool(), qPrintable(row["difference"].toString()));
      QVERIFY2(row["note"].toString().contains("each of 7 iterations, of which 2 were needed"),
               qPrintable(row["note"].toString()));
      ++measured;
    }
    QCOMPARE(measured, std::size_t{6});
    // A schedule with one queue has no use for the preset's number of them.
    const Outcome one = runProgram(words + QStringList{"--variants", "schedule.single"});
    QVERIFY2(one.status == 0 && !one.json().object()["command"].toString().contains("--streams"),
             qPrintable(one.text()));
    const Outcome wrong = runProgram({"bench", "--preset", "reduction"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains("one of scheduling"), wrong.err.constData());
  }

  void schedulesAreRecordedBehindTheRace() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.svg");
    const QString html = folder.filePath("r.html");
    const QStringList words{"bench", "--n", "2000", "--k", "4", "--backend", "cpu", "--budget", "0.01"};
    const Outcome outcome =
        runProgram(words + QStringList{"--variants", "schedule.*", "--timeline", path, "--html", html});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    // Neither the command that repeats it nor a second measurement writes the file again.
    const QByteArray command =
        runProgram(words + QStringList{"--variants", "schedule.sync", "--timeline", path, "--json", "-"})
            .json()
            .object()["command"]
            .toString()
            .toUtf8();
    QVERIFY2(command.contains("--variants") && !command.contains("--timeline"), command.constData());
    const QByteArray one = readFile(path);
    QVERIFY(one.contains(">schedule.sync") && !one.contains(">schedule.multi"));
    QVERIFY(runProgram(words + QStringList{"--variants", "schedule.*", "--timeline", path}).status == 0);
    const QByteArray picture = readFile(path);
    const QByteArray page = readFile(html);
    QVERIFY(page.contains("<h3>Timelines</h3>"));
    QCOMPARE(page.count("<svg class=\"timeline\""), qsizetype{6});
    for (const char* id : {"sync", "single", "multi", "prefetch", "unordered", "batched"})
      QVERIFY2(picture.contains(QByteArray(">schedule.") + id), id);
    const Outcome none = runProgram(words + QStringList{"--variants", "cpu.*", "--timeline", path});
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("--variants 'schedule.*'"), none.err.constData());
    const Outcome tuned = runProgram({"bench", "--tune", "--backend", "cpu", "--timeline", path});
    QCOMPARE(tuned.status, 2);
    QVERIFY2(tuned.err.contains("--timeline"), tuned.err.constData());
  }

  void cachesAndBudgetAreAsAskedFor() {
    const Outcome outcome = runProgram({"bench", "--n", "2000", "--backend", "cpu", "--variants", "cpu.v3",
                                        "--cache", "cold", "--budget", "0.01", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QCOMPARE(outcome.json().object()["races"].toArray()[0].toObject()["cache"].toString(), QString("cold"));
    for (const auto& wrong : {QStringList{"--cache", "warm"}, QStringList{"--budget", "-1"},
                              QStringList{"--budget", "soon"}, QStringList{"--html", "/nowhere/a.html"}}) {
      const Outcome refused = runProgram(QStringList{"bench", "--n", "2000", "--backend", "cpu"} + wrong);
      QVERIFY2(refused.status == 2, qPrintable(refused.text()));
      QVERIFY(refused.err.contains(wrong[wrong[0] == "--html" ? 1 : 0].toUtf8()));
    }
  }

  void theCommandThatRepeatsItIsQuoted() {
    QTemporaryDir folder;
    const QString name = folder.filePath("it's <b>& \"two\".csv");
    QVERIFY(writeFile(name, "x,y\n1,2\n3,4\n5,6\n7,9\n"));
    const QString html = folder.filePath("r.html");
    const Outcome outcome = runProgram({"bench", name, "--ks", "2", "--backend", "cpu", "--variants",
                                        "cpu.v3", "--json", "-", "--html", html});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QString command = outcome.json().object()["command"].toString();
    const QString quoted = QString(name).replace("'", "'\\''");
    QVERIFY2(command.startsWith("lloydscope bench '" + quoted + "' --seed 1"), qPrintable(command));
    QVERIFY(!readFile(html).contains("<b>& "));
  }

  void patternsChooseVariants() {
    const Outcome outcome = runProgram({"bench", "--n", "2000", "--variants", "cpu.v[12],update.*",
                                        "--backend", "cpu", "--json", "-", "--quiet"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QStringList ids;
    for (const auto& row : outcome.json().object()["results"].toArray())
      ids << row.toObject()["variant"].toString();
    ids.removeDuplicates();
    ids.sort();
    QCOMPARE(ids, (QStringList{"cpu.v1", "cpu.v2", "update.v1"}));
  }

  void reportsComeInEveryForm() {
    QTemporaryDir folder;
    const QString csv = folder.filePath("bench.csv");
    const QString markdown = folder.filePath("bench.md");
    const Outcome outcome = runProgram({"bench", sampleData("faithful.csv"), "--ks", "2", "--backend", "cpu",
                                        "--variants", "cpu.v3", "--csv", csv, "--markdown", markdown});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(readFile(csv).startsWith("variant,stage,n,d,k,"));
    QCOMPARE(readFile(csv).count('\n'), 2);
    QVERIFY(readFile(markdown).contains("| cpu.v3 |"));
    QVERIFY(outcome.out.contains("cpu.v3"));
    QVERIFY(outcome.out.contains("272 points"));
  }

  /// Two orders by two spreads are four races, each on points of its own, told apart in every form.
  void theDataIsSwept() {
    QTemporaryDir folder;
    const QString html = folder.filePath("data.html");
    const QString csv = folder.filePath("data.csv");
    const QString json = folder.filePath("data.json");
    const Outcome outcome = runProgram({"bench", "--points",   "blobs:d=2", "--n",      "3000", "--order",
                                        "1,0",   "--spread",   "0.5,4",     "--k",      "4",    "--backend",
                                        "cpu",   "--variants", "cpu.v[12]", "--budget", "0.02", "--html",
                                        html,    "--csv",      csv,         "--json",   json,   "--quiet"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject report = QJsonDocument::fromJson(readFile(json)).object();
    QStringList sources;
    for (const auto& race : report["races"].toArray())
      sources << race.toObject()["source"].toString();
    QCOMPARE(sources, (QStringList{"blobs:d=2,order=0,spread=0.5", "blobs:d=2,order=0,spread=4",
                                   "blobs:d=2,order=1,spread=0.5", "blobs:d=2,order=1,spread=4"}));
    QVERIFY(report["command"].toString().contains(" --order 1,0 --spread 0.5,4 "));
    // Two variants classify and reduce.
    QCOMPARE(report["results"].toArray().size(), 4 * 4);
    for (const QString& source : sources) {
      QCOMPARE(readFile(csv).count(',' + ('"' + source + '"').toUtf8() + ','), 4);
      QVERIFY(outcome.out.contains(("k = 4, " + source + '\n').toUtf8()));
    }
    const QByteArray page = readFile(html);
    QCOMPARE(page.count("class=\"sweep map"), 2);
    QCOMPARE(page.count("class=\"sweep lines"), 2 * (2 + 2));
    QVERIFY(page.contains("<b>reduce over share of shuffled points and spread of clusters</b>"));
  }

  void tuningParametersAreSweptOnAGpu() {
    if (!hasCuda()) QSKIP("no GPU that can be used: tuning parameters are CUDA variants' alone");
    const Outcome outcome =
        runProgram({"bench", "--n", "2^16", "--points", "uniform:d=2", "--variants", "classify.v7", "--block",
                    "64:256", "--items", "1,4", "--unroll", "4", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonArray rows = outcome.json().object()["results"].toArray();
    QCOMPARE(rows.size(), 6);
    for (const auto& row : rows) {
      QCOMPARE(row.toObject()["unroll"].toInt(), 4);
      QVERIFY(row.toObject()["registers"].toInt() > 0);
      QVERIFY(row.toObject()["occupancy"].toDouble() > 0);
      QVERIFY(row.toObject()["verified"].toBool());
    }
    const Outcome outside =
        runProgram({"bench", "--n", "2^16", "--variants", "classify.v7", "--block", "48"});
    QCOMPARE(outside.status, 2);
    QVERIFY(outside.err.contains("32, 64"));
  }
};

QTEST_GUILESS_MAIN(TestBench)
#include "tst_cli_bench.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What "run" prints and writes.
#include "app/data/read/npy.hpp"
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/types.h>

#include <array>
#include <cmath>
#include <csignal>
#include <set>

using namespace lloyd;

namespace {

const QByteArray sixPoints = "x,y,name\n0,0,a\n0,1,b\nnan,3,c\n10,10,d\n10,11,e\n4,inf,f\n";

/// What stands before n x d values of four bytes.
QByteArray npyHeader(std::uint64_t n, std::uint64_t d) {
  const std::array<std::uint64_t, 2> shape{n, d};
  return QByteArray::fromStdString(npyHeaderBytes("<f4", shape));
}

} // namespace

class TestRun : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString inFolder(const QString& name) const { return folder_.filePath(name); }

private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    QVERIFY(writeFile(inFolder("six.csv"), sixPoints));
  }

  void theSimulatorSaysThatItsTimesAreSimulated() {
    const QStringList common{"run", sampleData("faithful.csv"), "--k", "3", "--json", "-", "--backend"};
    const QJsonObject cpu = runProgram(common + QStringList{"cpu"}).json().object();
    const QJsonObject simt = runProgram(common + QStringList{"simt"}).json().object();
    QCOMPARE(simt["backend"].toString(), QString("simt"));
    QCOMPARE(simt["device"].toObject()["name"].toString(), QString("SIMT simulator"));
    QCOMPARE(simt["simulated"].toBool(), true);
    QCOMPARE(cpu["simulated"].toBool(true), false);
    QCOMPARE(simt["variants"].toObject()["classify"].toString(), QString("classify.v7"));
    QCOMPARE(simt["sizes"].toArray(), cpu["sizes"].toArray());
    QCOMPARE(simt["iterations"].toInt(), cpu["iterations"].toInt());
    const Outcome text = runProgram({"run", sampleData("faithful.csv"), "--k", "3", "--backend", "simt"});
    QCOMPARE(text.status, 0);
    QVERIFY(text.out.contains("classify.v7, simulated"));
    QVERIFY(text.out.contains("not a GPU's"));
  }

  void centroidsFarFromZeroAreToldApart() {
    const QString far = inFolder("far.csv");
    QVERIFY(writeFile(far, "x,y\n1000000.25,2\n1000000.5,2\n1000002.5,3\n1000003,3\n"));
    const QStringList words{"run", far, "--k", "2", "--backend", "cpu", "--markdown", "-"};
    const QByteArray report = runProgram(words).out;
    QVERIFY2(report.contains("| 1,000,000.3750 | 2.00000 |"), report.constData());
    QVERIFY2(report.contains("| 1,000,002.7500 | 3.00000 |"), report.constData());
  }

  void oneIsNoPlural() {
    const QString odd = inFolder("odd.csv");
    QVERIFY(writeFile(odd, "x\nnan\n2\n"));
    const Outcome one = runProgram({"run", odd, "--k", "1", "--backend", "cpu", "--iterations", "1"});
    QVERIFY2(one.out.contains("odd.csv: 1 point, 1 dimension, 1 row dropped\n"), qPrintable(one.text()));
    QVERIFY2(one.err.contains("not converged after 1 iteration\n"), qPrintable(one.text()));
  }

  void inertiaKeepsWhatIsBeforeItsPoint() {
    const QString wide = inFolder("wide.csv");
    QVERIFY(writeFile(wide, "x\n0\n2468\n100000\n102470\n"));
    const QByteArray report = runProgram({"run", wide, "--k", "2", "--backend", "cpu"}).out;
    QVERIFY2(report.contains("6,095,962\n"), report.constData());
  }

  void restartsAreTheRunsOfTheirSeeds_data() {
    QTest::addColumn<QStringList>("how");
    QTest::newRow("cpu") << QStringList{"--backend", "cpu"};
    QTest::newRow("cpu, graph") << QStringList{"--backend", "cpu", "--schedule", "graph"};
    QTest::newRow("cpu, multi") << QStringList{"--backend", "cpu", "--schedule", "multi", "--streams", "3"};
    QTest::newRow("simt") << QStringList{"--backend", "simt", "--iterations", "4"};
    QTest::newRow("simt, prefetch") << QStringList{"--backend",  "simt",     "--iterations", "4",
                                                   "--schedule", "prefetch", "--late",       "1"};
  }

  /// However runs are ordered, they are the same runs: one after another, one iteration at a time.
  void schedulesOfSetsFindWhatSingleRunsFind() {
    const QStringList words{"run",        sampleData("iris.csv"),
                            "--k",        "5",
                            "--restarts", "7",
                            "--init",     "random",
                            "--backend",  "cpu",
                            "--json",     "-"};
    const QJsonObject one = runProgram(words).json().object();
    for (const char* schedule : {"sync", "single", "multi", "prefetch", "unordered"}) {
      const QJsonObject all = runProgram(words + QStringList{"--schedule", schedule}).json().object();
      for (const char* key : {"seed", "inertia", "iterations", "sizes", "centroids", "restarts", "converged"})
        QCOMPARE(all[key], one[key]);
    }
  }

  /// The record is another run: what is reported stays as it is.
  void aScheduleIsRecorded() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("t.json");
    const QStringList words{"run",        sampleData("iris.csv"),
                            "--k",        "5",
                            "--restarts", "3",
                            "--init",     "random",
                            "--backend",  "cpu",
                            "--schedule", "multi",
                            "--streams",  "2",
                            "--json",     "-"};
    const QJsonObject plain = runProgram(words).json().object();
    const Outcome recorded = runProgram(words + QStringList{"--timeline", path});
    QVERIFY2(recorded.status == 0, qPrintable(recorded.text()));
    for (const char* key : {"seed", "inertia", "iterations", "centroids", "restarts"})
      QCOMPARE(recorded.json().object()[key], plain[key]);
    const QJsonObject trace = QJsonDocument::fromJson(readFile(path)).object();
    QStringList names;
    std::set<int> sets;
    for (const auto& value : trace["traceEvents"].toArray()) {
      const QJsonObject event = value.toObject();
      if (event["ph"] == "M") names << event["args"].toObject()["name"].toString();
      if (event["cat"] == "kernel") sets.insert(event["args"].toObject()["set"].toInt());
    }
    QVERIFY(names.contains("schedule.multi, k = 5") && names.contains("queue 2") && names.contains("host"));
    QVERIFY(!names.contains("queue 3"));
    QVERIFY((sets == std::set<int>{1, 2, 3}));
    // The sets of both k run at once; the simulator has steps.
    const QString table = folder.filePath("t.csv");
    const Outcome two =
        runProgram({"run", "--points", "uniform:n=60,d=2", "--ks", "2,3", "--restarts", "2", "--backend",
                    "simt", "--schedule", "prefetch", "--iterations", "3", "--timeline", table});
    QVERIFY2(two.status == 0, qPrintable(two.text()));
    const QByteArray csv = readFile(table);
    QVERIFY(csv.startsWith("run,row,kind,what,set,begin (step)"));
    QVERIFY(csv.contains("\"schedule.prefetch, k = 2 to 3\"") && csv.contains(",4,"));
  }

  void whatCannotBeRecordedIsRefused() {
    const QStringList words{"run", sampleData("iris.csv"), "--k", "3", "--backend", "cpu"};
    const Outcome single = runProgram(words + QStringList{"--timeline", "t.json"});
    QCOMPARE(single.status, 2);
    QVERIFY2(single.err.contains("--schedule multi"), single.err.constData());
    const Outcome named = runProgram(words + QStringList{"--schedule", "multi", "--timeline", "t.png"});
    QCOMPARE(named.status, 2);
    QVERIFY2(named.err.contains("ends in .json, .csv or .svg"), named.err.constData());
    QVERIFY(!QFile::exists("t.json") && !QFile::exists("t.png"));
  }

  void pointsThatTheDeviceHasNoMemoryForGiveTheSame_data() {
    QTest::addColumn<QStringList>("how");
    QTest::addColumn<int>("limit");
    QTest::newRow("cpu") << QStringList{"--backend", "cpu", "--k", "16", "--restarts", "2"} << 800000;
    QTest::newRow("cpu, apart") << QStringList{"--backend", "cpu",      "--k",    "5",      "--classify",
                                               "cpu.v2",    "--reduce", "cpu.v1", "--init", "random"}
                                << 800000;
    QTest::newRow("cpu, little") << QStringList{"--backend",  "cpu",    "--k",      "5",
                                                "--classify", "cpu.v2", "--reduce", "cpu.v2"}
                                 << 200000;
    QTest::newRow("simt") << QStringList{"--backend", "simt",         "--k", "7",      "--fused",
                                         "fused.v3",  "--iterations", "2",   "--init", "first"}
                          << 800000;
  }
  /// Read from a file that is mapped, and made by a generator; labels and centroids are the same files.
  void pointsThatTheDeviceHasNoMemoryForGiveTheSame() {
    QFETCH(QStringList, how);
    QFETCH(int, limit);
    constexpr int points = 100000;
    const QString file = inFolder("points.npy");
    QByteArray values = npyHeader(points, 2);
    for (int i = 0; i < 2 * points; ++i) {
      const auto value = static_cast<float>((i % 2 == 0 ? 1 : 3) * (i / 2 % 7) + (i * 7919 % 1009) * 0.001);
      values.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    QVERIFY(writeFile(file, values));
    QProcessEnvironment little;
    little.insert(QStringLiteral("LLOYD_MEMORY_LIMIT"), QString::number(limit));
    const QStringList generated{"--points", "blobs:n=100000,d=2,k=7"};
    for (const QStringList& source : {QStringList{file}, generated}) {
      const auto run = [&](const QString& name, const QProcessEnvironment& changes) {
        return runProgram(QStringList{"run"} + source + how +
                              QStringList{"--json", "-", "--labels-out", inFolder(name + "-l.npy"),
                                          "--centroids-out", inFolder(name + "-c.npy")},
                          changes);
      };
      for (const char* old : {"whole-l.npy", "whole-c.npy", "parts-l.npy", "parts-c.npy"})
        QFile::remove(inFolder(old));
      const Outcome whole = run("whole", {});
      const Outcome parts = run("parts", little);
      QCOMPARE(whole.status, 0);
      QVERIFY2(parts.status == 0, qPrintable(parts.text()));
      const QJsonObject right = whole.json().object();
      const QJsonObject found = parts.json().object();
      for (const char* key : {"seed", "iterations", "sizes", "centroids", "converged", "data"})
        QCOMPARE(found[key], right[key]);
      QVERIFY(std::abs(found["inertia"].toDouble() / right["inertia"].toDouble() - 1) < 1e-12);
      QCOMPARE(readFile(inFolder("parts-l.npy")), readFile(inFolder("whole-l.npy")));
      QCOMPARE(readFile(inFolder("parts-c.npy")), readFile(inFolder("whole-c.npy")));
      QVERIFY(!right.contains("batches"));
      const QJsonObject batches = found["batches"].toObject();
      QVERIFY(batches["count"].toInt() > 1);
      QVERIFY(batches["exact"].toBool());
      QVERIFY(batches["bytes_to_device"].toDouble() >= 2.0 * points * 2 * 4);
      // Points that are half of what there is are held where they are read.
      const bool mapped = source.size() == 1 && limit < points * 8;
      QCOMPARE(batches["kept"].toString(), mapped ? QString("their file") : QString("host memory"));
      QVERIFY2(parts.err.contains("the device has no memory for 100,000 points at once: they stay in"),
               parts.err.constData());
    }
  }
  void whatCannotGoInBatchesIsRefused() {
    QProcessEnvironment little;
    little.insert(QStringLiteral("LLOYD_MEMORY_LIMIT"), QStringLiteral("400000"));
    const QStringList words{"run", "--points", "blobs:n=100000,d=2,k=4", "--backend", "simt"};
    const Outcome schedule = runProgram(words + QStringList{"--schedule", "graph"}, little);
    QCOMPARE(schedule.status, 2);
    QVERIFY2(schedule.err.contains("leave the schedule out"), schedule.err.constData());
    const Outcome rounded = runProgram(words + QStringList{"--fused", "fused.v1"}, little);
    QCOMPARE(rounded.status, 2);
    QVERIFY2(rounded.err.contains("choose fused.v3, whose sums are exact"), rounded.err.constData());
    QVERIFY(writeFile(inFolder("large.npy"), npyHeader(60000, 2) + QByteArray(480000, '\0')));
    const Outcome scaled =
        runProgram({"run", inFolder("large.npy"), "--backend", "cpu", "--scale", "standard"}, little);
    QCOMPARE(scaled.status, 2);
    QVERIFY2(scaled.err.contains("scaling needs all of them"), scaled.err.constData());
  }

  /// Sets that do not fit together run in turns.
  void setsThatDoNotFitRunInTurns() {
    const QStringList words{"run",        "--points",  "blobs:n=20000,d=2,k=4",
                            "--k",        "4",         "--restarts",
                            "9",          "--backend", "cpu",
                            "--schedule", "unordered", "--json",
                            "-"};
    const QJsonObject all = runProgram(words).json().object();
    QProcessEnvironment little;
    little.insert(QStringLiteral("LLOYD_MEMORY_LIMIT"), QStringLiteral("4000000"));
    const QJsonObject few = runProgram(words, little).json().object();
    QCOMPARE(few["restarts"].toArray().size(), 9);
    for (const char* key : {"seed", "inertia", "sizes", "centroids", "restarts"})
      QCOMPARE(few[key], all[key]);
    little.insert(QStringLiteral("LLOYD_MEMORY_LIMIT"), QStringLiteral("1000000"));
    const Outcome none = runProgram(words, little);
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("no memory for a set of so many points"), none.err.constData());
  }
  void restartsAreTheRunsOfTheirSeeds() {
    QFETCH(QStringList, how);
    constexpr int first = 11, count = 5;
    const QStringList words =
        QStringList{"run", sampleData("iris.csv"), "--k", "5", "--init", "random", "--json", "-"} + how;
    const auto seeded = [&](int seed, const QString& labels) {
      return words + QStringList{"--seed", QString::number(seed), "--labels-out", inFolder(labels)};
    };
    const QJsonObject best =
        runProgram(seeded(first, "best.csv") + QStringList{"--restarts", QString::number(count)})
            .json()
            .object();
    const QJsonArray restarts = best["restarts"].toArray();
    QCOMPARE(restarts.size(), count);
    QJsonObject least;
    QByteArray labels;
    for (int i = 0; i < count; ++i) {
      const QJsonObject alone = runProgram(seeded(first + i, "alone.csv")).json().object();
      QVERIFY(!alone.contains("restarts"));
      const QJsonObject restart = restarts[i].toObject();
      for (const char* key : {"seed", "iterations", "converged", "inertia"})
        QCOMPARE(restart[key], alone[key]);
      if (!least.isEmpty() && alone["inertia"].toDouble() >= least["inertia"].toDouble()) continue;
      least = alone;
      labels = readFile(inFolder("alone.csv"));
    }
    for (const char* key : {"seed", "inertia", "iterations", "sizes", "centroids", "history"})
      QCOMPARE(best[key], least[key]);
    QCOMPARE(readFile(inFolder("best.csv")), labels);
  }

  void restartsSayHowTheyDiffer() {
    const QStringList words{"run",        sampleData("iris.csv"),
                            "--k",        "5",
                            "--init",     "random",
                            "--restarts", "4",
                            "--seed",     "3",
                            "--backend",  "cpu"};
    const QByteArray text = runProgram(words).out;
    QVERIFY2(text.contains("restarts    4 from the seeds 3 to 6; inertia "), text.constData());
    const QByteArray markdown = runProgram(words + QStringList{"--markdown", "-"}).out;
    QVERIFY2(markdown.contains("## Restarts"), markdown.constData());
  }

  void jsonHasItsKeys() {
    const Outcome outcome =
        runProgram({"run", sampleData("faithful.csv"), "--k", "3", "--backend", "cpu", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject json = outcome.json().object();
    for (const char* key :
         {"program", "backend", "interop", "device", "data", "k", "init", "seed", "variants", "iterations",
          "converged", "inertia", "empty_clusters", "sizes", "centroids", "history", "timings"})
      QVERIFY2(json.contains(key), key);
    QCOMPARE(json["program"].toObject()["name"].toString(), QString("lloydscope"));
    QVERIFY(!json["program"].toObject()["version"].toString().isEmpty());
    QCOMPARE(json["backend"].toString(), QString("cpu"));
    QCOMPARE(json["interop"].toString(), QString("none"));
    QVERIFY(!json["device"].toObject()["name"].toString().isEmpty());
    const QJsonObject data = json["data"].toObject();
    QCOMPARE(data["points"].toInt(), 272);
    QCOMPARE(data["dims"].toInt(), 2);
    QCOMPARE(data["dropped"].toInt(), 0);
    QVERIFY(data["source"].toString().endsWith("faithful.csv"));
    QCOMPARE(json["k"].toInt(), 3);
    QCOMPARE(json["init"].toString(), QString("kmeans++"));
    QCOMPARE(json["seed"].toInt(), 1);
    QCOMPARE(json["converged"].toBool(), true);
    QCOMPARE(json["empty_clusters"].toInt(), 0);
    QCOMPARE(json["sizes"].toArray().size(), 3);
    QCOMPARE(json["centroids"].toArray().size(), 3);
    QCOMPARE(json["centroids"].toArray()[0].toArray().size(), 2);
    QCOMPARE(json["history"].toArray().size(), json["iterations"].toInt());
    for (const char* key : {"iteration", "inertia", "changed", "shift"})
      QVERIFY2(json["history"].toArray()[0].toObject().contains(key), key);
    for (const auto& row : json["timings"].toArray())
      for (const char* key : {"stage", "variant", "samples", "median_us", "p95_us", "min_us", "noise"})
        QVERIFY2(row.toObject().contains(key), key);
    int points = 0;
    for (const auto& size : json["sizes"].toArray())
      points += size.toInt();
    QCOMPARE(points, 272);
  }

  void aScheduleGivesTheSameRun_data() {
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("fused");
    QTest::newRow("cpu") << "cpu"
                         << "cpu.v3";
    QTest::newRow("simt, v1") << "simt"
                              << "fused.v1";
    QTest::newRow("simt, v2") << "simt"
                              << "fused.v2";
    QTest::newRow("cuda, v1") << "cuda"
                              << "fused.v1";
    QTest::newRow("cuda, v2") << "cuda"
                              << "fused.v2";
  }
  void aScheduleGivesTheSameRun() {
    QFETCH(QString, backend);
    QFETCH(QString, fused);
    if (backend == "cuda" && !hasCuda()) QSKIP("no GPU here");
    const auto run = [&](const QString& name, const QStringList& more) {
      return runProgram(QStringList{"run", sampleData("faithful.csv"), "--k", "3", "--backend", backend,
                                    "--fused", fused, "--labels-out", inFolder(name + ".csv"), "--json",
                                    "-"} +
                        more);
    };
    for (const QStringList& limit :
         {QStringList{}, QStringList{"--iterations", "3"}, QStringList{"--tolerance", "0.5"}}) {
      const Outcome single = run("single", limit);
      const Outcome repeated = run("repeated", limit + QStringList{"--schedule", "graph"});
      QVERIFY2(repeated.status == 0, qPrintable(repeated.text()));
      const QJsonObject right = single.json().object();
      const QJsonObject found = repeated.json().object();
      for (const char* key : {"iterations", "converged", "inertia", "sizes", "centroids", "empty_clusters"})
        QVERIFY2(found[key] == right[key], key);
      QVERIFY(!readFile(inFolder("repeated.csv")).isEmpty());
      QCOMPARE(readFile(inFolder("repeated.csv")), readFile(inFolder("single.csv")));
      QCOMPARE(found["variants"].toObject(), (QJsonObject{{"fused", fused}, {"iterate", "schedule.graph"}}));
      QVERIFY(found["history"].toArray().isEmpty());
      bool timed = false;
      for (const auto& row : found["timings"].toArray())
        timed = timed || (row.toObject()["stage"] == "iterate" && row.toObject()["median_us"].toDouble() > 0);
      QVERIFY(timed);
    }
    const Outcome text = runProgram({"run", sampleData("faithful.csv"), "--k", "3", "--backend", backend,
                                     "--schedule", "schedule.graph"});
    QVERIFY2(text.status == 0 && text.out.contains("single ones have no record"), qPrintable(text.text()));
  }

  void aScheduleThatCannotBeIsRefused() {
    const QStringList run{"run", sampleData("faithful.csv"), "--k", "3", "--backend", "cpu", "--schedule"};
    const Outcome unknown = runProgram(run + QStringList{"never"});
    QCOMPARE(unknown.status, 2);
    QVERIFY2(unknown.err.contains("--schedule is 'never', but must be one of schedule.sync, "),
             unknown.err.constData());
    const Outcome halves = runProgram(run + QStringList{"graph", "--classify", "cpu.v2"});
    QCOMPARE(halves.status, 2);
    QVERIFY2(halves.err.contains("repeats a fused variant"), halves.err.constData());
    const Outcome moving = runProgram({"run", "--points", "drift:n=1000", "--k", "3", "--backend", "cpu",
                                       "--iterations", "3", "--schedule", "graph"});
    QCOMPARE(moving.status, 2);
    QVERIFY2(moving.err.contains("points that move"), moving.err.constData());
  }

  void standardOutputCarriesOnlyWhatWasAskedFor() {
    const QStringList run{"run", inFolder("six.csv"), "--k", "2"};
    const Outcome summary = runProgram(run);
    QCOMPARE(summary.status, 0);
    QVERIFY(summary.out.contains("inertia"));
    QVERIFY(summary.err.contains("name")); // the text column that was left out is said
    const Outcome json = runProgram(run + QStringList{"--json", "-"});
    QVERIFY2(json.json().isObject(), json.out.constData());
    const Outcome csv = runProgram(run + QStringList{"--csv", "-"});
    QVERIFY(csv.out.startsWith("cluster,size,x,y\n"));
    QCOMPARE(csv.out.count('\n'), 3);
    const Outcome markdown = runProgram(run + QStringList{"--markdown", "-"});
    QVERIFY(markdown.out.startsWith("# "));
    const Outcome quiet = runProgram(run + QStringList{"--quiet", "--json", inFolder("quiet.json")});
    QCOMPARE(quiet.status, 0);
    QVERIFY2(quiet.err.isEmpty(), quiet.err.constData());
    QVERIFY(QJsonDocument::fromJson(readFile(inFolder("quiet.json"))).isObject());
  }

  /// A terminal obeys control characters: names of files and columns reach it without them.
  void namesReachTheTerminalAsPrintableText() {
    const QString path = inFolder(QStringLiteral("\x1b]0;title\x07\u009b31m%1.csv").arg(QChar(0x202E)));
    QVERIFY(writeFile(path, "x\x1b[2J,\"y\nz\",\xc2\x9b"
                            "31m\n1,2,a\n3,4,b\n9,9,c\n"));
    for (const QStringList& more : {QStringList{"--k", "2"}, QStringList{"--k", "2", "--json", "-"},
                                    QStringList{"--k", "2", "--csv", "-"}, QStringList{"--k", "9"}}) {
      const Outcome outcome = runProgram(QStringList{"run", path} + more);
      QVERIFY(!outcome.out.isEmpty() || !outcome.err.isEmpty());
      for (const QChar c : QString::fromUtf8(outcome.out + outcome.err)) {
        const bool shown = c == u'\n' || (c.category() != QChar::Other_Control && c != QChar(0x202E));
        QVERIFY2(shown, qPrintable(QString::number(c.unicode(), 16)));
      }
    }
  }

  void everyInputRowHasALabel() {
    const QString labels = inFolder("labels.csv");
    const Outcome outcome =
        runProgram({"run", inFolder("six.csv"), "--k", "2", "--init", "first", "--labels-out", labels,
                    "--centroids-out", inFolder("centroids.csv"), "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QCOMPARE(outcome.json().object()["data"].toObject()["dropped"].toInt(), 2);
    QList<QByteArray> lines = readFile(labels).trimmed().split('\n');
    QCOMPARE(lines.takeFirst(), QByteArray("label"));
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines[2], QByteArray("-1"));
    QCOMPARE(lines[5], QByteArray("-1"));
    QCOMPARE(lines[0], lines[1]);
    QCOMPARE(lines[3], lines[4]);
    QVERIFY(lines[0] != lines[3]);
    QList<QByteArray> centroids = readFile(inFolder("centroids.csv")).trimmed().split('\n');
    QCOMPARE(centroids.takeFirst(), QByteArray("x,y,size"));
    std::sort(centroids.begin(), centroids.end());
    QCOMPARE(centroids, (QList<QByteArray>{"0,0.5,2", "10,10.5,2"}));
    const Outcome again = runProgram(
        {"run", inFolder("six.csv"), "--init", "file:" + inFolder("centroids.csv"), "--json", "-"});
    QVERIFY2(again.status == 0, qPrintable(again.text()));
    QCOMPARE(again.json().object()["history"].toArray()[0].toObject()["shift"].toDouble(), 0.0);
  }

  void arraysAreWrittenAsNumPyReadsThem() {
    const QString labels = inFolder("labels.npy");
    const QString centroids = inFolder("centroids.npy");
    QCOMPARE(runProgram({"run", inFolder("six.csv"), "--k", "2", "--labels-out", labels, "--centroids-out",
                         centroids})
                 .status,
             0);
    QVERIFY(readFile(labels).startsWith("\x93NUMPY"));
    QVERIFY(readFile(labels).contains("'<i4'"));
    QVERIFY(readFile(centroids).contains("'<f4'"));
    const Outcome again =
        runProgram({"run", inFolder("six.csv"), "--init", "file:" + centroids, "--json", "-"});
    QVERIFY2(again.status == 0, qPrintable(again.text()));
    QCOMPARE(again.json().object()["k"].toInt(), 2);
    QCOMPARE(again.json().object()["history"].toArray()[0].toObject()["shift"].toDouble(), 0.0);
  }

  void scaledCentroidsAreInTheFilesUnits() {
    const QStringList run{"run", sampleData("faithful.csv"), "--k", "2", "--json", "-", "--scale"};
    for (const char* scale : {"none", "standard", "minmax"}) {
      const Outcome outcome = runProgram(run + QStringList{scale});
      QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
      for (const auto& centroid : outcome.json().object()["centroids"].toArray()) {
        QVERIFY(centroid.toArray()[0].toDouble() > 1.5 && centroid.toArray()[0].toDouble() < 5);
        QVERIFY(centroid.toArray()[1].toDouble() > 50 && centroid.toArray()[1].toDouble() < 90);
      }
    }
  }

  void scaledStartIsReadInTheFilesUnits() {
    QVERIFY(writeFile(inFolder("start.csv"), "3.6,79\n1.8,54\n"));
    const Outcome outcome = runProgram({"run", sampleData("faithful.csv"), "--scale", "standard", "--init",
                                        "file:" + inFolder("start.csv"), "--iterations", "0", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonArray first = outcome.json().object()["centroids"].toArray()[0].toArray();
    QVERIFY(qAbs(first[0].toDouble() - 3.6) < 1e-4);
    QVERIFY(qAbs(first[1].toDouble() - 79) < 1e-3);
  }

  void theSameSeedGivesTheSameRun() {
    const QStringList run{"run", "--points", "blobs:n=5000,k=4", "--k", "4", "--json", "-", "--seed"};
    const auto centroids = [&](const QString& seed) {
      return runProgram(run + QStringList{seed}).json().object()["centroids"].toArray();
    };
    QCOMPARE(centroids("7"), centroids("7"));
    QVERIFY(centroids("7") != centroids("8"));
  }

  void columnsAreChosenByNameAndByIndex() {
    const QStringList run{"run", sampleData("quakes.csv"), "--k", "4", "--json", "-", "--columns"};
    const Outcome byName = runProgram(run + QStringList{"depth,mag"});
    const Outcome byIndex = runProgram(run + QStringList{"2,3"});
    QVERIFY2(byName.status == 0, qPrintable(byName.text()));
    QCOMPARE(byName.json().object()["data"].toObject()["dims"].toInt(), 2);
    QCOMPARE(byName.json().object()["centroids"], byIndex.json().object()["centroids"]);
  }

  void toleranceAndIterationsEndARun() {
    const QStringList run{"run", sampleData("quakes.csv"), "--k", "8", "--init", "first", "--json", "-"};
    const QJsonObject all = runProgram(run).json().object();
    const QJsonObject few = runProgram(run + QStringList{"--iterations", "2"}).json().object();
    QCOMPARE(few["iterations"].toInt(), 2);
    QCOMPARE(few["converged"].toBool(), false);
    const QJsonObject loose = runProgram(run + QStringList{"--tolerance", "5"}).json().object();
    QCOMPARE(loose["converged"].toBool(), true);
    QVERIFY(loose["iterations"].toInt() < all["iterations"].toInt());
  }

  void emptyClustersAreReportedAndKeepTheirCentre() {
    QVERIFY(writeFile(inFolder("far.csv"), "0,0\n10,10\n1000,1000\n"));
    const Outcome outcome =
        runProgram({"run", inFolder("six.csv"), "--init", "file:" + inFolder("far.csv"), "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QJsonObject json = outcome.json().object();
    QCOMPARE(json["empty_clusters"].toInt(), 1);
    QCOMPARE(json["sizes"].toArray()[2].toInt(), 0);
    QCOMPARE(json["centroids"].toArray()[2].toArray(), (QJsonArray{1000.0, 1000.0}));
    QVERIFY(outcome.err.contains("no points"));
  }

  void interruptedRunsWriteNothing_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl+C") << SIGINT;
    QTest::newRow("kill") << SIGTERM;
    QTest::newRow("the terminal goes away") << SIGHUP;
  }
  void interruptedRunsWriteNothing() {
    QFETCH(int, signal);
    const QString report = inFolder("interrupted.json");
    QProcess process;
    process.start(programPath(), {"run", "--points", "drift:n=2e6,d=2", "--k", "16", "--iterations",
                                  "1000000", "--json", report, "--log-level", "info", "--backend", "cpu"});
    QVERIFY(process.waitForStarted());
    QByteArray said;
    const auto iterating = [&] { return (said += process.readAllStandardError()).contains("iteration"); };
    QTRY_VERIFY_WITH_TIMEOUT(iterating(), 60'000);
    QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    said += process.readAllStandardError();
    QVERIFY2(said.contains("cancelled"), said);
    QVERIFY(QDir(folder_.path()).entryList({"interrupted*"}).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestRun)
#include "tst_cli_run.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What "trace" counts and says. Exact counts of every variant are in tests/gpu/simt/record.
#include "tests/app/cli/program.hpp"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

const QStringList small{"--n", "2^10", "--ks", "4", "--quiet"};

QJsonObject rowOf(const QJsonArray& rows, const char* id) {
  for (const auto& row : rows)
    if (row.toObject()["variant"].toString() == QLatin1String(id)) return row.toObject();
  return {};
}

} // namespace

class TestTrace : public QObject {
  Q_OBJECT

private slots:
  void everyKernelHasARow() {
    const Outcome outcome = runProgram(QStringList{"trace", "--json", "-"} + small);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.err.isEmpty());
    const QJsonArray rows = outcome.json().array();
    for (const auto& value : rows) {
      const QJsonObject row = value.toObject();
      for (const char* key : {"variant", "stage", "n", "d", "k", "block", "order", "counters", "races",
                              "same_value_races", "race_examples", "faults", "lines"})
        QVERIFY2(row.contains(key), key);
      const QJsonObject counters = row["counters"].toObject();
      for (const char* key :
           {"global_load_requests", "global_load_sectors", "global_store_requests", "global_store_sectors",
            "shared_requests", "bank_conflicts", "barriers", "warp_collectives", "shared_atomics",
            "global_atomics", "lanes_per_request", "shared_atomic_turns", "global_atomic_turns",
            "lines_executed", "lanes_per_line"})
        QVERIFY2(counters[key].isDouble(), key);
      QCOMPARE(row["n"].toInt(), 1024);
      QCOMPARE(row["d"].toInt(), 3);
      QCOMPARE(row["k"].toInt(), 4);
      QCOMPARE(row["races"].toInt(-1), 0);
      QVERIFY(row["faults"].toArray().isEmpty());
      QVERIFY(counters["global_load_requests"].toInt() > 0);
      QVERIFY(counters["lanes_per_request"].toDouble() > 0 && counters["lanes_per_request"].toDouble() <= 32);
    }
    // Every variant with kernels that the simulator has is there, and no other, but for one that takes no
    // fewer than four dimensions.
    QStringList listed;
    for (const auto& value : runProgram({"list", "variants", "--json"}).json().array())
      if (value.toObject()["backends"].toArray().contains("simt") &&
          !value.toObject()["stages"].toArray().contains("sets"))
        listed << value.toObject()["id"].toString();
    QStringList traced;
    for (const auto& value : rows)
      traced << value.toObject()["variant"].toString();
    QVERIFY(traced.size() >= 18);
    QVERIFY(listed.removeOne("fused.v4"));
    QCOMPARE(traced, listed);
    QCOMPARE(
        runProgram({"trace", "--n", "1024", "--d", "8", "--k", "4", "--variants", "fused.v4", "--json", "-"})
            .json()
            .array()
            .size(),
        1);
  }

  void linesAddUpToTheWhole() {
    const Outcome outcome =
        runProgram(QStringList{"trace", "--variants", "classify.v3,reduce.v2", "--json", "-"} + small);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    for (const auto& value : outcome.json().array()) {
      const QJsonObject row = value.toObject();
      for (const char* key :
           {"global_load_requests", "global_load_sectors", "global_store_sectors", "shared_requests",
            "bank_conflicts", "global_atomics", "shared_atomic_turns", "lines_executed"}) {
        int sum = 0;
        for (const auto& line : row["lines"].toArray()) {
          sum += line.toObject()["counters"].toObject()[key].toInt();
          QVERIFY(
              QFileInfo::exists(QStringLiteral(LLOYD_SOURCE_DIR "/") + line.toObject()["file"].toString()));
        }
        QCOMPARE(sum, row["counters"].toObject()[key].toInt());
      }
    }
  }

  void sizesAndKnobsAreSwept() {
    const Outcome outcome = runProgram({"trace", "--variants", "classify.v3", "--n", "512,1024", "--d", "1,2",
                                        "--ks", "2,8", "--block", "64:128", "--json", "-", "--quiet"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QSet<QString> seen;
    for (const auto& value : outcome.json().array()) {
      const QJsonObject row = value.toObject();
      seen.insert(QStringLiteral("%1 %2 %3 %4")
                      .arg(row["n"].toInt())
                      .arg(row["d"].toInt())
                      .arg(row["k"].toInt())
                      .arg(row["block"].toInt()));
    }
    QCOMPARE(seen.size(), 2 * 2 * 2 * 2);
    QVERIFY(seen.contains("512 2 8 64"));
  }

  void theTableNamesWhatItCounts() {
    const Outcome outcome =
        runProgram({"trace", sampleData("faithful.csv"), "--k", "3", "--variants", "classify.v3,reduce.v7"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    for (const char* word : {"faithful.csv", "N = 272, D = 2, K = 3", "classify.v3", "reduce.v7",
                             "sectors of 32 bytes", "conflicts", "races"})
      QVERIFY2(outcome.out.contains(word), word);
  }

  void countersAreTheSameInEveryRun() {
    const QStringList words = QStringList{"trace", "--variants", "reduce.*", "--json", "-"} + small;
    const Outcome first = runProgram(words);
    QCOMPARE(first.status, 0);
    QCOMPARE(runProgram(words).out, first.out);
    const Outcome seeded = runProgram(words + QStringList{"--order", "seeded:9"});
    QVERIFY2(seeded.status == 0, qPrintable(seeded.text()));
    for (const auto& value : seeded.json().array()) {
      const QJsonObject row = value.toObject();
      QCOMPARE(row["order"].toString(), QString("seeded:9"));
      const QByteArray id = row["variant"].toString().toUtf8();
      QJsonObject counters = row["counters"].toObject();
      QJsonObject others = rowOf(first.json().array(), id)["counters"].toObject();
      // It gives out places by turns, and with them the banks that a run's points lie in.
      if (id == "reduce.sorted")
        for (QJsonObject* of : {&counters, &others})
          for (const char* key : {"bank_conflicts", "shared_atomic_turns"})
            of->remove(QLatin1String(key));
      QCOMPARE(counters, others);
    }
  }

  void whatDoesNotFitIsSaid() {
    const Outcome some = runProgram(
        {"trace", "--variants", "classify.v7,classify.general", "--d", "8", "--n", "1024", "--ks", "4"});
    QVERIFY2(some.status == 0, qPrintable(some.text()));
    QVERIFY(some.out.contains("classify.general"));
    QVERIFY(some.out.contains("Not traced"));
    const Outcome none =
        runProgram({"trace", "--variants", "classify.v7", "--d", "8", "--n", "1024", "--ks", "4"});
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("dimensions"), qPrintable(none.text()));
  }

  void generatorsAreScaledAndTheReportSaysSo() {
    QByteArray counted[2];
    for (const bool scaled : {false, true}) {
      QStringList words{"trace", "--variants", "reduce.v5", "--points", "anisotropic:d=2,k=8",
                        "--n",   "2048",       "--json",    "-"};
      if (scaled) words << QStringList{"--scale", "standard"};
      const QJsonObject stage = runProgram(words).json().array().at(0).toObject();
      QCOMPARE(stage["points"].toString(),
               QString("anisotropic:d=2,k=8") + (scaled ? ", scaled: standard" : ""));
      counted[scaled] = QJsonDocument(stage["counters"].toObject()).toJson();
    }
    QVERIFY(counted[0] != counted[1]);
  }

  /// The order of turns is trace's own; what points are like is bench's too.
  void spreadsAreTracedOneByOne() {
    const Outcome outcome = runProgram({"trace", "--variants", "reduce.v1", "--points", "blobs", "--n",
                                        "2048", "--spread", "0,5", "--order", "reverse", "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QStringList points;
    for (const auto& row : outcome.json().array()) {
      points << row.toObject()["points"].toString();
      QCOMPARE(row.toObject()["order"].toString(), QString("reverse"));
    }
    QCOMPARE(points, (QStringList{"blobs:spread=0", "blobs:spread=5"}));
  }

  void wrongRequestsAreRefused_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("said");
    QTest::newRow("order") << QStringList{"--order", "sideways"} << 2 << "--order";
    QTest::newRow("seed") << QStringList{"--order", "seeded:x"} << 2 << "seeded:N";
    QTest::newRow("variant") << QStringList{"--variants", "classify.v99"} << 2 << "classify.v99";
    QTest::newRow("cpu variant") << QStringList{"--variants", "cpu.v1"} << 3 << "simt";
    QTest::newRow("cpu backend") << QStringList{"--backend", "cpu"} << 2 << "--backend cuda";
    QTest::newRow("block") << QStringList{"--variants", "classify.v3", "--block", "48"} << 2
                           << "out of range";
    QTest::newRow("k above n") << QStringList{"--n", "8", "--ks", "9"} << 2 << "k is 9";
    QTest::newRow("two sources") << QStringList{"a.csv", "--points", "blobs:"} << 2 << "one of them";
    QTest::newRow("frames") << QStringList{"--frames", "3"} << 2 << "--frames";
    QTest::newRow("folder") << QStringList{"--json", "/"} << 2 << "directory";
  }
  void wrongRequestsAreRefused() {
    QFETCH(QStringList, words);
    QFETCH(int, status);
    QFETCH(QString, said);
    const Outcome outcome = runProgram(QStringList{"trace"} + words);
    QVERIFY2(outcome.status == status, qPrintable(outcome.text()));
    QVERIFY2(QString::fromUtf8(outcome.err).contains(said), qPrintable(outcome.text()));
    QVERIFY(outcome.out.isEmpty());
  }

  void withoutAGpuThereIsNothingToLaunchOn() {
    QProcessEnvironment without;
    without.insert("CUDA_VISIBLE_DEVICES", "");
    const Outcome outcome = runProgram({"trace", "--backend", "cuda"}, without);
    QCOMPARE(outcome.status, 3);
    QVERIFY2(outcome.err.contains("CUDA"), qPrintable(outcome.text()));
  }

  void onAGpuEachVariantIsLaunchedOnce() {
    if (!hasCuda()) QSKIP("no GPU that can be used: there is nothing to launch on");
    const Outcome outcome = runProgram(
        QStringList{"trace", "--backend", "cuda", "--json", "-", "--variants", "classify.*"} + small);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.json().array().size() >= 9);
    QVERIFY(!outcome.json().array().first().toObject().contains("counters"));
  }
};

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_cli_trace.moc"

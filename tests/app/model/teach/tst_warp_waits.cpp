// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped tables of what warps wait for: whole, and what the window says of them.
#include "app/model/teach/steps/measured_model.hpp"
#include "app/model/teach/wait_model.hpp"
#include "app/model/teach/warp_waits.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QAbstractItemModelTester>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

QString tableText(const QList<double>& cycles, double latency) {
  QStringList names{"variant",      "arithmetic", "n",   "d",         "k",
                    "block",        "kernel",     "us",  "registers", "local_bytes",
                    "shared_bytes", "occupancy",  "ipc", "issue",     "latency"};
  QStringList cells{"reduce.v5", "multiply", "1048576", "1",  "16", "128", "reduce_v5<1u>",         "18.8",
                    "128",       "0",        "2048",    "23", "2",  "51",  QString::number(latency)};
  for (std::size_t reason = 0; reason < waitReasons; ++reason) {
    names << waitReasonKeys()[static_cast<qsizetype>(reason)];
    cells << QString::number(
        static_cast<qsizetype>(reason) < cycles.size() ? cycles[static_cast<qsizetype>(reason)] : 0.0);
  }
  return "# NVIDIA X, Nsight Compute 1, today\n" + names.join(',') + '\n' + cells.join(',') + '\n';
}

} // namespace

class TestWarpWaits : public QObject {
  Q_OBJECT
private slots:
  void tablesAreRead() {
    const WaitTable table = readWaits(tableText({1, 2, 3, 1.5, 2.5}, 10));
    QCOMPARE(table.card, QString("NVIDIA X"));
    QCOMPARE(table.profiler, QString("Nsight Compute 1"));
    const WarpWaits* row = table.find("reduce.v5", "multiply");
    QVERIFY(row && row->registers == 128);
    QCOMPARE(row->share(2), 0.3);
    QCOMPARE(row->launch.text(), QString("N = 1,048,576, D = 1, K = 16, block 128"));
    QVERIFY(!table.find("reduce.v5", "pow"));
    // Reasons that do not add up are no reasons.
    QVERIFY(readWaits(tableText({1, 2, 3, 1.5, 2.5}, 10.3)).rows.empty());
    QVERIFY(!readWaits(tableText({1, 2, 3, 1.5, 2.5}, 10.1)).rows.empty());
    QVERIFY(readWaits(tableText({1, 2, 3, std::nan(""), 2.5}, 10)).rows.empty());
  }

  /// Every kernel of the ladders, by the cards that were measured.
  void everyKernelWasMeasured() {
    QVERIFY(!shippedWaits().empty());
    for (const WaitTable& table : shippedWaits())
      for (const Variant* variant : Registry::instance().all()) {
        const std::string_view family = variant->info.family;
        if (!variant->runsOn(Backend::simt) ||
            !(family == "classify" || family == "reduce" || family == "fused" || family == "layout" ||
              family == "distance"))
          continue;
        const QString id = QString::fromStdString(variant->id());
        QVERIFY2(table.find(id, "multiply"), qPrintable(id + " on " + table.card));
        const Parameter* arithmetic = variant->parameter("arithmetic");
        QVERIFY2(!arithmetic || table.find(id, "pow"), qPrintable(id + " with pow on " + table.card));
      }
  }

  /// The articles' own diagnoses, with what was measured of the reason that they name.
  void diagnosesNameWhatTheTextNames() {
    const WaitTable* table = waitsOf("NVIDIA H200");
    QVERIFY(table && table->card == "NVIDIA H200");
    const auto said = [&](const char* variant, const char* before, const char* name, const char* beforeName) {
      return measuredDiagnosis(variant, table->find(before, "multiply"), *table->find(variant, "multiply"),
                               beforeName, name);
    };
    QVERIFY(textsDiagnosis("classify.v2").contains("stall_long_sb"));
    const QString v2 = said("classify.v2", "classify.v1", "V2", "V1");
    QVERIFY2(v2.startsWith("Here long scoreboard takes ") && v2.contains(" in V1 and ") &&
                 v2.endsWith(" in V2."),
             qPrintable(v2));
    QVERIFY(said("classify.v3", "classify.v2", "V3", "V2").startsWith("Here wait takes "));
    QVERIFY(said("reduce.v7", "reduce.v5", "V7", "V5").startsWith("Here mio throttle takes "));
    QVERIFY(textsDiagnosis("distance.v1").isEmpty());
    QVERIFY(said("distance.v2", "distance.v1", "V2", "V1")
                .startsWith("The longest wait of V2 is long scoreboard:"));
    // To wait for a turn is none: of classify.v8 that takes most cycles.
    QVERIFY(said("classify.v8", "classify.v7", "V8", "V7")
                .startsWith("The longest wait of V8 is math pipe throttle:"));
    // Another card than those that were measured is shown one that was.
    QVERIFY(waitsOf("NVIDIA H100 80GB HBM3")->card == "NVIDIA H100 80GB HBM3");
    QVERIFY(waitsOf("NVIDIA GeForce GTX 680") != nullptr);
  }

  /// Figures of different launches are not laid beside each other as if they were of one.
  void launchesThatDifferAreNamed() {
    const WaitTable& table = *waitsOf("NVIDIA H200");
    const WarpWaits *fusedV2 = table.find("fused.v2", "multiply"),
                    *fusedV3 = table.find("fused.v3", "multiply");
    WaitModel model;
    model.setVersions({"V2", fusedV2}, {"V3", fusedV3});
    const auto heading = [&](int column) { return model.headerData(column, Qt::Horizontal).toString(); };
    QCOMPARE(heading(WaitModel::beforeColumn), QString("V2\nN 16,777,216\nblock 640"));
    QCOMPARE(heading(WaitModel::nowColumn), QString("V3\nN 67,108,864\nblock 128"));
    QCOMPARE(
        launchesText(fusedV2, *fusedV3, "V2", "V3"),
        QString(
            "V2: N = 16,777,216, D = 2, K = 16, block 640; V3: N = 67,108,864, D = 2, K = 16, block 128"));
    QCOMPARE(launchCaution(fusedV2, *fusedV3),
             QString("The two launches differ in N: their times cannot be compared. Each block is the "
                     "version's own default."));
    const WarpWaits *v5 = table.find("classify.v5", "multiply"), *v6 = table.find("classify.v6", "multiply");
    QCOMPARE(launchCaution(v5, *v6), QString("Each version was launched with its own default block."));
    model.setVersions({"V5", v5}, {"V6", v6});
    QCOMPARE(heading(WaitModel::nowColumn), QString("V6\nblock 256"));
    const WarpWaits* v4 = table.find("classify.v4", "multiply");
    QVERIFY(launchCaution(v4, *v5).isEmpty() && launchCaution(nullptr, *v5).isEmpty());
    QCOMPARE(launchesText(v4, *v5, "V4", "V5"), v5->launch.text());
    MeasuredModel measured;
    measured.setVersions({"V2", fusedV2, 1}, {"V3", fusedV3, 1}, "of a race");
    QCOMPARE(measured.headerData(1, Qt::Horizontal).toString(), QString("V2\nN 16,777,216\nblock 640"));
  }

  /// Every page's shares, as they are read, are all there is; and what a sentence speaks of stands there.
  void sharesAddUp() {
    for (const WaitTable& table : shippedWaits())
      for (const auto& [key, row] : table.rows) {
        const std::size_t named = diagnosedReason(key.first.toStdString(), row);
        WaitModel model;
        model.setVersions({}, {"V", &row}, named);
        double shares = 0;
        QStringList names;
        for (int line = 0; line + 1 < model.rowCount(); ++line) {
          shares += model.index(line, WaitModel::nowColumn).data().toString().toDouble();
          names << model.index(line, WaitModel::nameColumn).data().toString();
        }
        QVERIFY2(std::abs(shares - 100) <= 0.6, qPrintable(QString("%1: %2").arg(key.first).arg(shares)));
        QVERIFY2(names.contains(waitReasonName(named) + " %"),
                 qPrintable(key.first + ' ' + waitReasonName(named)));
      }
  }

  /// "not selected" is no wait, which is said where it is more than the longest wait.
  void whatIsNoWaitIsSaidSo() {
    const WaitTable& table = *waitsOf("NVIDIA H200");
    const WarpWaits& row = *table.find("classify.v8", "multiply");
    const QString said = measuredDiagnosis("classify.v8", nullptr, row, {}, "V8");
    static const QRegularExpression share("Not selected, ([0-9.]+) %, is more and is no wait");
    const double found = share.match(said).captured(1).toDouble();
    const auto reason = static_cast<std::size_t>(waitReasonKeys().indexOf("not_selected"));
    const double counted = 100 * row.share(reason);
    QVERIFY2(std::abs(found - counted) <= 0.051, qPrintable(said));
    QVERIFY(!measuredDiagnosis("distance.v1", nullptr, *table.find("distance.v1", "multiply"), {}, "V1")
                 .contains("Not selected"));
  }

  void bothVersionsStandBesideEachOther() {
    const WaitTable table = readWaits(tableText({1, 2, 3, 1.5, 2.5}, 10));
    WaitModel model;
    const QAbstractItemModelTester tester(&model);
    const WarpWaits* row = table.find("reduce.v5", "multiply");
    model.setVersions({}, {"V5", row});
    QCOMPARE(model.rowCount(), 5 + 1);
    QCOMPARE(model.index(2, WaitModel::nameColumn).data().toString(), QString("barrier %"));
    QCOMPARE(model.index(2, WaitModel::nowColumn).data().toString(), QString("30.0"));
    QCOMPARE(model.index(2, WaitModel::beforeColumn).data().toString(), QString("–"));
    QVERIFY(model.index(2, 0).data(Qt::ToolTipRole).toString().contains("V5: 3.00 cycles an instruction"));
    QCOMPARE(model.index(5, WaitModel::nowColumn).data().toString(), QString("10.0"));
    QVERIFY(WaitModel::spoken(model.now()).startsWith("V5: 10.0 cycles an instruction; long scoreboard 10"));
    model.setVersions({}, {});
    QCOMPARE(model.rowCount(), 0);
  }
};

QTEST_GUILESS_MAIN(TestWarpWaits)
#include "tst_warp_waits.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// "bench" against an older report of its own, and what it leaves behind when it is cancelled. Old reports are
// doctored by factors that no machine's mood makes up for.
#include "tests/app/cli/program.hpp"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>

using namespace lloyd;

namespace {

const QStringList small{"bench",     "--n", "3000",       "--ks",   "4",        "--points", "uniform:d=2",
                        "--backend", "cpu", "--variants", "cpu.v1", "--budget", "0.3",      "--quiet"};

QJsonObject report(const QString& path) { return QJsonDocument::fromJson(readFile(path)).object(); }

/// The report with what change does to each of its results.
bool doctor(const QString& from, const QString& to, const std::function<void(QJsonObject&)>& change) {
  QJsonObject json = report(from);
  QJsonArray results;
  for (const auto& value : json["results"].toArray()) {
    QJsonObject row = value.toObject();
    if (row["skipped"].isNull()) change(row);
    results.append(row);
  }
  json["results"] = results;
  return writeFile(to, QJsonDocument(json).toJson());
}

/// Each sample by its own factor, which may depend on its round; those thrown away stay so.
QJsonArray samplesScaled(const QJsonArray& us, const std::function<double(qsizetype)>& factor) {
  QJsonArray scaled;
  for (qsizetype round = 0; round < us.size(); ++round)
    scaled.append(us[round].isNull() ? QJsonValue() : QJsonValue(us[round].toDouble() * factor(round)));
  return scaled;
}

std::function<void(QJsonObject&)> timesScaled(double factor) {
  return [factor](QJsonObject& row) {
    for (const char* key : {"median_us", "p95_us", "min_us"})
      row[QLatin1String(key)] = row[QLatin1String(key)].toDouble() * factor;
    row["iqr_us"] = 0.0;
    row["samples_us"] = samplesScaled(row["samples_us"].toArray(), [factor](qsizetype) { return factor; });
  };
}

} // namespace

class TestCompare : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  [[nodiscard]] QString at(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  [[nodiscard]] static Outcome against(const QString& old, const QStringList& more = {}) {
    return runProgram(small + QStringList{"--compare", old} + more);
  }

private slots:
  void initTestCase() {
    const Outcome outcome = runProgram(small + QStringList{"--json", at("old.json")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
  }

  void slowerIsAFailedCheck() {
    QVERIFY(doctor(at("old.json"), at("fast.json"), timesScaled(0.001)));
    const Outcome outcome = against(at("fast.json"), {"--json", at("new.json"), "--html", at("new.html")});
    QVERIFY2(outcome.status == 1, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("times as long, measured again: takes"));
    QVERIFY(outcome.err.contains("2 got slower"));
    const QJsonObject comparison = report(at("new.json"))["comparison"].toObject();
    QCOMPARE(comparison["worse"].toInt(), 2);
    QCOMPARE(comparison["rows"].toArray().size(), 2);
    for (const auto& row : comparison["rows"].toArray())
      QCOMPARE(row.toObject()["again"].toString(), "slower");
    QVERIFY(readFile(at("new.html")).contains("Against fast.json"));
  }

  void fasterIsNot() {
    QVERIFY(doctor(at("old.json"), at("slow.json"), timesScaled(1000)));
    const Outcome outcome = against(at("slow.json"));
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("times as fast"));
    QVERIFY(outcome.err.isEmpty());
  }

  void whatDiffersFromPlaceToPlaceIsNot() {
    QVERIFY(doctor(at("old.json"), at("noisy.json"), [](QJsonObject& row) {
      row["samples_us"] = samplesScaled(row["samples_us"].toArray(),
                                        [](qsizetype round) { return round / 3 % 2 == 0 ? 0.001 : 1000; });
    }));
    const Outcome outcome = against(at("noisy.json"));
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("undecided"));
  }

  void aReportWithoutPlacesDecidesNothing() {
    QJsonObject json = report(at("old.json"));
    QJsonArray races;
    for (const auto& value : json["races"].toArray()) {
      QJsonObject race = value.toObject();
      race.remove("places");
      races.append(race);
    }
    json["races"] = races;
    QVERIFY(writeFile(at("placeless.json"), QJsonDocument(json).toJson()));
    QVERIFY(doctor(at("placeless.json"), at("placeless.json"), timesScaled(0.001)));
    const Outcome outcome = against(at("placeless.json"));
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("undecided"));
  }

  void howMuchCountsIsChosen() {
    const Outcome alone = runProgram(small + QStringList{"--slower-than", "5"});
    QCOMPARE(alone.status, 2);
    QVERIFY2(alone.err.contains("--compare"), alone.err.constData());
    QVERIFY(doctor(at("old.json"), at("fast.json"), timesScaled(0.001)));
    const Outcome generous = against(at("fast.json"), {"--slower-than", "100000000"});
    QVERIFY2(generous.status == 0, qPrintable(generous.text()));
    QCOMPARE(against(at("fast.json"), {"--slower-than", "-1"}).status, 2);
  }

  void theOldReportMayBeTheNewOne() {
    QVERIFY(doctor(at("old.json"), at("both.json"), timesScaled(1000)));
    const Outcome outcome = against(at("both.json"), {"--json", at("both.json")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(report(at("both.json")).contains("comparison"));
  }

  void differencesAreTold() {
    QJsonObject json = report(at("old.json"));
    QJsonObject device = json["device"].toObject();
    device["name"] = "A slower machine";
    json["device"] = device;
    QVERIFY(writeFile(at("elsewhere.json"), QJsonDocument(json).toJson()));
    QVERIFY(doctor(at("elsewhere.json"), at("elsewhere.json"), timesScaled(1000)));
    const Outcome outcome = against(at("elsewhere.json"));
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.out.contains("The device differs: A slower machine before"));
  }

  /// Of one problem that is known before it is measured, and what is there already stays.
  void nothingInCommonIsNoPassedCheck() {
    QVERIFY(doctor(at("old.json"), at("other.json"), [](QJsonObject& row) { row["n"] = 17; }));
    const QByteArray other = readFile(at("other.json"));
    const Outcome one = against(at("other.json"), {"--json", at("other.json")});
    QCOMPARE(one.status, 2);
    QVERIFY2(one.err.contains("has no rows of 3,000 points"), one.err.constData());
    QCOMPARE(readFile(at("other.json")), other);
    QStringList both = small;
    both[both.indexOf(QStringLiteral("--ks")) + 1] = QStringLiteral("4,5");
    const Outcome two = runProgram(both + QStringList{"--compare", at("other.json")});
    QCOMPARE(two.status, 2);
    QVERIFY2(two.err.contains("Nothing could be compared"), two.err.constData());
  }

  /// What got slower on some points is measured again on those, and the others stand as they were.
  void eachOfSeveralPointsHasItsOwnPast() {
    QStringList words = small;
    words[words.indexOf(QStringLiteral("uniform:d=2"))] = QStringLiteral("blobs");
    const QStringList orders = words + QStringList{"--order", "0,1"};
    QVERIFY(runProgram(orders + QStringList{"--json", at("orders.json")}).status == 0);
    QVERIFY(doctor(at("orders.json"), at("sorted.json"), [](QJsonObject& row) {
      timesScaled(row["source"] == "blobs:order=0" ? 0.001 : 1000)(row);
    }));
    const Outcome outcome =
        runProgram(orders + QStringList{"--compare", at("sorted.json"), "--json", at("now.json")});
    QVERIFY2(outcome.status == 1, qPrintable(outcome.text()));
    int rows = 0;
    for (const auto& value : report(at("now.json"))["comparison"].toObject()["rows"].toArray()) {
      const QJsonObject row = value.toObject();
      const bool slower = row["source"] == "blobs:order=0";
      QCOMPARE(row["verdict"].toString(), QString(slower ? "slower" : "faster"));
      QCOMPARE(row["again"].toString(), QString(slower ? "slower" : "faster"));
      ++rows;
    }
    QCOMPARE(rows, 4); // cpu.v1 classifies and reduces
    // Points that are not in it have nothing to be held against.
    const Outcome other = runProgram(words + QStringList{"--order", "0.5", "--compare", at("orders.json")});
    QCOMPARE(other.status, 2);
    QVERIFY2(other.err.contains("k = 4 of blobs:order=0.5;"), other.err.constData());
  }

  void brokenReportsAreRefusedBeforeAnythingIsMeasured() {
    QVERIFY(writeFile(at("broken.json"), readFile(at("old.json")).left(500)));
    const Outcome outcome = against(at("broken.json"), {"--json", at("none.json")});
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.err.count('\n'), 1);
    QVERIFY2(outcome.err.contains("broken.json: line "), outcome.err.constData());
    QVERIFY(!QFile::exists(at("none.json")));
    QCOMPARE(against(at("missing.json")).status, 2);
  }

  void cancellingKeepsWhatWasMeasured() {
    QProcess process;
    process.setProcessEnvironment(QProcessEnvironment::systemEnvironment());
    // The second problem is far too large for its rounds to be done before anybody notices.
    process.start(programPath(), {"bench", "--points", "uniform:d=2", "--n", "2000,2^21", "--ks", "64",
                                  "--backend", "cpu", "--variants", "cpu.v1,cpu.v2", "--budget", "600",
                                  "--json", at("part.json"), "--html", at("part.html")});
    QVERIFY(process.waitForStarted());
    QByteArray err;
    QElapsedTimer timer;
    timer.start();
    while (!err.contains("problem 2 of 2") && timer.elapsed() < 120'000 &&
           process.state() == QProcess::Running) {
      process.waitForReadyRead(1000);
      err += process.readAllStandardError();
    }
    QVERIFY2(err.contains("problem 2 of 2"), err.constData());
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(120'000));
    err += process.readAllStandardError();
    QCOMPARE(process.exitCode(), 130);
    QVERIFY2(err.contains("cancelled; 1 of 2 problems were measured"), err.constData());
    const QJsonObject json = report(at("part.json"));
    QVERIFY(!json["finished"].toBool(true));
    const QJsonArray races = json["races"].toArray();
    QVERIFY(!races.isEmpty());
    QVERIFY(races[0].toObject()["finished"].toBool());
    QCOMPARE(races[0].toObject()["n"].toInt(), 2000);
    if (races.size() > 1) QVERIFY(!races[1].toObject()["finished"].toBool(true));
    QVERIFY(readFile(at("part.html")).contains("This benchmark was ended early"));
  }
};

QTEST_GUILESS_MAIN(TestCompare)
#include "tst_cli_compare.moc"

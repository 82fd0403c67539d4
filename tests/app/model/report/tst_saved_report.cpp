// SPDX-License-Identifier: GPL-3.0-or-later
// Reports come back as they were written, broken ones are refused in one sentence, and two are compared.
#include "app/model/report/report_comparison.hpp"
#include "app/model/report/saved_report.hpp"
#include "app/model/report/text_table.hpp"
#include "tests/app/model/report/report_support.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

using namespace lloyd;

namespace {

/// One row of a report of the first version: no races, no ranks, no samples.
constexpr const char* oldReport = R"({
  "program": {"name": "lloydscope", "version": "0.0.9"},
  "device": {"name": "Old card", "backend": "cuda", "driver": "550.1"},
  "source": "uniform:", "seed": 1,
  "results": [
    {"variant": "classify.v2", "stage": "classify", "n": 1000, "d": 2, "k": 4, "block": 128, "items": null,
     "samples": 30, "median_us": 50, "p95_us": 55, "min_us": 48, "iqr_us": 1, "noise": 0.02, "verified": true,
     "skipped": null},
    {"variant": "classify.v1", "stage": "classify", "n": 1000, "d": 2, "k": 4, "block": 128, "items": null,
     "samples": 30, "median_us": 80, "p95_us": 85, "min_us": 78, "iqr_us": 1, "noise": 0.0125, "verified": true,
     "skipped": null},
    {"variant": "classify.v99", "stage": "classify", "n": 1000, "d": 2, "k": 4, "samples": 30, "median_us": 5,
     "iqr_us": 1, "verified": true, "skipped": null}]})";

class Folder {
public:
  std::string file(const QByteArray& bytes) {
    QFile file(folder_.filePath(QStringLiteral("report.json")));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("cannot write");
    return file.fileName().toStdString();
  }
  [[nodiscard]] QString path() const { return folder_.path(); }

private:
  QTemporaryDir folder_;
};

/// A report with what change does to its first result.
QByteArray doctored(const std::function<void(QJsonObject&)>& change) {
  QJsonObject json = QJsonDocument::fromJson(oldReport).object();
  QJsonArray results = json["results"].toArray();
  QJsonObject first = results[0].toObject();
  change(first);
  results[0] = first;
  json["results"] = results;
  return QJsonDocument(json).toJson();
}

SavedReport savedOf(const BenchReport& report) {
  Folder folder;
  const auto read = readBenchReport(folder.file(benchJson(report)));
  if (!read) qFatal("%s", read.error().c_str());
  return *read;
}

RaceResultPtr raceOf(double v1, double v2) {
  const Problem problem{1000, 2, 4};
  return raced({measured("classify.v1", Stage::classify, problem, v1),
                measured("classify.v2", Stage::classify, problem, v2)});
}

RaceResultPtr raceOn(const char* source, double v1, double v2) {
  auto race = std::make_shared<RaceResult>(*raceOf(v1, v2));
  race->source = source;
  return race;
}

} // namespace

class TestSavedReport : public QObject {
  Q_OBJECT

private slots:
  void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

  void aReportComesBackAsItWasWritten() {
    BenchReport report = reportOf({mixedRace(), mixedRace({4096, 3, 5})});
    const SavedReport saved = savedOf(report);
    QCOMPARE(saved.races.size(), std::size_t{2});
    QVERIFY(saved.unknown.empty());
    for (std::size_t i = 0; i < 2; ++i) {
      const RaceResult& before = *report.races[i];
      const RaceResult& after = *saved.races[i];
      QCOMPARE(after.device.name, before.device.name);
      QCOMPARE(after.device.driver, before.device.driver);
      QCOMPARE(after.source, before.source);
      QVERIFY(after.when == before.when && after.finished);
      QCOMPARE(after.conditions.rounds, before.conditions.rounds);
      QCOMPARE(after.conditions.throttled, before.conditions.throttled);
      QCOMPARE(after.conditions.load.processors, 4);
      QCOMPARE(after.conditions.load.byOthers, 1.5);
      QCOMPARE(after.conditions.load.stolen, 0.25);
      QCOMPARE(after.conditions.load.switchedAway, 12.0);
      QVERIFY(after.conditions.card.known);
      QCOMPARE(after.conditions.card.otherProcesses, 2);
      QVERIFY(after.conditions.card.powerLimited && !after.conditions.card.heatLimited);
      QCOMPARE(after.conditions.clockMhz, before.conditions.clockMhz);
      QCOMPARE(after.rows.size(), before.rows.size());
      for (std::size_t row = 0; row < before.rows.size(); ++row) {
        const Measurement& a = before.rows[row];
        const Measurement& b = after.rows[row];
        QVERIFY(sameCandidate(a.candidate, b.candidate));
        QVERIFY(a.problem == b.problem);
        QCOMPARE(b.rank, a.rank);
        QCOMPARE(b.verified, a.verified);
        QCOMPARE(b.skipped, a.skipped);
        QCOMPARE(b.difference, a.difference);
        QCOMPARE(b.us.size(), a.us.size());
        QCOMPARE(b.bytes, a.bytes);
        QCOMPARE(b.againstFirst.has_value(), a.againstFirst.has_value());
        QCOMPARE(b.resources.has_value(), a.resources.has_value());
        if (!a.ran() || !std::isfinite(a.times.median)) continue;
        QCOMPARE(b.times.median, a.times.median);
        QCOMPARE(b.times.iqr, a.times.iqr);
        QCOMPARE(b.us[5], a.us[5]);
        QCOMPARE(b.limitUs, a.limitUs);
      }
      QVERIFY(std::isnan(after.rows[3].us[0]) && std::isnan(after.rows[3].times.median));
    }
  }

  void oneSampleComesBack() {
    Measurement one = measured("classify.v1", Stage::classify, {65536, 2, 16}, 60);
    one.us = {60};
    one.times = summarise(one.us);
    one.rechecked = 0.0537;
    BenchReport report = reportOf({raced({one})});
    const SavedReport saved = savedOf(report);
    QCOMPARE(saved.races.front()->rows.front().rechecked, std::optional(0.0537));
    QCOMPARE(saved.races.front()->rows.front().times.samples, std::size_t{1});
    QCOMPARE(saved.races.front()->rows.front().times.median, 60.0);
  }

  void anOlderReportIsRankedByItsMedians() {
    Folder folder;
    const auto saved = readBenchReport(folder.file(oldReport));
    QVERIFY2(saved.has_value(), saved ? "" : saved.error().c_str());
    QCOMPARE(saved->unknown, (std::vector<std::string>{"classify.v99"}));
    QCOMPARE(saved->races.size(), std::size_t{1});
    const RaceResult& race = *saved->races.front();
    QCOMPARE(race.rows.size(), std::size_t{2});
    QCOMPARE(race.rows[0].rank, 1);
    QCOMPARE(race.rows[1].rank, 2);
    QCOMPARE(race.device.name, std::string("Old card"));
    QVERIFY(race.conditions.cache == CacheState::hot);
  }

  void brokenReportsAreRefusedInOneSentence_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    const auto with = [](const char* key, const QJsonValue& value) {
      return doctored([=](QJsonObject& row) { row[QLatin1String(key)] = value; });
    };
    const auto without = [](const char* key) {
      return doctored([=](QJsonObject& row) { row.remove(QLatin1String(key)); });
    };
    QTest::newRow("empty") << QByteArray() << "it is empty";
    QTest::newRow("blank") << QByteArray(" \n\n") << "it is empty";
    QTest::newRow("no JSON") << QByteArray("variant,stage\n") << "line 1, column 1";
    QTest::newRow("broken off") << QByteArray(oldReport).left(400) << "line ";
    QTest::newRow("a comma too many") << QByteArray("{\"a\": 1,\n \"b\": [1,, 2]}") << "line 2, column 10";
    QTest::newRow("columns count characters")
        << QByteArray("{\"\xC3\xA4\xC3\xB6\": [1,, 2]}") << "line 1, column 11";
    QTest::newRow("more behind it") << QByteArray("{}\n{}") << "line 2, column 1";
    QTest::newRow("deep") << QByteArray(100000, '[') << "this is not JSON";
    QTest::newRow("a list") << QByteArray("[1]") << "no report of lloydscope bench";
    QTest::newRow("another object") << QByteArray("{\"a\": 1}") << "no report of lloydscope bench";
    QTest::newRow("no device") << QByteArray("{\"results\": []}") << "device is missing";
    QTest::newRow("results no list") << QByteArray("{\"device\": {\"name\": \"x\"}, \"results\": 3}")
                                     << "results is 3, but must be a list";
    QTest::newRow("result no object")
        << QByteArray("{\"device\": {\"name\": \"x\"}, \"results\": [3]}") << "results[0] is not an object";
    for (const char* key : {"variant", "stage", "n", "d", "k", "samples", "median_us", "iqr_us", "verified"})
      QTest::addRow("without %s", key) << without(key) << QStringLiteral("results[0].%1 is missing").arg(key);
    QTest::newRow("text for number") << with("median_us", "fast")
                                     << "results[0].median_us is a text, but must be a number of at least 0";
    QTest::newRow("negative") << with("median_us", -1) << "results[0].median_us is -1";
    QTest::newRow("half a point") << with("n", 10.5) << "results[0].n is 10.5, but must be a whole number";
    QTest::newRow("no points") << with("n", 0) << "results[0].n is 0";
    QTest::newRow("too many clusters") << with("k", 1e18) << "results[0].k is 1e+18";
    QTest::newRow("number for text") << with("variant", 7) << "results[0].variant is 7, but must be a text";
    QTest::newRow("text for bool") << with("verified", "yes") << "results[0].verified is a text";
    QTest::newRow("odd arithmetic") << with("arithmetic", "add") << "must be multiply, pow or powf";
    QTest::newRow("odd tuning parameter") << with("block", "many") << "results[0].block is a text";
    QTest::newRow("odd samples") << with("samples_us", QJsonArray{1, "two"}) << "neither a number nor null";
    QTest::newRow("odd verdict") << with("rank", 1).replace("\"rank\": 1",
                                                            "\"rank\": 1, \"against_first\": 3")
                                 << "against_first is 3, but must be an object";
    QTest::newRow("chance beyond one")
        << QByteArray(oldReport).replace("\"results\"",
                                         R"("races": [{"n": 1000, "d": 2, "k": 4, "error": 2}], "results")")
        << "races[0].error is 2, but must be a chance from 0 to 1";
    QTest::newRow("twice") << QByteArray(oldReport).replace("classify.v1", "classify.v2")
                           << "results[1] repeats classify.v2";
  }
  void brokenReportsAreRefusedInOneSentence() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    Folder folder;
    const std::string path = folder.file(bytes);
    const auto saved = readBenchReport(path);
    QVERIFY(!saved.has_value());
    const QString sentence = QString::fromStdString(saved.error());
    QVERIFY2(sentence.startsWith(QString::fromStdString(path) + ": "), qPrintable(sentence));
    QVERIFY2(sentence.contains(words), qPrintable(sentence));
    QVERIFY(!sentence.contains(u'\n'));
  }

  void filesThatAreNoneAreRefused() {
    Folder folder;
    QVERIFY(readBenchReport(folder.path().toStdString()).error().ends_with("this is a directory"));
    QVERIFY(
        readBenchReport((folder.path() + "/none").toStdString()).error().ends_with("there is no such file"));
  }

  void aHugeFileIsNotRead() {
    Folder folder;
    QFile file(folder.path() + "/huge.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    // A hole: it takes no room on the disk.
    QVERIFY(file.resize(static_cast<qint64>(mostReportBytes) + 10));
    file.close();
    const auto saved = readBenchReport(file.fileName().toStdString());
    QVERIFY(!saved.has_value());
    QVERIFY2(saved.error().find("it is larger than") != std::string::npos, saved.error().c_str());
  }

  void slowerIsFoundAndFasterAndTheSame() {
    const SavedReport before = savedOf(reportOf({raceOf(100, 50)}));
    const auto against = [&](double v1, double v2) {
      return compareReports(std::vector<RaceResultPtr>{raceOf(v1, v2)}, before, "old.json");
    };
    QCOMPARE(against(100, 50).worse(), std::size_t{0});
    QCOMPARE(against(50, 25).worse(), std::size_t{0});
    const ReportComparison slower = against(100, 100);
    QCOMPARE(slower.worse(), std::size_t{1});
    QCOMPARE(slower.rows.size(), std::size_t{2});
    QVERIFY(slower.rows[1].worse());
    QVERIFY(slower.rows[1].delta->text.startsWith("takes 2.00 times as long"));
    QVERIFY2(slower.verdict().startsWith(
                 "Of 2 rows that both have, 1 got slower, 0 got faster, 1 stayed the same"),
             qPrintable(slower.verdict()));
    QVERIFY(slower.differences.isEmpty());
    QVERIFY(slower.before.startsWith("old.json, Test device, 2025-06-15"));
    const QString table = comparisonTable(slower).text();
    QVERIFY2(table.contains("takes 2.00 times as long"), qPrintable(table));
  }

  void whatWasVerifiedAndIsNotCountsAsWorse() {
    const SavedReport before = savedOf(reportOf({raceOf(100, 50)}));
    const Problem problem{1000, 2, 4};
    const RaceResultPtr wrong =
        raced({measured("classify.v1", Stage::classify, problem, 100),
               differing("classify.v2", Stage::classify, problem, 10, "label 3 is 1, but must be 0")});
    const ReportComparison comparison = compareReports(std::vector<RaceResultPtr>{wrong}, before, "old.json");
    QCOMPARE(comparison.worse(), std::size_t{1});
    QCOMPARE(comparisonText(comparison.rows[1]),
             QString("was verified, now differs: label 3 is 1, but must be 0"));
    const RaceResultPtr gone = raced({measured("classify.v1", Stage::classify, problem, 100),
                                      skipped("classify.v2", Stage::classify, problem, "no room")});
    QCOMPARE(compareReports(std::vector<RaceResultPtr>{gone}, before, "old.json").worse(), std::size_t{1});
    // On another device it may well be impossible.
    auto elsewhere = std::make_shared<RaceResult>(*gone);
    elsewhere->device.name = "Another device";
    const ReportComparison other = compareReports(std::vector<RaceResultPtr>{elsewhere}, before, "old.json");
    QCOMPARE(other.worse(), std::size_t{0});
    QCOMPARE(other.onlyBefore.size(), 1);
    // What was wrong before and is right now is nothing worse.
    const SavedReport wrongBefore = savedOf(reportOf({wrong}));
    QCOMPARE(compareReports(std::vector<RaceResultPtr>{raceOf(100, 50)}, wrongBefore, "old.json").worse(),
             std::size_t{0});
  }

  void differencesAndLonelyRowsAreNamed() {
    const SavedReport before = savedOf(reportOf({raceOf(100, 50)}));
    const Problem problem{1000, 2, 4};
    auto now = std::make_shared<RaceResult>(*raced({measured("classify.v1", Stage::classify, problem, 100),
                                                    measured("classify.v3", Stage::classify, problem, 50)}));
    now->device.name = "New device";
    now->device.driver = "600.2";
    now->conditions.cache = CacheState::cold;
    now->source = "blobs:";
    const RaceResultPtr another = mixedRace({77, 2, 3});
    const ReportComparison comparison =
        compareReports(std::vector<RaceResultPtr>{now, another}, before, "old.json");
    const QString differences = comparison.differences.join(u'\n');
    for (const char* words : {"The device differs: Test device before, New device now.",
                              "The driver differs: 580.1 before, 600.2 now.",
                              "The state of the caches differs: hot before, cold now.",
                              "The data differs: uniform:d=2 before, blobs: now."})
      QVERIFY2(differences.contains(words), qPrintable(differences));
    QCOMPARE(comparison.onlyNow.size(), 2); // a row, and a problem
    QVERIFY(comparison.onlyNow[0].startsWith("classify.v3"));
    QVERIFY(comparison.onlyNow[1].startsWith("77 points"));
    QCOMPARE(comparison.onlyBefore.size(), 1);
    QVERIFY(comparison.onlyBefore[0].startsWith("classify.v2"));
  }

  /// Two races of one problem, on points of other orders.
  void racesOfOneProblemKeepTheirPoints() {
    const SavedReport saved =
        savedOf(reportOf({raceOn("blobs:order=0", 100, 50), raceOn("blobs:order=1", 30, 40)}));
    QCOMPARE(saved.races.size(), std::size_t{2});
    QCOMPARE(saved.races[1]->source, std::string("blobs:order=1"));
    QCOMPARE(saved.races[0]->rows.size(), std::size_t{2});
    QCOMPARE(saved.races[1]->rows[0].times.median, raceOn("", 30, 40)->rows[0].times.median);
    // A report from before rows told their source has one race a problem.
    const auto old = [](const QJsonObject& report) {
      QJsonObject json = report;
      QJsonArray results;
      for (const auto& row : report["results"].toArray()) {
        QJsonObject without = row.toObject();
        without.remove("source");
        results.append(without);
      }
      json["results"] = results;
      return json;
    };
    Folder folder;
    const QJsonObject json =
        QJsonDocument::fromJson(benchJson(reportOf({raceOn("blobs:order=0", 100, 50)}))).object();
    const auto read = readBenchReport(folder.file(QJsonDocument(old(json)).toJson()));
    QVERIFY(read.has_value());
    QCOMPARE(read->races.size(), std::size_t{1});
    QCOMPARE(read->races[0]->source, std::string("blobs:order=0"));
  }

  /// Where a report has a problem on several points, rows are held against those of the same points alone.
  void rowsOfOtherPointsAreNotCompared() {
    const SavedReport both = savedOf(
        reportOf({raceOn("blobs:order=0,spread=2", 100, 50), raceOn("blobs:order=1,spread=2", 30, 40)}));
    const auto against = [](std::vector<RaceResultPtr> now, const SavedReport& before) {
      return compareReports(now, before, "old.json");
    };
    // The keys of a generator have no order, and sorted is a word for 0.
    const ReportComparison same = against(
        {raceOn("blobs:spread=2,order=1", 30, 40), raceOn("blobs:order=sorted,spread=2", 100, 50)}, both);
    QCOMPARE(same.rows.size(), std::size_t{4});
    QCOMPARE(same.worse(), std::size_t{0});
    QVERIFY2(same.verdict().contains("0 got slower, 0 got faster, 4 stayed the same"),
             qPrintable(same.verdict()));
    QVERIFY2(same.differences.isEmpty(), qPrintable(same.differences.join(u'\n')));
    QVERIFY(comparisonTable(same).text().contains("blobs:order=sorted,spread=2"));
    QCOMPARE(comparisonJson(same)["rows"].toArray()[0].toObject()["source"].toString(),
             QString("blobs:spread=2,order=1"));
    // The other points are in nobody's way.
    const ReportComparison part =
        against({raceOn("blobs:order=1,spread=2", 60, 40), raceOn("blobs:order=0.5,spread=2", 1, 1)}, both);
    QCOMPARE(part.rows.size(), std::size_t{2});
    QCOMPARE(part.worse(), std::size_t{1});
    QCOMPARE(part.onlyNow,
             QStringList{"1,000 points, 2 dimensions, k = 4, blobs:order=0.5,spread=2: all 2 rows"});
    QCOMPARE(part.onlyBefore,
             QStringList{"1,000 points, 2 dimensions, k = 4, blobs:order=0,spread=2: all 2 rows"});
    // Nor when it is this report that has several.
    const SavedReport one = savedOf(reportOf({raceOn("blobs:order=1,spread=2", 30, 40)}));
    const ReportComparison more =
        against({raceOn("blobs:order=0,spread=2", 100, 50), raceOn("blobs:order=1,spread=2", 30, 40)}, one);
    QCOMPARE(more.rows.size(), std::size_t{2});
    QCOMPARE(more.rows[0].source, std::string("blobs:order=1,spread=2"));
  }

  void aSecondMeasurementIsOfTheSamePoints() {
    const SavedReport before =
        savedOf(reportOf({raceOn("blobs:order=0", 100, 50), raceOn("blobs:order=1", 30, 40)}));
    ReportComparison comparison = compareReports(
        std::vector<RaceResultPtr>{raceOn("blobs:order=0", 200, 50), raceOn("blobs:order=1", 60, 40)}, before,
        "old.json");
    QCOMPARE(comparison.worse(), std::size_t{2});
    addSecondMeasurement(comparison, *raceOn("blobs:order=1", 30, 40), before, {});
    QVERIFY(!comparison.rows[0].again);
    QVERIFY(comparison.rows[2].again);
    QCOMPARE(comparison.rows[2].again->comparison.verdict, Verdict::same);
    QCOMPARE(comparison.worse(), std::size_t{1});
  }

  void everyFormOfTheReportHasTheComparison() {
    const SavedReport before = savedOf(reportOf({raceOf(100, 50)}));
    BenchReport report = reportOf({raceOf(100, 100)});
    report.comparison = compareReports(report.races, before, "old.json");
    QVERIFY(benchText(report).contains("takes 2.00 times as long"));
    QVERIFY(benchMarkdown(report).contains("## Against old.json"));
    const QJsonObject json = QJsonDocument::fromJson(benchJson(report)).object()["comparison"].toObject();
    QCOMPARE(json["worse"].toInt(), 1);
    QCOMPARE(json["rows"].toArray()[1].toObject()["verdict"].toString(), QString("slower"));
    QVERIFY(json["rows"].toArray()[1].toObject()["worse"].toBool());
  }

  void withNothingInCommonItSaysSo() {
    const SavedReport before = savedOf(reportOf({mixedRace({77, 2, 3})}));
    const ReportComparison comparison =
        compareReports(std::vector<RaceResultPtr>{raceOf(100, 50)}, before, "old.json");
    QVERIFY(comparison.rows.empty());
    QVERIFY(comparison.verdict().startsWith("Nothing could be compared"));
  }
};

QTEST_GUILESS_MAIN(TestSavedReport)
#include "tst_saved_report.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a trace in which something was found: no variant of the program has a race or a fault, so
// these are invented.
#include "app/model/report/trace_report.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lloyd;

namespace {

/// A variant that was never registered.
const Variant& invented() {
  static const Variant variant = [] {
    Variant v;
    v.info.family = "reduce";
    v.info.tag = "racy";
    v.info.parameters = {{"block", {64, 128}, 128}};
    return v;
  }();
  return variant;
}

TracedStage traced() {
  TracedStage stage;
  stage.candidate = {&invented(), Stage::reduce, invented().complete({})};
  stage.problem = {1000, 2, 3};
  stage.trace.counters.globalLoadRequests = 1234;
  stage.trace.counters.globalLoadSectors = 4936;
  stage.trace.counters.requests = 2000;
  stage.trace.counters.lanes = 62000;
  stage.trace.counters.sharedAtomicTurns = 4321;
  stage.trace.counters.warpLines = 5000;
  stage.trace.counters.warpLineLanes = 40000;
  return stage;
}

QJsonObject firstOf(const TraceReport& report) {
  return QJsonDocument::fromJson(traceJson(report)).array().first().toObject();
}

} // namespace

class TestReportTrace : public QObject {
  Q_OBJECT

private slots:
  void aCleanTraceIsOk() {
    const TraceReport report{.source = "uniform:", .schedule = {}, .stages = {traced()}, .untraced = {}};
    QVERIFY(report.ok());
    const QJsonObject row = firstOf(report);
    QCOMPARE(row["variant"].toString(), QString("reduce.racy"));
    QCOMPARE(row["block"].toInt(), 128);
    QVERIFY(row["items"].isNull());
    QCOMPARE(row["order"].toString(), QString("forward"));
    QCOMPARE(row["counters"].toObject()["lanes_per_request"].toDouble(), 31.0);
    QCOMPARE(row["counters"].toObject()["shared_atomic_turns"].toInt(), 4321);
    QCOMPARE(row["counters"].toObject()["lines_executed"].toInt(), 5000);
    QCOMPARE(row["counters"].toObject()["lanes_per_line"].toDouble(), 8.0);
    const QByteArray text = traceText(report);
    QVERIFY(text.contains("1,234") && text.contains("4,321") && text.contains("5,000"));
    QVERIFY(!text.contains("Found"));
    QVERIFY(!text.contains("Not traced"));
  }

  /// Stages on the same problem and other points have tables of their own.
  void pointsAreToldApart() {
    TracedStage sorted = traced();
    sorted.source = "blobs:spread=0";
    TracedStage wide = traced();
    wide.source = "blobs:spread=5";
    const TraceReport report{
        .source = "blobs:spread=0", .schedule = {}, .stages = {sorted, wide}, .untraced = {}};
    const QByteArray text = traceText(report);
    QVERIFY2(text.contains("N = 1,000, D = 2, K = 3, blobs:spread=0\n") &&
                 text.contains("N = 1,000, D = 2, K = 3, blobs:spread=5\n"),
             text.constData());
    QCOMPARE(QJsonDocument::fromJson(traceJson(report)).array()[1].toObject()["points"].toString(),
             QString("blobs:spread=5"));
    QVERIFY(launchesText(report.stages).contains("K = 3, blobs:spread=5"));
  }

  void aRaceFailsAndIsTold() {
    TraceReport report{.source = "uniform:", .schedule = {}, .stages = {traced()}, .untraced = {}};
    report.stages[0].trace.races = 7;
    report.stages[0].trace.examples = {{"word 3 of partial in block 0, at v9.cu:12 and v9.cu:14", false}};
    QVERIFY(!report.ok());
    QVERIFY(traceText(report).contains("has a race: word 3 of partial in block 0, at v9.cu:12"));
    QCOMPARE(firstOf(report)["races"].toInt(), 7);
    QCOMPARE(firstOf(report)["race_examples"].toArray().first().toObject()["same_value"].toBool(), false);
  }

  void storesOfOneValueAreShownAndDoNotFail() {
    TraceReport report{.source = "uniform:", .schedule = {}, .stages = {traced()}, .untraced = {}};
    report.stages[0].trace.sameValueRaces = 5;
    report.stages[0].trace.examples = {{"word 0 of blockChanged", true}};
    QVERIFY(report.ok());
    QVERIFY(traceText(report).contains("stores one value from several threads: word 0 of blockChanged"));
    QCOMPARE(firstOf(report)["same_value_races"].toInt(), 5);
  }

  void aFaultFailsAndIsTold() {
    TraceReport report{.source = "uniform:", .schedule = {}, .stages = {traced(), traced()}, .untraced = {}};
    report.stages[1].trace.faults = {"100 % of block 2 waits at v9.cu:20"};
    report.stages[1].problem = {500, 1, 1};
    QVERIFY(!report.ok());
    const QByteArray text = traceText(report);
    QVERIFY(
        text.contains("reduce.racy at N = 500, D = 1, K = 1 faulted: 100 % of block 2 waits at v9.cu:20"));
    QVERIFY(text.contains("FAULT"));
    QVERIFY(firstOf(report)["faults"].toArray().isEmpty());
  }

  void theOrderIsNamed() {
    using Order = simt::Schedule::Order;
    QCOMPARE(scheduleText({Order::reverse}), std::string("reverse"));
    QCOMPARE(scheduleText({Order::seeded, 42}), std::string("seeded:42"));
  }

  void nothingTracedIsAnEmptyList() {
    QVERIFY(QJsonDocument::fromJson(traceJson({})).isArray());
    QVERIFY(QJsonDocument::fromJson(traceJson({})).array().isEmpty());
  }
};

QTEST_GUILESS_MAIN(TestReportTrace)
#include "tst_trace_report.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the program of a timeline: trace events, numbers, pictures and words.
#include "app/model/plot/timeline_figure.hpp"
#include "app/model/report/html/timeline_file.hpp"
#include "app/model/timeline/timeline_texts.hpp"
#include "app/model/timeline/trace_events.hpp"
#include "app/plot/merged_spans.hpp"
#include "tests/gpu/core/timeline/hand_made.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include <map>
#include <memory>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

namespace {

NamedTimelines twoRuns(TimelineClock clock = TimelineClock::events) {
  return {{QStringLiteral("schedule.multi"), std::make_shared<const Timeline>(twoSets(clock))},
          {QStringLiteral("schedule.\"sync\", <slow>"), std::make_shared<const Timeline>(twoSets(clock))}};
}

/// Kernels of a hundredth of a microsecond, a tenth apart.
NamedTimelines manyBars(std::size_t count) {
  std::vector<TimelineBar> bars;
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = 0.1 * static_cast<double>(i);
    bars.push_back(kernel(1, begin, begin + 0.01, i % 4));
  }
  return {{QStringLiteral("many"),
           std::make_shared<const Timeline>(handRows(1), std::move(bars), TimelineClock::events)}};
}

/// What the Trace Event Format asks of an event of each phase: the keys that must be there, and their types.
QString wrongEvent(const QJsonObject& event) {
  const QString phase = event["ph"].toString();
  if (phase != "X" && phase != "M") return "phase " + phase;
  if (!event["name"].isString() || event["name"].toString().isEmpty()) return "name";
  for (const char* key : {"pid", "tid"})
    if (!event[key].isDouble() || event[key].toDouble() != event[key].toInt(-1)) return key;
  if (phase == "X") {
    if (!event["cat"].isString()) return "cat";
    for (const char* key : {"ts", "dur"})
      if (!event[key].isDouble() || event[key].toDouble() < 0) return key;
    if (!event["args"].isObject()) return "args";
    return {};
  }
  const std::map<QString, QString> argumentOf{{"process_name", "name"},
                                              {"thread_name", "name"},
                                              {"process_sort_index", "sort_index"},
                                              {"thread_sort_index", "sort_index"}};
  const auto known = argumentOf.find(event["name"].toString());
  if (known == argumentOf.end()) return "no such metadata: " + event["name"].toString();
  const QJsonValue argument = event["args"].toObject()[known->second];
  return (known->second == "name" ? argument.isString() : argument.isDouble()) ? QString() : "args";
}

} // namespace

class TestTimelineExports : public QObject {
  Q_OBJECT

private slots:
  void traceEventsAreOfTheFormat() {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(traceEvents(twoRuns()), &error);
    QVERIFY2(error.error == QJsonParseError::NoError, qPrintable(error.errorString()));
    const QJsonObject trace = document.object();
    QVERIFY(trace["traceEvents"].isArray());
    QVERIFY(trace["displayTimeUnit"] == "ns" || trace["displayTimeUnit"] == "ms");
    QVERIFY(trace["otherData"].isObject());
    std::map<int, QString> processes;
    std::map<std::pair<int, int>, QString> threads;
    std::map<int, int> complete;
    for (const auto& value : trace["traceEvents"].toArray()) {
      const QJsonObject event = value.toObject();
      const QString wrong = wrongEvent(event);
      QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
      const int pid = event["pid"].toInt();
      const int tid = event["tid"].toInt();
      if (event["name"] == "process_name") processes[pid] = event["args"].toObject()["name"].toString();
      if (event["name"] == "thread_name") threads[{pid, tid}] = event["args"].toObject()["name"].toString();
      if (event["ph"] != "X") continue;
      ++complete[pid];
      QVERIFY2((threads.contains({pid, tid})), "a thread has its name before its events");
    }
    QCOMPARE(processes.size(), std::size_t{2});
    QCOMPARE(processes[2], QString("schedule.\"sync\", <slow>"));
    QCOMPARE(threads.size(), std::size_t{10});
    QCOMPARE((threads[{1, 0}]), QString("host"));
    QCOMPARE((threads[{1, 3}]), QString("copies up"));
    const Timeline timeline = twoSets();
    QCOMPARE(complete[1], static_cast<int>(timeline.bars().size()));
    // One event has what its bar has.
    const QJsonArray runs = trace["otherData"].toObject()["runs"].toArray();
    QCOMPARE(runs[0].toObject()["times"].toString(), QString("events"));
    bool found = false;
    for (const auto& value : trace["traceEvents"].toArray()) {
      const QJsonObject event = value.toObject();
      if (event["pid"] != 1 || event["cat"] != "kernel" || event["tid"] != 2) continue;
      found = true;
      QCOMPARE(event["name"].toString(), QString("fused.v1"));
      QCOMPARE(event["ts"].toDouble(), 30.0);
      QCOMPARE(event["dur"].toDouble(), 10.0);
      QCOMPARE(event["args"].toObject()["set"].toInt(), 2);
      QVERIFY(!event["args"].toObject().contains("bytes"));
    }
    QVERIFY(found);
  }

  void traceEventsOfStepsSaySo() {
    const QJsonObject trace = QJsonDocument::fromJson(traceEvents(twoRuns(TimelineClock::steps))).object();
    for (const auto& run : trace["otherData"].toObject()["runs"].toArray())
      QCOMPARE(run.toObject()["times"].toString(), QString("order of steps, no seconds"));
  }

  void aBarIsALine() {
    const NamedTimelines runs = twoRuns();
    const PlotTable table = timelineTable(runs);
    QCOMPARE(table.rows.size(), 2 * runs[0].timeline->bars().size());
    QCOMPARE(table.headings.join(u','),
             QString("run,row,kind,what,set,begin (us),end (us),duration (us),bytes"));
    for (const QStringList& row : table.rows)
      QCOMPARE(row.size(), table.headings.size());
    QVERIFY(table.csv().contains("schedule.multi,queue 2,kernel,fused.v1,2,30,40,10,\r\n"));
    QVERIFY(
        table.csv().contains("\"schedule.\"\"sync\"\", <slow>\",copies up,copy up,copy up,2,10,30,20,1000"));
    QVERIFY(timelineTable(twoRuns(TimelineClock::steps)).headings.contains("begin (step)"));
  }

  void namesDecideOnTheFormat() {
    const NamedTimelines runs = twoRuns();
    QCOMPARE(timelineAs("a.JSON", runs).value(), traceEvents(runs));
    QCOMPARE(timelineAs("a.csv", runs).value(), timelineTable(runs).csv().toUtf8());
    QCOMPARE(timelineAs("a.svg", runs).value(), timelineSvg(runs));
    QVERIFY(!timelineAs("a.png", runs) && !isTimelineName("json") && isTimelineName("x.y.csv"));
  }

  /// A file that any program can draw: no variable, no class without a colour, nothing from elsewhere.
  void thePictureStandsAlone() {
    const QByteArray svg = timelineSvg(twoRuns());
    QXmlStreamReader xml(svg);
    QString rules;
    QSet<QString> classes;
    int bars = 0;
    int named = 0;
    QString root;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (root.isEmpty()) {
        root = xml.name().toString();
        QCOMPARE(xml.namespaceUri().toString(), QString("http://www.w3.org/2000/svg"));
        QVERIFY(xml.attributes().value("width").toDouble() > 0);
      }
      const QString marks = xml.attributes().value("class").toString();
      if (xml.name() == QLatin1String("rect") && marks.contains("bar")) {
        ++bars;
        classes << marks.section(u' ', -1);
      }
      if (xml.name() == QLatin1String("style")) rules = xml.readElementText();
      if (xml.name() == QLatin1String("text")) {
        const QString text = xml.readElementText();
        named += text == "schedule.multi" || text == "copies down" || text == "queue 2" ? 1 : 0;
      }
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(root, QString("svg"));
    QCOMPARE(bars, static_cast<int>(2 * twoSets().bars().size()));
    QCOMPARE(named, 5);
    QCOMPARE(classes.size(), 4); // copies up and down, kernels, waits
    for (const QString& one : classes)
      QVERIFY2(rules.contains(u'.' + one + " { fill: #"), qPrintable(one));
    QVERIFY(!svg.contains("var(") && !svg.contains("url(") && !svg.contains("href"));
    QVERIFY(svg.contains("fused.v1, set 2, queue 2: 10.0 "));
    QVERIFY(timelineSvg({}).contains("Race schedules to see"));
  }

  void narrowBarsBecomeOne() {
    const std::vector<std::pair<double, double>> spans{{0, 0.2}, {0.5, 0.6}, {3, 9}, {9.2, 9.3}, {20, 21}};
    const auto drawn = mergedSpans(
        0, spans.size(), [&](std::size_t i) { return spans[i]; }, 1.0);
    QCOMPARE(drawn.size(), std::size_t{3});
    QCOMPARE(drawn[0].end, 0.6);
    QCOMPARE(drawn[0].count, std::size_t{2});
    QCOMPARE(drawn[1].begin, 3.0);
    QCOMPARE(drawn[1].end, 9.3);
    QCOMPARE(drawn[2].first, std::size_t{4});
    QVERIFY(mergedSpans(
                2, 2, [&](std::size_t i) { return spans[i]; }, 1.0)
                .empty());

    const NamedTimelines many = manyBars(100'000);
    const Figure all = timelineFigure(many);
    QCOMPARE(all.panels.front().series.front().points.size(), std::size_t{200'000});
    const Figure merged = timelineFigure(many, 900);
    QVERIFY(merged.panels.front().series.front().points.size() <= 1802);
    QVERIFY(merged.panels.front().series.front().readings.front().contains("too narrow"));
    QVERIFY(timelineSvg(many).size() < 1'000'000);
  }

  void theFigureReadsTheBarUnderThePointer() {
    const NamedTimelines runs = twoRuns();
    const Figure figure = timelineFigure(runs);
    QVERIFY(figure.empty.isEmpty() && figure.summary.contains("covered"));
    const PlotPanel& panel = figure.panels.front();
    const TimelineRows rows(runs);
    QCOMPARE(rows.rows().size(), std::size_t{10});
    QCOMPARE(panel.y.low, 12.0); // and two headings
    const TimelineRows::Row& queue = rows.rows()[2];
    const auto read = panel.read({35, queue.y});
    QVERIFY(read);
    QCOMPARE(read->text, QStringLiteral("fused.v1, set 2, queue 2: 10.0 µs from 30.0 µs on"));
    QCOMPARE(read->at.x(), 35.0);
    // Between bars the nearer one, as far as its end.
    const auto beside = panel.read({46, queue.y});
    QVERIFY(beside && beside->text.startsWith("copy down"));
    QCOMPARE(beside->at.x(), 44.0);
    QVERIFY(!panel.read({35, 0.2})); // a heading
    QVERIFY(!panel.read({35, 99}));
    QVERIFY(timelineFigure({}).empty.startsWith("Race schedules to see"));
  }

  void barsBetweenTwoMoments() {
    const NamedTimelines runs = twoRuns();
    const auto places = barsBetween(runs, 26, 42);
    // Of each run the second copy, its kernel, the copy down and the host's wait; engines' rows say it again.
    QCOMPARE(places.size(), std::size_t{8});
    double before = 0;
    for (const TimelinePlace& place : places) {
      const TimelineBar& bar = runs[place.timeline].timeline->bars()[place.bar];
      QVERIFY(bar.end >= 26 && bar.begin <= 42 && bar.begin >= before);
      before = bar.begin;
    }
    QVERIFY(barsBetween(runs, 60, 70).empty());
  }

  void numbersInWords() {
    QVERIFY(timelineNumbersText(twoSets()).contains("75.0 % are covered"));
    QVERIFY(timelineNumbersText(twoSets()).contains("The run took 50.0 µs."));
    const QString steps = timelineNumbersText(twoSets(TimelineClock::steps));
    QVERIFY(steps.contains("no seconds") && !steps.contains("µs"));
    QVERIFY(timelineNumbersText(Timeline()).contains("Nothing"));
    const Timeline full(handRows(1), {kernel(1, 0, 1)}, TimelineClock::events, 7);
    QVERIFY(timelineNumbersText(full).contains("7 operations are not in the record"));
    for (const TimelineClock clock : {TimelineClock::events, TimelineClock::host, TimelineClock::steps})
      QVERIFY(timelineSourceText(clock).endsWith(u'.'));
  }
};

QTEST_APPLESS_MAIN(TestTimelineExports)
#include "tst_timeline_exports.moc"

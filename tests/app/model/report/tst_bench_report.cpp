// SPDX-License-Identifier: GPL-3.0-or-later
// What every form of a benchmark's report says, on races written by hand.
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/html_report.hpp"
#include "app/model/report/text_table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "tests/app/model/report/report_support.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace lloyd;

namespace {

QJsonObject jsonOf(const BenchReport& report) { return QJsonDocument::fromJson(benchJson(report)).object(); }

QJsonObject rowOf(const QJsonObject& json, const QString& variant) {
  for (const auto& row : json["results"].toArray())
    if (row.toObject()["variant"] == variant) return row.toObject();
  return {};
}

QStringList linesWith(const QByteArray& text, const QString& word) {
  return QString::fromUtf8(text).split(u'\n').filter(word);
}

/// The pictures of a page, each checked to be well formed.
QStringList picturesOf(const QByteArray& html) {
  QStringList pictures;
  static const QRegularExpression svg(QStringLiteral("<svg.*?</svg>"),
                                      QRegularExpression::DotMatchesEverythingOption);
  for (auto found = svg.globalMatch(QString::fromUtf8(html)); found.hasNext();) {
    const QString picture = found.next().captured();
    QXmlStreamReader reader(picture);
    while (!reader.atEnd())
      reader.readNext();
    if (reader.hasError()) qWarning("%s", qPrintable(reader.errorString()));
    pictures << (reader.hasError() ? QString() : picture);
  }
  return pictures;
}

qsizetype marksIn(const QString& picture) { return picture.count(QStringLiteral("class=\"mark")); }

/// Red, green and blue together of every colour that follows those words.
std::vector<int> lightnessesIn(const QString& picture, const char* before) {
  static const QRegularExpression colour(QStringLiteral("^[0-9a-f]{6}"));
  std::vector<int> all;
  for (const QString& part : picture.split(QLatin1String(before)).mid(1)) {
    const uint rgb = colour.match(part).captured().toUInt(nullptr, 16);
    all.push_back(static_cast<int>((rgb >> 16) + (rgb >> 8 & 0xff) + (rgb & 0xff)));
  }
  return all;
}

QString pictureCalled(const QByteArray& html, const char* marks) {
  for (const QString& picture : picturesOf(html))
    if (picture.startsWith(QStringLiteral("<svg class=\"%1").arg(QLatin1String(marks)))) return picture;
  return {};
}

/// classify.v1, to which shuffled points are worse, beside classify.v2, to which they are all the same.
std::vector<RaceResultPtr> overOrdersAndSpreads(int orders, int spreads) {
  const Problem problem{4096, 2, 16};
  std::vector<RaceResultPtr> races;
  for (int o = 0; o < orders; ++o)
    for (int s = 0; s < spreads; ++s) {
      const double order = o / std::max(1.0, orders - 1.0);
      auto race = std::make_shared<RaceResult>(
          *raced({measured("classify.v1", Stage::classify, problem, (10 + 20 * order) * (1 + 0.5 * s)),
                  measured("classify.v2", Stage::classify, problem, 20 * (1 + 0.5 * s))}));
      race->source = QStringLiteral("blobs:order=%1,spread=%2").arg(order).arg(s).toStdString();
      races.push_back(race);
    }
  return races;
}

} // namespace

class TestReportBench : public QObject {
  Q_OBJECT

private slots:
  void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

  void jsonHasConditionsRanksAndSamples() {
    const QJsonObject json = jsonOf(reportOf({mixedRace()}));
    const QJsonObject race = json["races"].toArray().first().toObject();
    QCOMPARE(race["n"].toInt(), 65536);
    QCOMPARE(race["cache"].toString(), QString("hot"));
    QCOMPARE(race["clock_mhz"].toDouble(), 1980.0);
    QCOMPARE(race["ramp_up"].toInt(), 12);
    QCOMPARE(race["throttled"].toInt(), 3);
    QCOMPARE(race["card"]["other_processes"].toInt(), 2);
    QVERIFY(race["card"]["power_limited"].toBool() && !race["card"]["heat_limited"].toBool());
    const QString warnings = warningsOf(*mixedRace()).join(QLatin1Char(' '));
    QVERIFY(warnings.contains("Other processes had work on the card: 2."));
    QVERIFY(warnings.contains("power limit") && !warnings.contains("cool"));
    QCOMPARE(race["driver"].toString(), QString("580.1"));
    QVERIFY(race["finished"].toBool() && json["finished"].toBool());
    QCOMPARE(json["command"].toString(), QString("lloydscope bench --n 2^16 --seed 7"));
    QCOMPARE(json["date"].toString(), QString("2025-06-15T15:06:40Z"));
    const QJsonObject second = rowOf(json, "classify.v2");
    QCOMPARE(second["rank"].toInt(), 1);
    QCOMPARE(second["against_first"].toObject()["verdict"].toString(), QString("faster"));
    QVERIFY(std::abs(second["against_first"].toObject()["ratio"].toDouble() - 0.5) < 0.01);
    QCOMPARE(second["samples_us"].toArray().size(), 60);
    QCOMPARE(second["launches"].toInt(), 8);
    QCOMPARE(second["published_us"].toDouble(), 118.0);
    QVERIFY(rowOf(json, "classify.v1")["against_first"].isNull());
  }

  void whatIsWrongOrNoNumberIsNeverRanked() {
    const QJsonObject json = jsonOf(reportOf({mixedRace()}));
    const QJsonObject wrong = rowOf(json, "classify.v3");
    QVERIFY(wrong["rank"].isNull() && wrong["against_first"].isNull());
    QCOMPARE(wrong["verified"].toBool(), false);
    QCOMPARE(wrong["difference"].toString(), QString("label 7 is 3, but must be 2"));
    const QJsonObject nan = rowOf(json, "classify.v4");
    QVERIFY(nan["rank"].isNull() && nan["median_us"].isNull());
    QVERIFY(nan["samples_us"].toArray().first().isNull());
    const QJsonObject none = rowOf(json, "classify.v7");
    QVERIFY(none["rank"].isNull() && none["median_us"].isNull() && none["launches"].isNull());
    QVERIFY(!reportOf({mixedRace()}).allVerified());
  }

  void csvHasALineForEveryResultAndAFieldForEveryKey() {
    const QStringList lines = QString::fromUtf8(benchCsv(reportOf({mixedRace()}))).trimmed().split(u'\n');
    QCOMPARE(lines.size(), 1 + 6);
    QVERIFY(lines[0].startsWith("variant,stage,n,d,k,block"));
    const QStringList keys = lines[0].split(u',');
    const QStringList second = lines[2].split(u',');
    QCOMPARE(second.size(), keys.size());
    QCOMPARE(second[keys.indexOf("against_first.verdict")], QString("faster"));
    QCOMPARE(second[keys.indexOf("rank")], QString("1"));
    QVERIFY(lines[3].contains("\"label 7 is 3, but must be 2\""));
    QVERIFY(!benchCsv(reportOf({mixedRace()})).contains("nan"));
  }

  void textSaysWhatAPersonNeeds() {
    const QByteArray text = benchText(reportOf({mixedRace()}));
    QVERIFY(linesWith(text, "classify.v2").first().contains("2.00 times as fast"));
    QVERIFY(linesWith(text, "classify.v1").first().contains("first"));
    QVERIFY(linesWith(text, "classify.v3").first().contains("differs"));
    QVERIFY(text.contains("classify.v3, block") && text.contains("differs: label 7 is 3, but must be 2"));
    QVERIFY(linesWith(text, "measured:").first().contains("hot caches; 60 rounds"));
    QVERIFY(text.contains("clock 1,980 MHz"));
    QVERIFY(text.contains("- classify.v7 wants a larger block"));
    QVERIFY(!text.contains("nan"));
    const QByteArray markdown = benchMarkdown(reportOf({mixedRace()}));
    QVERIFY(markdown.startsWith("# Variants on Test device"));
    QVERIFY(markdown.contains("`lloydscope bench --n 2^16 --seed 7`"));
    QVERIFY(linesWith(markdown, "| classify.v2 |").first().contains("| 118 |"));
  }

  void timesStandWithTheirPointsBelowEachOther() {
    TextTable table({"what", ".us"});
    for (const char* us : {"1,855", "13.2", "0.605", "79.0 !", "–"})
      table.addRow({QStringLiteral("x"), QString::fromUtf8(us)});
    QCOMPARE(table.text(), QString::fromUtf8("  what         us\n"
                                             "  x     1,855\n"
                                             "  x        13.2\n"
                                             "  x         0.605\n"
                                             "  x        79.0 !\n"
                                             "  x         –\n"));
    QVERIFY(table.markdown().contains(QStringLiteral("|---:|\n| x | 1,855 |\n")));
  }

  void namesAreTextInMarkdown() {
    QCOMPARE(markdownText(QStringLiteral("<b>|&amp;")), QStringLiteral("\\<b>\\|\\&amp;"));
    TextTable table({"column"});
    table.addRow({QStringLiteral("<script>alert(1)</script>")});
    QVERIFY(table.markdown().contains(QStringLiteral("\\<script>alert(1)\\</script>")));
  }

  /// Who holds two reports against each other needs to know of what they are, whichever form was kept.
  void everyFormNamesMachineAndProgram() {
    setCommit("0123456789ab");
    auto race = std::make_shared<RaceResult>(*mixedRace());
    race->conditions.load = {.processors = 8, .byOthers = 0.25};
    race->conditions.places = {0, 0, 0, 1, 1, 1, 2};
    const BenchReport report = reportOf({race});
    const QJsonObject json = jsonOf(report);
    QCOMPARE(json["program"].toObject()["commit"].toString(), QString("0123456789ab"));
    QCOMPARE(json["program"].toObject()["compiler"].toString(), buildInfo().compiler);
    QCOMPARE(json["processor"].toString().toStdString(), processorName());
    QStringList expected{"Test device",
                         "580.1",
                         "13.0",
                         "0123456789ab",
                         buildInfo().compiler,
                         QString::fromStdString(processorName()),
                         "others used 0.25 of 8 processors",
                         "memory lay in 3 places in turn",
                         "1,980 MHz"};
    QVERIFY(!expected.contains(QString()));
    for (const QByteArray& form : {benchText(report), benchMarkdown(report), benchHtml(report)})
      for (const QString& fact : expected)
        QVERIFY2(QString::fromUtf8(form).contains(fact), qPrintable(fact));
    setCommit({});
    QVERIFY(jsonOf(report)["program"].toObject()["commit"].isNull());
    QVERIFY(!benchText(report).contains("Commit"));
  }

  void everyFormHasTheIntervalOfEveryTime() {
    const BenchReport report = reportOf({mixedRace()});
    const QJsonObject row = rowOf(jsonOf(report), "classify.v1");
    const double low = row["median_low_us"].toDouble();
    const double high = row["median_high_us"].toDouble();
    QVERIFY2(low < 60 && 60 < high && high - low < 1, qPrintable(QString("%1 %2").arg(low).arg(high)));
    const QString words = QStringLiteral("%1 to %2").arg(microsecondsText(low), microsecondsText(high));
    QVERIFY(linesWith(benchText(report), "classify.v1").first().contains(words));
    QVERIFY(linesWith(benchMarkdown(report), "classify.v1").first().contains(words));
    QVERIFY(benchHtml(report).contains(words.toUtf8()));
    QVERIFY(benchCsv(report).startsWith("variant,"));
    QVERIFY(linesWith(benchCsv(report), "median_low_us,median_high_us").size() == 1);
    QVERIFY(rowOf(jsonOf(report), "classify.v7")["median_low_us"].isNull());
  }

  void oneSampleHasNoSpreadAndATimeWithoutALimitNone() {
    Measurement one = measured("classify.v1", Stage::classify, {65536, 2, 16}, 60);
    one.us = {60};
    one.times = summarise(one.us);
    one.limitUs = 0;
    const BenchReport report = reportOf({raced({one})});
    const QJsonObject row = rowOf(jsonOf(report), "classify.v1");
    QCOMPARE(row["median_us"].toDouble(), 60.0);
    for (const char* key : {"noise", "iqr_us", "of_limit"})
      QVERIFY2(row[key].isNull(), key);
    const QStringList lines = QString::fromUtf8(benchCsv(report)).trimmed().split(u'\n');
    const auto field = [&](const char* key) {
      return lines[1].split(u',')[lines[0].split(u',').indexOf(QLatin1String(key))];
    };
    QCOMPARE(field("median_us"), QStringLiteral("60"));
    QCOMPARE(field("noise"), QString());
    QCOMPARE(field("iqr_us"), QString());
    const QString ladder = pictureCalled(benchHtml(report), "ladder");
    QVERIFY2(ladder.contains("60.0 µs, 1 sample<"), qPrintable(ladder));
    QVERIFY(pictureCalled(benchHtml(reportOf({mixedRace()})), "ladder")
                .contains("60 samples, 25.0 % of the limit"));
  }

  /// "times the best" and the verdict beside it are of the same ratios.
  void oneFigureHasOneValue() {
    const Problem problem{65536, 2, 16};
    auto race = raced({measured("classify.v1", Stage::classify, problem, 125.4, 0.1),
                       measured("classify.v2", Stage::classify, problem, 10, 0.002)});
    auto skewed = std::make_shared<RaceResult>(*race);
    skewed->rows[0].times.median *= 1.02; // of samples that no round pairs
    rankRows(skewed->rows, skewed->conditions);
    const QByteArray text = benchText(reportOf({skewed}));
    const auto& against = skewed->rows[1].againstFirst;
    QVERIFY(against);
    const QString figure = significantText(1 / against->ratio);
    QVERIFY(linesWith(text, "classify.v2").first().contains(figure + " times as fast"));
    QVERIFY2(linesWith(text, "classify.v1").first().contains("  " + figure + "  "), text.constData());
    QVERIFY(benchHtml(reportOf({skewed})).contains((figure + QChar(0x00d7)).toUtf8()));
  }

  void theNamesOfFactsStandApart() {
    auto race = std::make_shared<RaceResult>(*mixedRace());
    race->conditions.places = {0, 0, 1, 1};
    for (const ReportFact& fact : factsOf(reportOf({race})))
      QVERIFY2(QString::fromUtf8(benchText(reportOf({race}))).contains(fact.name + ' '),
               qPrintable(fact.name));
    QVERIFY(!benchText(reportOf({race})).contains("placementsmemory"));
  }

  void aPinnedBaselineIsNamedAndComparedWith() {
    const RaceResultPtr race = mixedRace();
    BenchReport report = reportOf({race});
    QVERIFY(!benchText(report).contains("Baseline"));
    report.baseline = Baseline::ofVariant(race->rows[1].candidate);
    const auto delta = deltaOf(race->rows[0], *race, report.baseline);
    QVERIFY(delta);
    const QString html = QString::fromUtf8(benchHtml(report));
    QVERIFY(html.contains("against " + report.baseline.title));
    QVERIFY(html.contains(delta->text));
    for (const QByteArray& form : {benchText(report), benchMarkdown(report)}) {
      QVERIFY(form.contains("Baseline"));
      QVERIFY(linesWith(form, "classify.v1").first().contains(delta->text));
    }
  }

  /// The page says of an older report what the terminal says.
  void theHtmlHasTheVerdictsOfACompareInTheSameWords() {
    const Problem problem{65536, 2, 16};
    const SavedReport before{.races = {raced({measured("classify.v1", Stage::classify, problem, 60),
                                              measured("reduce.v1", Stage::reduce, problem, 17)})},
                             .unknown = {"classify.v99"}};
    BenchReport report = reportOf({raced({measured("classify.v1", Stage::classify, problem, 90),
                                          measured("reduce.v1", Stage::reduce, problem, 17)})});
    report.comparison = compareReports(report.races, before, "old.json");
    QCOMPARE(report.comparison->rows.size(), std::size_t{2});
    const QString html = QString::fromUtf8(benchHtml(report));
    const QString text = QString::fromUtf8(benchText(report));
    QStringList words{report.comparison->verdict(), "old.json", "classify.v99"};
    for (const ComparedRow& row : report.comparison->rows)
      words << comparisonText(row);
    for (const QString& one : words) {
      QVERIFY2(html.contains(one), qPrintable(one));
      QVERIFY2(text.contains(one), qPrintable(one));
    }
  }

  void whatWasNotFinishedSaysSo() {
    auto race = std::make_shared<RaceResult>(*mixedRace());
    race->finished = false;
    BenchReport report = reportOf({race});
    report.interrupted = true;
    QVERIFY(benchText(report).contains("Not finished: the race was ended after 60 rounds."));
    QVERIFY(benchHtml(report).contains("This benchmark was ended early"));
    const QJsonObject json = jsonOf(report);
    QVERIFY(!json["finished"].toBool(true));
    QVERIFY(!rowOf(json, "classify.v1")["finished"].toBool(true));
    QVERIFY(benchCsv(report).contains(",false\n"));
  }

  void theHtmlHasItsPlotsAndNothingFromElsewhere() {
    const QByteArray html = benchHtml(reportOf({mixedRace()}));
    QVERIFY(html.contains("prefers-color-scheme: dark")); // the style sheet is in the page
    for (const char* outside : {"http:", "https:", "<script", "url(", "@import", "src=", "//"})
      QVERIFY2(!html.contains(outside) || qstrcmp(outside, "//") == 0, outside);
    const QString ladder = pictureCalled(html, "ladder");
    QCOMPARE(ladder.count("class=\"mark bar"), 4); // no bar for what is no number
    QCOMPARE(ladder.count("mark bar wrong"), 1);
    QVERIFY(ladder.contains("role=\"img\"") && ladder.contains("aria-label="));
    QVERIFY(ladder.count("<title>") >= marksIn(ladder));
    QVERIFY(marksIn(pictureCalled(html, "distribution")) >= 4);
    QVERIFY(marksIn(pictureCalled(html, "roofline")) >= 4);
    for (const QString& picture : picturesOf(html)) {
      QVERIFY(!picture.isEmpty());
      QVERIFY2(!picture.contains("nan") && !picture.contains("inf"), qPrintable(picture));
    }
    QVERIFY(html.contains("differs: label 7 is 3, but must be 2"));
    QVERIFY(html.contains("<code>lloydscope bench --n 2^16 --seed 7</code>"));
    const qsizetype headers = html.count("<th ");
    QVERIFY(headers > 15);
    static const QRegularExpression defined(QStringLiteral("<th scope=\"col\" title=\"[^\"]{10,}\""));
    qsizetype definedHeaders = 0;
    for (auto found = defined.globalMatch(QString::fromUtf8(html)); found.hasNext(); found.next())
      ++definedHeaders;
    QCOMPARE(definedHeaders, headers);
  }

  void namesCannotBreakOut() {
    auto race = std::make_shared<RaceResult>(*mixedRace());
    const std::string hostile = "a<script>alert(1)</script>&amp;\"'\x01%1%2.csv";
    race->rows[2].difference = hostile;
    race->rows[4].skipped = hostile;
    BenchReport report = reportOf({race});
    report.source = report.device.name = report.why = report.command = hostile;
    const QByteArray html = benchHtml(report);
    QVERIFY(!html.contains("<script"));
    QVERIFY(html.contains("a&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;&#39;\xEF\xBF\xBD%1%2.csv"));
    QVERIFY(!html.contains('\x01'));
    for (const QString& picture : picturesOf(html))
      QVERIFY(!picture.isEmpty());
    QCOMPARE(jsonOf(report)["source"].toString(), QString::fromStdString(hostile));
  }

  void sweepsOfProblemsAreDrawn() {
    std::vector<RaceResultPtr> oneAxis;
    std::vector<RaceResultPtr> twoAxes;
    for (const std::size_t n : {4096U, 16384U, 65536U}) {
      oneAxis.push_back(mixedRace({n, 2, 16}));
      for (const int k : {4, 16})
        twoAxes.push_back(mixedRace({n, 2, k}));
    }
    const QString lines = pictureCalled(benchHtml(reportOf(oneAxis)), "sweep lines");
    QCOMPARE(lines.count("mark line"), 2);  // classify.v1 and classify.v2; reduce has a plot of its own
    QCOMPARE(lines.count("mark point"), 6); // three sizes of each
    const QString map = pictureCalled(benchHtml(reportOf(twoAxes)), "sweep map");
    QCOMPARE(map.count("mark cell"), 6);
    QVERIFY(map.contains(">V2<") && !map.contains("V3"));
  }

  /// Of each stage a map, and every variant over each of the two axes; on one scale, with what changes named.
  void sweepsOfTheDataAreDrawn() {
    const BenchReport report = reportOf(overOrdersAndSpreads(2, 2));
    const QString html = QString::fromUtf8(benchHtml(report));
    const QStringList maps = picturesOf(html.toUtf8()).filter("class=\"sweep map");
    const QStringList lines = picturesOf(html.toUtf8()).filter("class=\"sweep lines");
    QCOMPARE(maps.size(), 1);
    QCOMPARE(maps[0].count("mark cell"), 4);
    QVERIFY(maps[0].contains(">V1<") && maps[0].contains(">V2<"));
    QCOMPARE(lines.size(), 4);
    for (const QString& picture : lines)
      QCOMPARE(picture.count("mark line"), 2);
    // V1 takes 10 of sorted points and 30 of shuffled ones, V2 always 20; at the other spread half as much
    // more.
    for (const char* words :
         {"<b>spread = 0</b>4 measurements; the fastest changes from V1 to V2 at about 0.50.",
          "<b>spread = 1</b>4 measurements; the fastest changes from V1 to V2 at about 0.50.",
          "<b>order = 0</b>4 measurements.", "<b>order = 1</b>4 measurements."})
      QVERIFY2(html.contains(words), words);
    QCOMPARE(lines.filter("V2 is faster than V1 from about 0.50 on").size(), 2);
    QCOMPARE(lines.filter("share of shuffled points, linear").size(), 2); // paper has no button that tells
  }

  /// Where the clusters were swept beside the data, lines go over them, too, with rings where they cross.
  void crossingsAlongTheClustersAreMarked() {
    std::vector<RaceResultPtr> races;
    for (const int k : {4, 8, 16})
      for (const int order : {0, 1}) {
        const Problem problem{4096, 2, k};
        auto race =
            std::make_shared<RaceResult>(*raced({measured("classify.v1", Stage::classify, problem, 5.0 * k),
                                                 measured("classify.v2", Stage::classify, problem, 45)}));
        race->source = QStringLiteral("blobs:order=%1,spread=1").arg(order).toStdString();
        races.push_back(race);
      }
    const QString html = QString::fromUtf8(benchHtml(reportOf(races)));
    QVERIFY(html.contains("over k, clusters"));
    QCOMPARE(picturesOf(html.toUtf8()).filter("V2 is faster than V1 from about ").size(), 2);
  }

  void picturesOfManyValuesAreLeftOut() {
    // A map, and of eight pictures over eleven orders and eleven over eight spreads what there is room for.
    const QByteArray html = benchHtml(reportOf(overOrdersAndSpreads(11, 8)));
    QCOMPARE(picturesOf(html).filter("class=\"sweep").size(), 12);
    for (const char* over : {"over share of shuffled points", "over spread of clusters"})
      QVERIFY2(html.contains(over), over);
    QVERIFY(html.contains("8 more pictures of this stage are left out"));
    const QByteArray many = benchHtml(reportOf(overOrdersAndSpreads(21, 20)));
    QCOMPARE(picturesOf(many).filter("class=\"sweep").size(), 12);
    QVERIFY(many.contains("30 more pictures of this stage are left out"));
  }

  /// Two races of one problem are told apart by their points in every form.
  void pointsAreNamedWhereProblemsAreTheSame() {
    const BenchReport report = reportOf(overOrdersAndSpreads(2, 1));
    const QString heading = "4,096 points, 2 dimensions, k = 16, blobs:order=1,spread=0";
    QVERIFY(QString::fromUtf8(benchText(report)).contains(heading));
    QVERIFY(QString::fromUtf8(benchMarkdown(report)).contains("## " + heading));
    QCOMPARE(QString::fromUtf8(benchHtml(report)).count(heading), 2); // in the contents, too
    QVERIFY(benchText(report).contains("blobs:order=0,spread=0 and 1 more"));
    QCOMPARE(linesWith(benchCsv(report), "\"blobs:order=1,spread=0\"").size(), 2);
    const QJsonArray results = jsonOf(report)["results"].toArray();
    QCOMPARE(results[0].toObject()["source"].toString(), QString("blobs:order=0,spread=0"));
    QCOMPARE(results[2].toObject()["source"].toString(), QString("blobs:order=1,spread=0"));
    // Where they do not differ, a heading need not say it.
    QVERIFY(!benchText(reportOf({mixedRace()})).contains("k = 16, uniform"));
  }

  void sweepsOfKnobsAreDrawn() {
    const Problem problem{65536, 2, 16};
    std::vector<Measurement> rows;
    for (const int block : {64, 128, 256})
      for (const int items : {1, 4}) {
        rows.push_back(measured("classify.v7", Stage::classify, problem, 10 + block / 32.0 - items));
        rows.back().candidate.tuning.set("block", block);
        rows.back().candidate.tuning.set("items", items);
      }
    const QByteArray html = benchHtml(reportOf({raced(rows)}));
    const QString map = pictureCalled(html, "sweep map");
    QCOMPARE(map.count("mark cell"), 6);
    // The brightest cell has the colour that the scale below begins with: less is better.
    const QString scale = pictureCalled(html, "scale");
    QVERIFY(scale.contains("median µs"));
    QCOMPARE(scale.count("mark bar"), 64);
    const std::vector<int> strip = lightnessesIn(scale, "--c: #");
    const std::vector<int> cells = lightnessesIn(map, "fill=\"#");
    QVERIFY(!strip.empty() && cells.size() == 6);
    QVERIFY(std::abs(strip.front() - std::ranges::max(cells)) <= 6);
    QVERIFY(std::abs(strip.back() - std::ranges::min(cells)) <= 6);
    QVERIFY(pictureCalled(html, "ladder").contains("classify.v7, block 64, items 4"));
    std::erase_if(rows, [](const Measurement& m) { return m.candidate.tuning.items == 4; });
    const QString lines = pictureCalled(benchHtml(reportOf({raced(rows)})), "sweep lines");
    QCOMPARE(lines.count("mark line"), 1);
    QCOMPARE(lines.count("mark point"), 3);
    QVERIFY(lines.contains("block"));
  }

  /// A shape of three parameters: maps for each width of loads, of time, gain and occupancy, and the paper's
  /// claims beside what was found.
  void shapesOfALaunchHaveAMapForEachWidth() {
    const Problem problem{1 << 20, 2, 10};
    std::vector<Measurement> rows;
    for (const int vector : {1, 2})
      for (const int block : {64, 128, 256})
        for (const int items : {1, 2, 8}) {
          rows.push_back(measured("classify.v8", Stage::classify, problem,
                                  200.0 / (items == 1 ? 1 : 1.5) / vector + block / 10.0));
          for (const auto& [name, value] : {std::pair("block", block), {"items", items}, {"vector", vector}})
            rows.back().candidate.tuning.set(name, value);
          rows.back().resources = KernelResources{.registers = 40, .occupancy = 25.0 / block};
        }
    const auto mapsOf = [](const QString& html) { return html.count("<svg class=\"sweep map"); };
    const QString html = QString::fromUtf8(benchHtml(reportOf({raced(rows)})));
    QCOMPARE(mapsOf(html), 6);
    QCOMPARE(html.count("<svg class=\"scale"), 3); // one for each of time, gain and occupancy
    QVERIFY(html.contains("classify.v8 over threads in a block and points a thread"));
    QVERIFY(html.contains("vector = 1") && html.contains("vector = 2"));
    QVERIFY(html.contains("times as fast as with one point a thread") && html.contains("occupancy %"));
    QVERIFY(html.contains(
        "The paper: 128 threads; 8 points a thread, +40 % over one. Here: 64 threads; 2 points"));
    for (Measurement& row : rows)
      row.resources.reset(); // a device that tells no occupancy
    QCOMPARE(mapsOf(QString::fromUtf8(benchHtml(reportOf({raced(rows)})))), 4);
  }

  void aThirdParameterHasItsWords() {
    std::vector<Measurement> rows;
    for (const Arithmetic arithmetic : {Arithmetic::multiply, Arithmetic::pow})
      for (const int block : {64, 128})
        for (const int items : {1, 2}) {
          rows.push_back(measured("classify.v4", Stage::classify, {65536, 2, 16}, block / 10.0 + items));
          rows.back().candidate.tuning.set("block", block);
          rows.back().candidate.tuning.set("items", items);
          rows.back().candidate.tuning.arithmetic = arithmetic;
        }
    const QByteArray html = benchHtml(reportOf({raced(rows)}));
    QVERIFY(html.contains("arithmetic = multiply") && html.contains("arithmetic = pow"));
  }

  void anEmptyRaceIsToldAndNotDrawn() {
    const Problem problem{100, 2, 3};
    const RaceResultPtr race = raced({skipped("classify.v1", Stage::classify, problem, "no device")});
    QVERIFY(benchText(reportOf({race})).contains("nothing could be run"));
    const QByteArray html = benchHtml(reportOf({race}));
    QVERIFY(html.contains("Nothing could be run."));
    QVERIFY(picturesOf(html).isEmpty());
  }

  /// Of neighbours in a text's ladder, every form for people says what becomes of the step.
  void stepsOfTheTextsAreTold() {
    const BenchReport report = reportOf({mixedRace()});
    const QString line = linesWith(benchText(report), QStringLiteral("classify.v2 after v1")).value(0);
    QVERIFY2(line.contains("2.06 (243 to 118 µs)") && line.contains("1.08 (152 to 141 µs)") &&
                 line.contains("2.00 times as fast") && line.endsWith("holds in part"),
             qPrintable(line));
    QVERIFY(benchMarkdown(report).contains("| classify.v2 after v1 | 2.06 "));
    const QByteArray html = benchHtml(report);
    QVERIFY(html.contains("<h3>Steps of the texts</h3>") && html.contains(">classify.v2 after v1<"));
    const QJsonArray steps = jsonOf(report)["races"].toArray()[0].toObject()["steps"].toArray();
    QCOMPARE(steps.size(), 1);
    QCOMPARE(steps[0].toObject()["here"].toObject()["verdict"].toString(), QString("faster"));
    // On processors there are no such steps.
    auto race = std::make_shared<RaceResult>(*mixedRace());
    race->device.backend = Backend::cpu;
    QVERIFY(!benchText(reportOf({race})).contains("classify.v2 after v1"));
    QVERIFY(!benchHtml(reportOf({race})).contains("Steps of the texts"));
  }
};

QTEST_GUILESS_MAIN(TestReportBench)
#include "tst_bench_report.moc"

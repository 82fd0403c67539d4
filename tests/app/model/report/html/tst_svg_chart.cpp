// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, and pictures of panels whose marks stand where their values are.
#include "app/model/report/html/svg_chart.hpp"
#include "app/plot/plot_palette.hpp"

#include <QSet>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <limits>
#include <utility>

using namespace lloyd;

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

std::vector<double> valuesOf(const PlotAxis& axis) {
  std::vector<double> values;
  for (const PlotTick& tick : axis.ticksFor(8))
    values.push_back(tick.value);
  return values;
}

QStringList labelsOf(const PlotAxis& axis) {
  QStringList labels;
  for (const PlotTick& tick : axis.ticksFor(8))
    labels << tick.label;
  return labels;
}

/// One element of a picture.
struct Element {
  QString name;
  QXmlStreamAttributes attributes;
  QString text; ///< its own, and that of a title within it
};

/// All elements of a picture, in order; none when it is not well formed.
std::vector<Element> elementsOf(const QString& picture) {
  std::vector<Element> elements;
  QXmlStreamReader reader(picture);
  while (!reader.atEnd()) {
    reader.readNext();
    if (reader.isStartElement())
      elements.push_back({reader.name().toString(), reader.attributes(), {}});
    else if (reader.isCharacters() && !reader.isWhitespace() && !elements.empty())
      elements.back().text += reader.text();
  }
  if (reader.hasError()) return {};
  return elements;
}

Element firstOf(const QString& picture, const char* name) {
  for (const Element& element : elementsOf(picture))
    if (element.name == QLatin1String(name)) return element;
  return {};
}

/// 100 pixels each way for values from 0 to 10, with one series.
PlotPanel hundred(PlotSeries series) {
  return {.x = {.high = 10, .grid = false}, .y = {.high = 10}, .series = {std::move(series)}};
}

QString drawn(const PlotPanel& panel, const QString& label = QStringLiteral("x")) {
  return svgFigure(panel, {.width = 100, .height = 100, .left = 0, .right = 0, .top = 0, .bottom = 0}, label,
                   QStringLiteral("test"));
}

} // namespace

class TestSvgChart : public QObject {
  Q_OBJECT

private slots:
  void linearAxesBeginAtZero() {
    const PlotAxis axis = PlotAxis::fromZero("us", std::vector<double>{3, 97, noNumber});
    QCOMPARE(axis.low, 0.0);
    QVERIFY(axis.high >= 97 && axis.high < 100);
    QCOMPARE(valuesOf(axis), (std::vector<double>{0, 20, 40, 60, 80}));
    QCOMPARE(labelsOf(PlotAxis::fromZero("us", std::vector<double>{0.31})),
             (QStringList{"0.00", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30"}));
    QCOMPARE(PlotAxis::fromZero("us", {}).high, 1.0);
  }

  void logarithmicAxesComeWithADecade() {
    QVERIFY(!PlotAxis::around("us", std::vector<double>{10, 99}).log);
    const PlotAxis axis = PlotAxis::around("us", std::vector<double>{1, 100, 0, -3, noNumber});
    QVERIFY(axis.log);
    QVERIFY(axis.low > 0 && axis.low < 1 && axis.high > 100);
    QCOMPARE(labelsOf(axis), (QStringList{"1", "2", "5", "10", "20", "50", "100"}));
    QCOMPARE(axis.fraction(std::sqrt(axis.low * axis.high)), 0.5);
    QVERIFY(std::isnan(axis.fraction(0)));
    // Twelve decades are more than there is room for.
    QVERIFY(PlotAxis::around("us", std::vector<double>{1e-6, 1e6}).ticksFor(8).size() <= 9);
    // Less than a decade, when it has to be logarithmic, still has numbers.
    QVERIFY(PlotAxis::around("us", std::vector<double>{0.98, 1.03}, true).ticksFor(8).size() >= 3);
  }

  void pairsStandWhereTheirValuesAre() {
    const QString bars = drawn(hundred({.style = PlotSeries::Style::lying,
                                        .ink = PlotInk::series(0),
                                        .bar = 1,
                                        .points = {{0, 2}, {5, 2}, {1, 7}, {4, 7}},
                                        .readings = {"half", "between"}}));
    const QXmlStreamAttributes bar = firstOf(bars, "rect").attributes;
    QCOMPARE(bar.value("x").toDouble(), 0.0);
    QCOMPARE(bar.value("width").toDouble(), 50.0);
    QCOMPARE(bar.value("y").toDouble(), 75.0); // 2 of 10 from the bottom, less half of its thickness
    QCOMPARE(bar.value("height").toDouble(), 10.0);
    QCOMPARE(firstOf(bars, "title").text, QString("half"));
    QCOMPARE(bars.count("mark bar s0"), 2);
    QVERIFY(bars.contains("<title>between</title>"));
    const QString whisker = drawn(hundred(
        {.style = PlotSeries::Style::whisker, .size = 6, .points = {{1, 5}, {3, 5}}, .readings = {"range"}}));
    QVERIFY2(whisker.contains("M10 47v6M30 47v6M10 50H30"), qPrintable(whisker));
  }

  void marksStandWhereTheirValuesAre() {
    PlotSeries marks{.style = PlotSeries::Style::marks,
                     .marker = PlotMarker::square,
                     .points = {{10, 10}, {20, 5}},
                     .readings = {"corner", "outside"}};
    QVERIFY(drawn(hundred(marks)).contains("M100 0m"));
    QVERIFY(!drawn(hundred(marks)).contains("outside"));
    marks.marker = PlotMarker::stroke;
    QVERIFY(drawn(hundred(marks)).contains("M100 -3v6"));
    // Grains are one mark, which says one thing.
    marks.marker = PlotMarker::grain;
    marks.points = {{1, 5}, {2, 5}, {3, 5}};
    marks.readings = {"all of them"};
    const QString grains = drawn(hundred(marks));
    QCOMPARE(grains.count("class=\"mark"), 1);
    QVERIFY(grains.contains("M10 50h0M20 50h0M30 50h0"));
    // Every series that takes its marker in turn has a mark of its own.
    QSet<QString> outlines;
    for (std::size_t series = 0; series < plotMarkers; ++series) {
      marks.marker = markerOf(series);
      marks.points = {{5, 5}};
      outlines << drawn(hundred(marks));
    }
    QCOMPARE(outlines.size(), qsizetype(plotMarkers));
  }

  void filledSeriesEndWhereTheyMeet() {
    PlotSeries low{.style = PlotSeries::Style::stacked, .points = {{2, 2}, {4, 4}}};
    PlotSeries high{.style = PlotSeries::Style::stacked, .points = {{2, 5}, {4, 6}}};
    PlotPanel panel = hundred(low);
    panel.series.push_back(high);
    const QString stacked = drawn(panel);
    QVERIFY2(stacked.contains("M20 80L30 80L30 60L40 60L40 100L20 100z"), qPrintable(stacked));
    QVERIFY2(stacked.contains("M20 50L30 50L30 40L40 40L40 60L30 60L30 80L20 80z"), qPrintable(stacked));
    const QString steps = drawn(hundred({.style = PlotSeries::Style::steps, .points = {{0, 50}, {5, 1}}}));
    QVERIFY2(steps.contains("M0 0L50 0L50 90L50 90L50 100L0 100z"), qPrintable(steps)); // cut at the top
    const QString bars =
        drawn(hundred({.style = PlotSeries::Style::bars, .bar = 2, .points = {{3, 4}, {6, noNumber}}}));
    QCOMPARE(firstOf(bars, "rect").attributes.value("height").toDouble(), 40.0);
    QCOMPARE(bars.count("mark bar"), 1);
  }

  void spansAndCaptionsAreThere() {
    PlotPanel panel = hundred({});
    panel.spans = {{.from = 2, .to = 4}, {.from = 5, .to = 5, .ink = {PlotInk::Of::dim}, .dashed = true}};
    panel.captions = {{.text = "first"}, {.text = "second"}};
    const QString svg = drawn(panel);
    QCOMPARE(firstOf(svg, "rect").attributes.value("width").toDouble(), 20.0);
    QVERIFY(svg.contains("span dim line dashed") && svg.contains("M50 0V100"));
    QVERIFY(svg.indexOf("first") < svg.indexOf("second"));
  }

  void namesOfRowsAndWordsBehindMarksHaveRoom() {
    const QString words(30, u'w');
    PlotPanel panel{.x = {.high = 10}, .y = {.high = 1, .grid = false, .places = {{0.5, words, true}}}};
    panel.series.push_back({.style = PlotSeries::Style::marks,
                            .points = {{10, 0.5}},
                            .labels = {words},
                            .labelsBehind = true,
                            .bold = true});
    const QString svg = svgFigure(panel, {.width = 900, .left = 10, .right = 10}, "x", "test");
    int found = 0;
    for (const Element& element : elementsOf(svg)) {
      if (element.text != words) continue;
      const bool name = element.attributes.value("text-anchor") == QLatin1String("end");
      const QString place =
          element.attributes.value("transform").toString().section('(', 1).section(' ', 0, 0);
      const double x = name ? element.attributes.value("x").toDouble() : place.toDouble();
      const double wide = 7 * 30; // at the least
      QVERIFY2(name ? x > wide : x + wide < 900, qPrintable(QString::number(x)));
      QVERIFY(element.attributes.value("class").contains(QLatin1String("bold")));
      ++found;
    }
    QCOMPARE(found, 2);
  }

  void aDescriptionIsPainted() {
    const PlotSeries series{.name = "V1",
                            .ink = PlotInk::series(0),
                            .marker = PlotMarker::square,
                            .points = {{0, 0}, {5, 5}, {20, 20}},
                            .readings = {"first", "second", "third"}};
    const QString lines = drawn(hundred(series));
    QVERIFY2(lines.contains("M0 100L50 50L100 0"), qPrintable(lines)); // and no farther than the axes
    QVERIFY(lines.contains("<title>second</title>"));
    PlotPanel plane{.x = PlotAxis::categories("k", {"2", "4", "8"}), .y = PlotAxis::categories("n", {"8"})};
    plane.cells = PlotCells{.columns = 3,
                            .cells = {{1, {"1.0"}, "one"}, {noNumber, {}, "none"}, {noNumber, {"-"}, "gap"}},
                            .title = {}};
    const QString cells = drawn(plane);
    QCOMPARE(cells.count("mark cell"), 1);
    QVERIFY(cells.contains("<title>one</title>"));
    QVERIFY(cells.contains("<title>gap</title>") && !cells.contains("<title>none</title>"));
  }

  void textIsEscapedEverywhere() {
    const QString svg = drawn(hundred({.style = PlotSeries::Style::marks,
                                       .marker = PlotMarker::disc,
                                       .points = {{1, 2}},
                                       .labels = {"</svg><script>"},
                                       .labelsBehind = true,
                                       .readings = {"<b> & \"q\" '\x02"}}),
                              "a <plot> & \"more\"");
    QCOMPARE(firstOf(svg, "svg").attributes.value("aria-label").toString(), QString("a <plot> & \"more\""));
    QCOMPARE(firstOf(svg, "svg").attributes.value("role").toString(), QString("img"));
    QVERIFY(!svg.contains("<script>") && svg.contains("script"));
    QCOMPARE(firstOf(svg, "title").text, QString("<b> & \"q\" '") + QChar(QChar::ReplacementCharacter));
  }

  void whatHasNoPlaceIsLeftOut_data() {
    QTest::addColumn<int>("style");
    for (const auto& [name, style] : std::initializer_list<std::pair<const char*, PlotSeries::Style>>{
             {"marks", PlotSeries::Style::marks},
             {"line", PlotSeries::Style::line},
             {"bars", PlotSeries::Style::bars},
             {"lying", PlotSeries::Style::lying},
             {"whisker", PlotSeries::Style::whisker}})
      QTest::newRow(name) << static_cast<int>(style);
  }
  void whatHasNoPlaceIsLeftOut() {
    QFETCH(int, style);
    const QString empty = drawn(hundred({}));
    const double infinite = std::numeric_limits<double>::infinity();
    QCOMPARE(drawn(hundred({.style = static_cast<PlotSeries::Style>(style),
                            .bar = 1,
                            .marker = PlotMarker::disc,
                            .points = {{noNumber, 1}, {1, noNumber}, {infinite, 1}, {noNumber, noNumber}},
                            .labels = {"none"},
                            .readings = {"none"}})),
             empty);
    QVERIFY(!empty.contains("nan"));
  }

  /// The page's style sheet has a colour and a rule for whatever class a series may have, by both schemes.
  void everyInkHasItsColour() {
    for (const bool dark : {false, true})
      for (std::size_t i = 0; i < plotHues; ++i) {
        const QString colour = QStringLiteral("#%1").arg(seriesRgb(i, dark), 6, 16, QLatin1Char('0'));
        QVERIFY(plotColourVariables(dark).contains(QStringLiteral("--s%1: %2;").arg(i).arg(colour)));
        const PlotRgb ground = dark ? 0x181b21 : 0xffffff; // of the page's cards
        QVERIFY2(contrastOf(seriesRgb(i, dark), ground) >= 3, qPrintable(colour));
        QVERIFY(plotColourRules().contains(QStringLiteral(".s%1 {").arg(i)));
      }
    QVERIFY(plotColourRules().contains("svg .classify { --c: var(--classify); }"));
    QVERIFY(drawn(hundred({.ink = PlotInk::stage(Stage::classify), .points = {{1, 1}, {2, 2}}}))
                .contains("mark line classify"));
  }

  void theRampOnlyEverGetsLighter() {
    double before = 0;
    for (int i = 0; i <= 20; ++i) {
      const PlotRgb colour = rampRgb(i / 20.0);
      const double light = contrastOf(colour, 0);
      QVERIFY2(light > before, qPrintable(QString::number(i)));
      QVERIFY(contrastOf(inkOn(colour), colour) >= 4.5);
      before = light;
    }
    QVERIFY(inkOn(rampRgb(1)) == 0 && inkOn(rampRgb(0)) == 0xffffff);
    QCOMPARE(rampRgb(noNumber), rampRgb(0));
  }
};

QTEST_GUILESS_MAIN(TestSvgChart)
#include "tst_svg_chart.moc"

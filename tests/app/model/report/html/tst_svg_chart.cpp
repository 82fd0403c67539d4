// SPDX-License-Identifier: GPL-3.0-or-later
// Axes, and pictures whose marks stand where their values are.
#include "app/model/report/html/svg_chart.hpp"

#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <limits>

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

/// 100 pixels each way for values from 0 to 10.
SvgChart hundred() {
  const PlotAxis axis{.high = 10};
  return SvgChart({.width = 100, .height = 100, .left = 0, .right = 0, .top = 0, .bottom = 0},
                  QStringLiteral("a <plot> & \"more\""), axis, axis);
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

  void marksStandWhereTheirValuesAre() {
    SvgChart chart = hundred();
    chart.bar(0, 5, 2, 10, "best", "half");
    chart.pointAt(chart.pixel({10, 10}), 1, "s0", "corner");
    chart.whisker(1, 3, 5, 6, {}, "range");
    const QXmlStreamAttributes bar = firstOf(chart.toSvg("test"), "rect").attributes;
    QCOMPARE(bar.value("x").toDouble(), 0.0);
    QCOMPARE(bar.value("width").toDouble(), 50.0);
    QCOMPARE(bar.value("y").toDouble(), 75.0); // 2 of 10 from the bottom, less half of its thickness
    QCOMPARE(firstOf(chart.toSvg("test"), "title").text, QString("half"));
    QVERIFY(chart.toSvg("test").contains("M100 0m"));
    QVERIFY(chart.toSvg("test").contains("M10 47V53M30 47V53M10 50H30"));
  }

  void aDescriptionIsPainted() {
    PlotPanel panel{.x = {.high = 10}, .y = {.high = 10}};
    panel.series.push_back({.name = "V1",
                            .ink = PlotInk::series(0),
                            .marker = PlotMarker::square,
                            .points = {{0, 0}, {5, 5}, {20, 20}},
                            .readings = {"first", "second", "third"}});
    const QString lines = svgFigure(
        panel, {.width = 100, .height = 100, .left = 0, .right = 0, .top = 0, .bottom = 0}, "x", "test");
    QVERIFY2(lines.contains("M0 100L50 50L100 0"), qPrintable(lines)); // and no farther than the axes
    QVERIFY(lines.contains("<title>second</title>"));
    PlotPanel plane{.x = PlotAxis::categories("k", {"2", "4"}), .y = PlotAxis::categories("n", {"8"})};
    plane.cells =
        PlotCells{.columns = 2, .cells = {{1, {"1.0"}, "one"}, {noNumber, {}, "gap"}}, .title = "us"};
    const QString cells = svgFigure(plane, {}, "x", "test");
    QCOMPARE(cells.count("mark cell"), 1);
    QVERIFY(cells.contains("<title>one</title>"));
  }

  void textIsEscapedEverywhere() {
    SvgChart chart = hundred();
    chart.bar(0, 5, 2, 10, "best", "<b> & \"q\" '\x02");
    chart.textAt({10, 90}, "</svg><script>", "x");
    const QString svg = chart.toSvg("test");
    QCOMPARE(firstOf(svg, "svg").attributes.value("aria-label").toString(), QString("a <plot> & \"more\""));
    QCOMPARE(firstOf(svg, "svg").attributes.value("role").toString(), QString("img"));
    QVERIFY(!svg.contains("<script>"));
    QCOMPARE(firstOf(svg, "title").text, QString("<b> & \"q\" '") + QChar(QChar::ReplacementCharacter));
  }

  void whatHasNoPlaceIsLeftOut() {
    SvgChart chart = hundred();
    const QString empty = chart.toSvg("test");
    chart.bar(0, noNumber, 2, 10, "best", "none");
    chart.pointAt(chart.pixel({std::numeric_limits<double>::infinity(), 1}), 0, "s0", "none");
    chart.whisker(noNumber, 1, 2, 3, {}, "none");
    chart.tick(1, noNumber, 2, {}, "none");
    chart.line(std::vector<QPointF>{{noNumber, noNumber}}, "s0", "none");
    chart.strip(std::vector<double>{noNumber}, 1, 2, "s0", "none");
    chart.textAt({noNumber, 1}, "none", "x");
    chart.cell(0, noNumber, 0, 1, "#000000", {}, false, "none");
    QCOMPARE(chart.toSvg("test"), empty);
    QVERIFY(!empty.contains("nan"));
  }

  void theRampOnlyEverGetsLighter() {
    double before = -1;
    for (int i = 0; i <= 20; ++i) {
      const QString fill = rampColour(i / 20.0).fill;
      QCOMPARE(fill.size(), 7);
      const int rgb = fill.mid(1).toInt(nullptr, 16);
      const double light = 0.2126 * (rgb >> 16) + 0.7152 * (rgb >> 8 & 255) + 0.0722 * (rgb & 255);
      QVERIFY2(light > before, qPrintable(fill));
      before = light;
    }
    QVERIFY(rampColour(1).darkText && !rampColour(0).darkText);
    QCOMPARE(rampColour(noNumber).fill, rampColour(0).fill);
  }
};

QTEST_GUILESS_MAIN(TestSvgChart)
#include "tst_svg_chart.moc"

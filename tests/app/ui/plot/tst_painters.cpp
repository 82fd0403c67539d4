// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/ladder_figures.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/plot/sweep_figure.hpp"
#include "app/model/report/html/markup.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/lying_bars.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "tests/app/ui/plot/plot_probes.hpp"

#include <QApplication>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

Figure figureCalled(const QString& name) {
  auto race = std::make_shared<RaceResult>(*scriptedRace());
  for (Measurement& row : race->rows)
    row.rank = row.candidate.stage == Stage::update || row.candidate.variant->id().ends_with("v7") ? 1 : 2;
  if (name == QLatin1String("ladder")) return ladderFigure(*race);
  if (name == QLatin1String("ratios")) return ratiosFigure(*race);
  if (name == QLatin1String("roofline"))
    return rooflineFigure(*race, rooflineOf(*race), {Stage::classify, Stage::reduce});
  if (name == QLatin1String("histogram"))
    return distribution(duelOf(race.get(), race->rows[6].candidate, race->rows[0].candidate), 0.01, false);
  if (name == QLatin1String("stages"))
    return frameTimes(std::make_shared<FrameLog>(scriptedFrames(false)), false, false);
  if (name == QLatin1String("inertia"))
    return inertiaAlone(std::make_shared<ConvergenceRuns>(ConvergenceRuns{scriptedRun(24, 1.7e8), {}}),
                        false);
  const SweepAxis block = axisOf(SweepParameter::block, "32:1024");
  if (name == QLatin1String("sweep")) return sweepLines(*scriptedSweep({block}), SweepMetric::median, true);
  return sweepMap(*scriptedSweep({axisOf(SweepParameter::k, "2:64"), block}), SweepMetric::median, 0);
}

QStringList labelsOf(const QCPAxis& axis) {
  QVector<double> ticks;
  QVector<QString> labels;
  axis.ticker()->generate(axis.range(), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
  return labels;
}

QStringList textsIn(const QString& svg) {
  static const QRegularExpression text(QStringLiteral("<text[^>]*>([^<]*)</text>"));
  QStringList texts;
  for (auto found = text.globalMatch(svg); found.hasNext();)
    texts << found.next().captured(1);
  return texts;
}

} // namespace

/// One description, two pictures: the window's and the report's.
class TestPainters : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() { UiTheme::apply(*qApp, false); }

  void bothShowTheSame_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"ladder", "ratios", "roofline", "histogram", "stages", "inertia", "sweep", "map"})
      QTest::newRow(name) << QString::fromLatin1(name);
  }
  void bothShowTheSame() {
    QFETCH(QString, name);
    Figure figure = figureCalled(name);
    QVERIFY2(figure.empty.isEmpty(), qPrintable(figure.empty));
    figure.panels.resize(1);
    const PlotPanel panel = figure.panels.front();
    const QString svg = svgFigure(panel, {.width = 1400, .height = 900}, figure.summary, "test");
    const QStringList texts = textsIn(svg);
    QCustomPlot plot;
    plot.resize(1400, 900);
    FigurePainter painter(plot, FigurePainter::Panels::one);
    painter.renewColours();
    painter.paint(figure);
    painter.fit();
    painter.arrange(); // gives the axes their sizes
    painter.arrange(); // and these their ticks
    plot.replot();

    // Axes: their titles, and ticks that are places or round numbers of one style.
    for (const auto& [axis, described] : {std::pair(plot.xAxis, panel.x), std::pair(plot.yAxis, panel.y)}) {
      QCOMPARE(axis->label(), described.title);
      QVERIFY(described.title.isEmpty() || texts.contains(escapedMarkup(described.title)));
      const QStringList shown = labelsOf(*axis);
      QVERIFY(!shown.isEmpty());
      if (described.places.empty()) continue;
      for (const PlotTick& place : described.places) {
        QVERIFY2(texts.contains(place.label), qPrintable(place.label));
        QVERIFY2(shown.contains(place.label), qPrintable(place.label));
      }
    }
    // Words: names of series, beside marks, along lines, in cells and in corners.
    QSet<QString> inWindow;
    for (int i = 0; i < plot.itemCount(); ++i)
      if (const auto* item = qobject_cast<QCPItemText*>(plot.item(i))) inWindow << item->text();
    for (int i = 0; i < plot.plottableCount(); ++i)
      inWindow << plot.plottable(i)->name();
    QStringList words;
    for (const PlotSeries& series : panel.series) {
      words << series.name << series.along;
      if (series.labelsBehind) words += QStringList(series.labels.begin(), series.labels.end());
    }
    for (const PlotCaption& caption : panel.captions)
      words << caption.text;
    for (const QString& word : words) {
      QVERIFY2(word.isEmpty() || texts.contains(escapedMarkup(word)), qPrintable(word));
      QVERIFY2(word.isEmpty() || inWindow.contains(word), qPrintable(word));
    }
    // What marks and cells say: a title in the one, a reading under the pointer in the other.
    int read = 0;
    const auto check = [&](QPointF at, const QString& reading, bool own) {
      const QPointF pixel(plot.xAxis->coordToPixel(at.x()), plot.yAxis->coordToPixel(at.y()));
      if (reading.isEmpty() || !plot.axisRect()->rect().adjusted(1, 1, -1, -1).contains(pixel.toPoint()))
        return true;
      ++read;
      if (panel.read) return painter.hover(pixel).has_value();
      const auto found = painter.hover(pixel);
      return svg.contains(QStringLiteral("<title>%1</title>").arg(escapedMarkup(reading))) && found &&
             (!own || found->text == reading);
    };
    for (const PlotSeries& series : panel.series)
      for (std::size_t i = 0; i < series.points.size(); ++i)
        QVERIFY2(series.atFoot || check(series.points[i], series.readingAt(i), false),
                 qPrintable(series.readingAt(i)));
    if (panel.cells) {
      QCOMPARE(svg.count("mark cell") + svg.count("mark gap"),
               static_cast<qsizetype>(panel.cells->cells.size()));
      for (std::size_t i = 0; i < panel.cells->cells.size(); ++i)
        QVERIFY(check({static_cast<double>(i % panel.cells->columns),
                       std::floor(static_cast<double>(i) / static_cast<double>(panel.cells->columns))},
                      panel.cells->cells[i].reading, true));
    }
    QVERIFY(read > 5 || panel.read);
  }

  /// Series and stages have one colour in both.
  void bothUseTheSameColours() {
    for (const bool dark : {false, true}) {
      const UiTheme& theme = dark ? UiTheme::darkTheme() : UiTheme::lightTheme();
      const QString sheet = plotColourVariables(dark);
      for (std::size_t i = 0; i < 8; ++i)
        QVERIFY(sheet.contains(QStringLiteral("--s%1: %2;").arg(i).arg(seriesColour(i, theme).name())));
      for (const Stage stage : measuredStages)
        QVERIFY(sheet.contains(
            QStringLiteral("--%1: %2;")
                .arg(QLatin1String(lloyd::name(stage).data()), stageColour(stage, theme).name())));
    }
  }

  /// Bars that lie are as long as their values say, and one that is not ranked is an outline.
  void barsLieInTheWindowToo() {
    const Figure figure = figureCalled(QStringLiteral("ladder"));
    QCustomPlot plot;
    plot.resize(1000, 700);
    FigurePainter painter(plot, FigurePainter::Panels::one);
    painter.renewColours();
    painter.paint(figure);
    painter.fit();
    painter.arrange();
    painter.arrange();
    plot.replot();
    // No word is cut by the edge.
    for (int i = 0; i < plot.itemCount(); ++i)
      if (const auto* item = qobject_cast<QCPItemText*>(plot.item(i)))
        QVERIFY2(plot.rect().contains(item->right->pixelPosition().toPoint()), qPrintable(item->text()));
    const auto& places = figure.panels.front().y.places; // from the top
    QVERIFY(plot.yAxis->coordToPixel(places.front().value) < plot.yAxis->coordToPixel(places.back().value));
    int whiskers = 0;
    for (int i = 0; i < plot.itemCount(); ++i) {
      const auto* line = qobject_cast<QCPItemLine*>(plot.item(i));
      whiskers += line && line->head().style() == QCPLineEnding::esBar;
    }
    QCOMPARE(whiskers, static_cast<int>(scriptedRace()->rows.size()));
    std::size_t bars = 0;
    for (int i = 0; i < plot.plottableCount(); ++i)
      if (const auto* lying = qobject_cast<LyingBars*>(plot.plottable(i))) {
        QCOMPARE(lying->drawn(), lying->series().points.size() / 2);
        bars += lying->drawn();
      }
    QCOMPARE(bars, scriptedRace()->rows.size());
    const QImage picture = plot.toPixmap(1000, 700).toImage();
    for (const PlotSeries& series : figure.panels.front().series)
      for (std::size_t i = 0; series.style == PlotSeries::Style::lying && i < series.points.size(); i += 2) {
        const QPointF end(plot.xAxis->coordToPixel(series.points[i + 1].x()),
                          plot.yAxis->coordToPixel(series.points[i].y()));
        const auto isInked = [&](double right) {
          return picture.pixelColor((end + QPointF(right, 6)).toPoint()) == colourOf(series.ink);
        };
        QCOMPARE(isInked(-3), !series.hollow);
        QVERIFY(!isInked(3));
      }
  }
};

QTEST_MAIN(TestPainters)
#include "tst_painters.moc"

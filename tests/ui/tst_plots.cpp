// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/distribution_plot.hpp"
#include "app/ui/plot_colours.hpp"
#include "app/ui/plot_labels.hpp"
#include "app/ui/plots_panel.hpp"
#include "app/ui/roofline_plot.hpp"
#include "app/ui/run_plot.hpp"
#include "app/ui/stage_plot.hpp"
#include "app/ui/sweep_map.hpp"
#include "app/ui/sweep_panel.hpp"
#include "app/ui/sweep_plot.hpp"
#include "app/ui/theme.hpp"
#include "tests/model/session_support.hpp"
#include "tests/ui/plot_fixture.hpp"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <qcustomplot.h>

using namespace lloyd;

namespace {

SweepAxis axisOf(SweepParameter parameter, const char* text) { return parseSweepAxis(parameter, text); }

/// Every plot with scripted data, by name.
std::unique_ptr<PlotPane> makePlot(const QString& name) {
  const RaceResultPtr race = test::scriptedRace();
  if (name == QLatin1String("stages")) {
    auto plot = std::make_unique<StagePlot>();
    plot->show(test::scriptedFrames(false), false);
    return plot;
  }
  if (name == QLatin1String("distribution")) {
    auto plot = std::make_unique<DistributionPlot>();
    plot->show(race, race->rows[6].candidate, race->rows[0].candidate);
    return plot;
  }
  if (name == QLatin1String("roofline")) {
    auto plot = std::make_unique<RooflinePlot>();
    plot->show(race);
    return plot;
  }
  if (name == QLatin1String("run")) {
    auto plot = std::make_unique<RunPlot>();
    const auto other = test::scriptedRun(31, 1.75e8);
    plot->show(test::scriptedRun(24, 1.7e8), &other);
    return plot;
  }
  if (name == QLatin1String("sweep")) {
    auto plot = std::make_unique<SweepPlot>();
    plot->show(test::scriptedSweep({axisOf(SweepParameter::block, "32:1024")}), SweepMetric::median);
    return plot;
  }
  auto plot = std::make_unique<SweepMap>();
  plot->show(
      test::scriptedSweep({axisOf(SweepParameter::k, "2:64"), axisOf(SweepParameter::block, "32:1024")}),
      SweepMetric::median);
  return plot;
}

const QStringList plotNames{"stages", "distribution", "roofline", "run", "sweep", "map"};

void addPlots() {
  QTest::addColumn<QString>("name");
  for (const QString& name : plotNames)
    QTest::addRow("%s", qPrintable(name)) << name;
}

bool appears(PlotPane& plot, QSize size = {620, 360}) {
  plot.resize(size);
  plot.show();
  if (!QTest::qWaitForWindowExposed(&plot)) return false;
  QTest::qWait(30); // the drawing is queued
  return true;
}

/// The first answer of the read-out along the diagonals of all axis rectangles.
QPointF somethingIn(const PlotPane& plot, QString* text = nullptr) {
  for (const QCPAxisRect* rect : plot.plot().axisRects())
    for (int y = rect->top() + 2; y < rect->bottom(); y += 4)
      for (int x = rect->left() + 2; x < rect->right(); x += 4) {
        const QString said = plot.readAt({double(x), double(y)});
        if (said.isEmpty()) continue;
        if (text) *text = said;
        return {double(x), double(y)};
      }
  return {-1, -1};
}

std::vector<QCPRange> rangesOf(const PlotPane& plot) {
  std::vector<QCPRange> ranges;
  for (const QCPAxisRect* rect : plot.plot().axisRects())
    for (QCPAxis* axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)})
      ranges.push_back(axis->range());
  return ranges;
}

/// How far along the axis a value lies, 0 to 1: unlike pixels, whatever the width of its labels.
double partOf(const QCPAxis& axis, double value) {
  const QCPRange range = axis.range();
  return axis.scaleType() == QCPAxis::stLogarithmic
             ? std::log(value / range.lower) / std::log(range.upper / range.lower)
             : (value - range.lower) / range.size();
}

/// Whether it is XML to the end, and how many paths and lines it draws.
int pathsOf(const QByteArray& svg) {
  QXmlStreamReader xml(svg);
  int paths = 0;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    paths += xml.name() == QLatin1String("path") || xml.name() == QLatin1String("polyline");
  }
  return xml.hasError() ? -1 : paths;
}

} // namespace

/// Every plot of Compare filled with scripted numbers: what can be done with it, what it says, and what
/// leaves it.
class TestPlots : public QObject {
  Q_OBJECT

private slots:
  void init() { UiTheme::apply(*qApp, true); }

  void zoomAndResetByKeysAndWheel_data() { addPlots(); }
  void zoomAndResetByKeysAndWheel() {
    QFETCH(QString, name);
    const auto plot = makePlot(name);
    QVERIFY(appears(*plot));
    const auto all = rangesOf(*plot);
    QTest::keyClick(&plot->plot(), Qt::Key_Plus);
    QVERIFY(plot->moved());
    const auto closer = rangesOf(*plot);
    QVERIFY(closer[0].size() < all[0].size());
    QTest::keyClick(&plot->plot(), Qt::Key_Right);
    QVERIFY(rangesOf(*plot)[0].lower > closer[0].lower);
    QTest::keyClick(&plot->plot(), Qt::Key_Left);
    QVERIFY(std::abs(rangesOf(*plot)[0].lower - closer[0].lower) < 1e-6 * all[0].size());
    QTest::keyClick(&plot->plot(), Qt::Key_R);
    QVERIFY(!plot->moved());
    QVERIFY(rangesOf(*plot) == all);
    // The wheel keeps what is under the pointer where it is.
    const QPointF at = plot->plot().axisRects().front()->rect().center() + QPointF(30, 10);
    QCPAxis* x = plot->plot().axisRects().front()->axis(QCPAxis::atBottom);
    const double under = x->pixelToCoord(at.x());
    const double before = partOf(*x, under);
    QWheelEvent wheel(at, plot->plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot->plot(), &wheel);
    QVERIFY(x->range().size() < all[0].size());
    QVERIFY(std::abs(partOf(*x, under) - before) < 1e-6);
    QTest::mouseDClick(&plot->plot(), Qt::LeftButton, {}, at.toPoint());
    QVERIFY(rangesOf(*plot) == all);
  }

  void draggingPansAndStopsFollowing() {
    StagePlot plot;
    plot.show(test::scriptedFrames(false, 100), false);
    QVERIFY(appears(plot));
    const QPoint at = plot.plot().axisRect()->center();
    const QCPRange before = plot.plot().xAxis->range();
    QTest::mousePress(&plot.plot(), Qt::LeftButton, {}, at);
    QMouseEvent move(QEvent::MouseMove, QPointF(at) + QPointF(40, 0),
                     plot.plot().mapToGlobal(QPointF(at) + QPointF(40, 0)), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&plot.plot(), &move);
    QTest::mouseRelease(&plot.plot(), Qt::LeftButton, {}, at + QPoint(40, 0));
    const QCPRange dragged = plot.plot().xAxis->range();
    QVERIFY(dragged.lower < before.lower);
    plot.show(test::scriptedFrames(false, 120), false);
    QVERIFY(plot.plot().xAxis->range() == dragged);
    plot.reset();
    QVERIFY(plot.plot().xAxis->range().contains(120));
  }

  void hoverTellsValuesWithUnits_data() { addPlots(); }
  void hoverTellsValuesWithUnits() {
    QFETCH(QString, name);
    const auto plot = makePlot(name);
    QVERIFY(appears(*plot));
    QString text;
    const QPointF at = somethingIn(*plot, &text);
    QVERIFY(at.x() >= 0);
    static const QMap<QString, QString> mentions{{"stages", "µs"},     {"distribution", "µs"},
                                                 {"roofline", "GB/s"}, {"run", "inertia"},
                                                 {"sweep", "µs"},      {"map", "µs"}};
    QVERIFY2(text.contains(mentions[name]), qPrintable(text));
    // The same in the window's own words, when the pointer is there.
    QTest::mouseMove(&plot->plot(), at.toPoint());
    const auto* readOut = plot->findChild<QLabel*>(QStringLiteral("readOut"));
    QTRY_COMPARE(readOut->text(), plot->readAt(at.toPoint()));
    QVERIFY(!plot->summary().isEmpty());
    QVERIFY(!plot->title().isEmpty());
  }

  void whatIsCopied_data() { addPlots(); }
  void whatIsCopied() {
    QFETCH(QString, name);
    const auto plot = makePlot(name);
    QVERIFY(appears(*plot));
    plot->copySvg();
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    QVERIFY(mime->hasFormat("image/svg+xml"));
    const QByteArray svg = mime->data("image/svg+xml");
    QVERIFY2(pathsOf(svg) > 5, svg.left(400).constData());
    QVERIFY(svg.contains("<title>"));
    QCOMPARE(mime->text().toUtf8(), svg);
    plot->copyTable();
    const QString csv = QGuiApplication::clipboard()->text();
    QCOMPARE(csv, plot->table().csv());
    QVERIFY(csv.count("\r\n") > 5);
    plot->copyPicture();
    QVERIFY(QGuiApplication::clipboard()->image().width() > 1000); // twice the size on the screen
    QTemporaryDir folder;
    for (const char* kind : {"png", "svg", "csv"}) {
      const QString path = folder.filePath(QStringLiteral("plot.") + QLatin1String(kind));
      QCOMPARE(plot->saveTo(path), QString());
      QVERIFY(QFile(path).size() > 100);
    }
    QVERIFY(plot->saveTo(folder.filePath("plot.xyz")).contains(".png"));
    QVERIFY(!plot->saveTo(folder.filePath("no/such/plot.csv")).isEmpty());
  }

  void theSamplesAreInTheCsv() {
    const RaceResultPtr race = test::scriptedRace();
    DistributionPlot plot;
    plot.show(race, race->rows[6].candidate, race->rows[0].candidate);
    const PlotTable table = plot.table();
    QCOMPARE(table.rows.size(), race->rows[0].us.size());
    QCOMPARE(table.rows[17][1].toDouble(), race->rows[6].us[17]);
    QCOMPARE(table.rows[17][2].toDouble(), race->rows[0].us[17]);
    QVERIFY2(plot.title().startsWith("Faster by"), qPrintable(plot.title()));
    QVERIFY(plot.comparison().verdict == Verdict::faster);
  }

  void bothThemesHaveContrast_data() { addPlots(); }
  void bothThemesHaveContrast() {
    QFETCH(QString, name);
    const auto plot = makePlot(name);
    QVERIFY(appears(*plot));
    for (const bool dark : {false, true}) {
      UiTheme::apply(*qApp, dark); // the palette's change repaints the plot
      QTest::qWait(20);
      const UiTheme& theme = UiTheme::current();
      const QImage picture = plot->plot().grab().toImage();
      QCOMPARE(picture.pixelColor(1, 1).name(), theme.panel.name());
      int distinct = 0; // pixels that a person can tell from the ground
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
          distinct += contrastOf(picture.pixelColor(x, y), theme.panel) >= 3;
      QVERIFY2(distinct > 1500, qPrintable(QString::number(distinct)));
    }
  }

  void everyColourStandsOutFromThePanel() {
    for (const UiTheme& theme : {UiTheme::darkTheme(), UiTheme::lightTheme()}) {
      for (std::size_t i = 0; i < 8; ++i)
        QVERIFY2(contrastOf(seriesColour(i, theme), theme.panel) >= 3, qPrintable(QString::number(i)));
      for (const Stage stage :
           {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::inertia, Stage::map,
            Stage::unmap, Stage::draw, Stage::rest, Stage::advance, Stage::upload})
        QVERIFY2(contrastOf(stageColour(stage, theme), theme.panel) >= 3, name(stage).data());
    }
    for (int i = 0; i <= 10; ++i) {
      const QColor ground = QColor::fromRgb(evenGradient().color(i, QCPRange(0, 10)));
      QVERIFY(contrastOf(inkOn(ground), ground) >= 4.5);
    }
  }

  void anEmptyPlotSaysWhatWouldFillIt() {
    StagePlot stages;
    DistributionPlot distribution;
    RooflinePlot roofline;
    RunPlot run;
    SweepPlot sweep;
    SweepMap map;
    stages.show({}, false);
    distribution.show(nullptr, {}, {});
    roofline.show(nullptr);
    run.show({}, nullptr);
    sweep.show(nullptr, SweepMetric::median);
    map.show(nullptr, SweepMetric::median);
    for (const PlotPane* plot :
         std::initializer_list<const PlotPane*>{&stages, &distribution, &roofline, &run, &sweep, &map}) {
      QVERIFY2(plot->emptyText().endsWith('.'), qPrintable(plot->emptyText()));
      QVERIFY(plot->table().rows.empty());
      QCOMPARE(plot->readAt({50, 50}), QString());
    }
    const RaceResultPtr race = test::scriptedRace();
    distribution.show(race, race->rows[0].candidate, race->rows[0].candidate);
    QVERIFY(distribution.emptyText().contains("the same"));
    distribution.show(race, race->rows[0].candidate, test::candidateOf("classify.aos", Stage::classify));
    QVERIFY(distribution.emptyText().contains("classify.aos"));
    distribution.show(race, race->rows[0].candidate, race->rows[1].candidate);
    QVERIFY(distribution.emptyText().isEmpty());
  }

  void simulatedTimesAreCalledSo() {
    StagePlot plot;
    plot.show(test::scriptedFrames(false), true);
    QVERIFY(plot.title().contains("simulated"));
    QVERIFY(plot.plot().yAxis->label().contains("simulated"));
    QVERIFY(plot.summary().contains("not of a GPU"));
    QVERIFY(plot.table().headings[1].contains("simulated"));
  }

  void oneLateFrameDoesNotFlattenTheOthers() {
    StagePlot plot;
    plot.show(test::scriptedFrames(false), false);
    QVERIFY(appears(plot));
    QVERIFY(plot.plot().yAxis->range().upper < 200); // the hitch takes 900
    const auto* readOut = plot.findChild<QLabel*>(QStringLiteral("readOut"));
    QVERIFY2(readOut->text().startsWith("1 of 300"), qPrintable(readOut->text()));
  }

  void waitingIsShownWhenAskedFor() {
    StagePlot plot;
    plot.show(test::scriptedFrames(true), false);
    QVERIFY(appears(plot));
    QVERIFY(plot.plot().yAxis->range().upper < 1000);
    plot.findChild<QCheckBox*>()->setChecked(true);
    QVERIFY(plot.plot().yAxis->range().upper > 16'000);
  }

  void labelsNeitherOverlapNorCoverMarks() {
    std::vector<LabelWish> wishes;
    wishes.reserve(14);
    for (int i = 0; i < 14; ++i)
      wishes.push_back({QPointF(200, 100 + 3 * i), QSizeF(22, 13)});
    const QRectF area(0, 0, 400, 300);
    const auto places = placeLabels(wishes, area);
    int placed = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i]) continue;
      ++placed;
      QVERIFY(area.contains(*places[i]));
      for (std::size_t j = 0; j < places.size(); ++j) {
        QVERIFY(i == j || !places[j] || !places[i]->intersects(*places[j]));
        QVERIFY(!places[i]->contains(wishes[j].at));
      }
    }
    QCOMPARE(placed, 14);
    QVERIFY(!placeLabels({{{5, 5}, {50, 10}}}, QRectF(0, 0, 20, 10)).front());
  }

  void aGapTellsItsReason() {
    SweepPlot lines;
    lines.show(test::scriptedSweep({axisOf(SweepParameter::block, "32:1024")}), SweepMetric::median);
    QVERIFY(appears(lines));
    const QPointF foot(lines.plot().xAxis->coordToPixel(1024), lines.plot().axisRect()->bottom() - 7);
    QVERIFY2(lines.readAt(foot).contains("is not one of"), qPrintable(lines.readAt(foot)));
    SweepMap map;
    map.show(
        test::scriptedSweep({axisOf(SweepParameter::k, "2:64"), axisOf(SweepParameter::block, "32:1024")}),
        SweepMetric::median);
    QVERIFY(appears(map));
    map.choose(0);
    const QPointF cell(map.plot().xAxis->coordToPixel(1), map.plot().yAxis->coordToPixel(5));
    QVERIFY2(map.readAt(cell).contains("is not one of"), qPrintable(map.readAt(cell)));
    map.choose(std::nullopt); // another variant can
    QVERIFY2(map.readAt(cell).contains("µs"), qPrintable(map.readAt(cell)));
  }

  void theRooflineHidesNothingSilently() {
    RooflinePlot plot;
    plot.show(test::scriptedRace());
    QVERIFY(appears(plot));
    QVERIFY(plot.summary().contains("layout"));
    for (const RooflinePoint& point : plot.roofline().points)
      QVERIFY(point.operationsPerSecond <= point.roof * (1 + 1e-12));
  }

  void theFieldsOfASweepAreChecked() {
    Session session;
    RaceRunner races(session);
    PlotsPanel panel(session, races);
    session.setSettings(cpuSettings(4));
    session.open(generator("uniform:n=500,d=2"));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.last(); }, 20000));
    QVERIFY(panel.showTab("sweep"));
    QVERIFY(!panel.showTab("nothing of the kind"));
    panel.resize(620, 360);
    panel.show();
    SweepPanel& sweep = panel.sweep();
    sweep.refresh();
    auto* start = sweep.findChild<QPushButton*>();
    QVERIFY(start->isEnabled());
    auto* values = sweep.findChild<QLineEdit*>();
    values->setText("12:");
    QVERIFY(!start->isEnabled());
    QVERIFY(!sweep.wish());
    const auto* state = sweep.findChild<QLabel*>(QStringLiteral("sweepState"));
    QVERIFY2(state->text().startsWith("n: '12:'"), qPrintable(state->text()));
    values->setText("100,200");
    QVERIFY(start->isEnabled());
    const auto wish = sweep.wish();
    QVERIFY(wish.has_value());
    QCOMPARE(wish->plan.axes[0].values, (std::vector<std::uint64_t>{100, 200}));
    QVERIFY(state->text().contains("measurements"));
    sweep.findChild<QDoubleSpinBox*>()->setValue(0.1);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(panel.sweeps().running());
    QCOMPARE(start->text(), QStringLiteral("Cancel"));
    QVERIFY(sweep.findChild<QProgressBar*>()->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return !panel.sweeps().running(); }, 60000));
    QVERIFY(panel.sweeps().last()->finished);
    QVERIFY(!sweep.findChild<QProgressBar*>()->isVisible());
    QCOMPARE(sweep.plot().table().rows.size(), panel.sweeps().last()->cells.size());
  }

  void thePanelShowsTheRunAndTheFrames() {
    Session session;
    RaceRunner races(session);
    PlotsPanel panel(session, races);
    session.setSettings(cpuSettings(4));
    session.open(generator("uniform:n=2000,d=2"));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.last(); }, 20000));
    panel.resize(620, 360);
    panel.show();
    for (int i = 1; i <= 4; ++i) {
      session.step();
      QVERIFY(QTest::qWaitFor([&] { return session.history().size() >= std::size_t(i); }, 20000));
    }
    panel.refresh();
    QVERIFY(panel.stages().emptyText().isEmpty());
    QCOMPARE(panel.stages().table().rows.size(), session.record().entries().size());
    panel.setOther(&session);
    panel.showTab("convergence");
    QCOMPARE(panel.run().table().rows.size(), session.history().size());
    QCOMPARE(panel.run().table().headings.size(), qsizetype(7));
    panel.setOther(nullptr);
    QCOMPARE(panel.run().table().headings.size(), qsizetype(4));
    // Alt and a letter reach every tab, no letter twice.
    const auto* tabs = panel.findChild<QTabWidget*>();
    QSet<QChar> letters;
    for (int i = 0; i < tabs->count(); ++i)
      letters << tabs->tabText(i).section('&', 1).front().toLower();
    QCOMPARE(letters.size(), tabs->count());
  }
};

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"

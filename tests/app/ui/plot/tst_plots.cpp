// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/placed_texts.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/compare/sweep_panel.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/plot_kinds.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/app/ui/plot/plot_probes.hpp"

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
using namespace lloyd::test;

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
    FrameTimePlot plot;
    plot.show(scriptedFrames(false, 100), false);
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
    plot.show(scriptedFrames(false, 120), false);
    QVERIFY(plot.plot().xAxis->range() == dragged);
    plot.reset();
    QVERIFY(plot.plot().xAxis->range().contains(120));
  }

  /// A large font in a low plot: no title loses letters without saying so, and with room it is whole.
  void titlesOfAxesFitTheirAxes_data() { addPlots(); }
  void titlesOfAxesFitTheirAxes() {
    QFETCH(QString, name);
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(14);
    QApplication::setFont(large);
    const auto plot = makePlot(name);
    QApplication::setFont(before);
    QStringList whole;
    for (const QSize size : {QSize(900, 900), QSize(400, 230)}) {
      QVERIFY(appears(*plot, size));
      qsizetype at = 0;
      for (const QCPAxisRect* rect : plot->plot().axisRects())
        for (const QCPAxis* axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)}) {
          const QString label = axis->label();
          const int room = axis->orientation() == Qt::Horizontal ? rect->width() : rect->height();
          QVERIFY2(QFontMetrics(axis->labelFont()).horizontalAdvance(label) <= room, qPrintable(label));
          if (size.width() == 900) {
            QVERIFY2(!label.endsWith(u'…'), qPrintable(label));
            whole << label;
          } else {
            QVERIFY2(label == whole[at] || label.endsWith(u'…'), qPrintable(label));
          }
          ++at;
        }
    }
    // The plot's own title is short enough for half a window's width.
    QVERIFY2(QFontMetrics(large).horizontalAdvance(plot->title()) < 640, qPrintable(plot->title()));
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
    plot->exported().copySvg();
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    QVERIFY(mime->hasFormat("image/svg+xml"));
    const QByteArray svg = mime->data("image/svg+xml");
    QVERIFY2(pathsOf(svg) > 5, svg.left(400).constData());
    QVERIFY(svg.contains("<title>"));
    QCOMPARE(mime->text().toUtf8(), svg);
    plot->exported().copyTable();
    const QString csv = QGuiApplication::clipboard()->text();
    QCOMPARE(csv, plot->table().csv());
    QVERIFY(csv.count("\r\n") > 5);
    plot->exported().copyPicture();
    QVERIFY(QGuiApplication::clipboard()->image().width() > 1000); // twice the size on the screen
    QTemporaryDir folder;
    for (const char* kind : {"png", "svg", "csv"}) {
      const QString path = folder.filePath(QStringLiteral("plot.") + QLatin1String(kind));
      QCOMPARE(plot->exported().saveTo(path), QString());
      QVERIFY(QFile(path).size() > 100);
    }
    QVERIFY(plot->exported().saveTo(folder.filePath("plot.xyz")).contains(".png"));
    QVERIFY(!plot->exported().saveTo(folder.filePath("no/such/plot.csv")).isEmpty());
  }

  void theSamplesAreInTheCsv() {
    const RaceResultPtr race = scriptedRace();
    DistributionPlot plot;
    plot.show(race, race->rows[6].candidate, race->rows[0].candidate);
    const PlotTable table = plot.table();
    QCOMPARE(table.rows.size(), race->rows[0].us.size());
    QCOMPARE(table.rows[17][1].toDouble(), race->rows[6].us[17]);
    QCOMPARE(table.rows[17][2].toDouble(), race->rows[0].us[17]);
    QVERIFY2(plot.title().startsWith("Takes 2.18 times as long: B classify.v1"), qPrintable(plot.title()));
    QVERIFY(plot.comparison().verdict == Verdict::slower);
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
            Stage::unmap, Stage::draw, Stage::unaccounted, Stage::advance, Stage::upload})
        QVERIFY2(contrastOf(stageColour(stage, theme), theme.panel) >= 3, name(stage).data());
    }
    for (int i = 0; i <= 10; ++i) {
      const QColor ground = QColor::fromRgb(evenGradient().color(i, QCPRange(0, 10)));
      QVERIFY(contrastOf(inkOn(ground), ground) >= 4.5);
    }
  }

  void anEmptyPlotSaysWhatWouldFillIt() {
    FrameTimePlot stages;
    DistributionPlot distribution;
    RooflinePlot roofline;
    ConvergencePlot run;
    SweepPlot sweep;
    SweepHeatmap map;
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
    const RaceResultPtr race = scriptedRace();
    distribution.show(race, race->rows[0].candidate, race->rows[0].candidate);
    QVERIFY(distribution.emptyText().contains("the same"));
    distribution.show(race, race->rows[0].candidate, test::candidateOf("classify.aos", Stage::classify));
    QVERIFY(distribution.emptyText().contains("classify.aos"));
    distribution.show(race, race->rows[0].candidate, race->rows[1].candidate);
    QVERIFY(distribution.emptyText().isEmpty());
  }
};

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"

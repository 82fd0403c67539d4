// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/placed_texts.hpp"
#include "app/ui/common/labels.hpp"
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
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <qcustomplot.h>

#include <array>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

/// What each plot of Compare alone has to show and to say.
class TestPlotKinds : public QObject {
  Q_OBJECT

private slots:
  void init() { UiTheme::apply(*qApp, true); }

  /// Bars are of one width with one gap, and neither they nor the numbers below touch, however many there are
  /// and on screens of any density.
  void sizesAreEvenBarsWithNumbersApart_data() {
    QTest::addColumn<int>("clusters");
    QTest::addColumn<double>("density");
    for (const int clusters : {3, 16, 40, 57})
      for (const double density : {1.0, 2.0})
        QTest::addRow("%d at %g", clusters, density) << clusters << density;
  }
  void sizesAreEvenBarsWithNumbersApart() {
    QFETCH(int, clusters);
    QFETCH(double, density);
    ClusterSizesPlot plot;
    plot.show(std::vector<std::uint32_t>(static_cast<std::size_t>(clusters), 500),
              std::vector<Rgb>(static_cast<std::size_t>(clusters), Rgb{255, 0, 0}));
    QVERIFY(appears(plot, {196, 92}));
    plot.plot().clearFocus(); // whose frame would be ink below the numbers
    QImage picture(plot.size() * density, QImage::Format_RGB32);
    picture.setDevicePixelRatio(density);
    picture.fill(Qt::black);
    plot.render(&picture);
    const auto red = [&](int x, int y) {
      return qRed(picture.pixel(x, y)) > 200 && qGreen(picture.pixel(x, y)) < 60;
    };
    // Through the middle of the bars: runs of their colour.
    std::vector<int> wide;
    for (int x = 0, run = 0; x < picture.width(); ++x) {
      run = red(x, picture.height() / 2) ? run + 1 : 0;
      if (run == 0) continue;
      if (x + 1 == picture.width() || !red(x + 1, picture.height() / 2)) wide.push_back(run);
    }
    QCOMPARE(static_cast<int>(wide.size()), clusters);
    QCOMPARE(std::set<int>(wide.begin(), wide.end()).size(), std::size_t{1});
    // Below them: gaps between numbers are wider than the gaps within one.
    std::vector<int> gaps;
    const QPoint foot(0, plot.plot().axisRect()->bottom() + 7); // below the ticks
    const int top = static_cast<int>(plot.plot().mapTo(&plot, foot).y() * density);
    int last = -1;
    for (int x = 0; x < picture.width(); ++x) {
      bool ink = false;
      for (int y = top; y < picture.height(); ++y)
        ink = ink || qGray(picture.pixel(x, y)) > 90;
      if (!ink) continue;
      if (last >= 0 && x > last + 1) gaps.push_back(x - last - 1);
      last = x;
    }
    QVERIFY(last >= 0);
    const int digit = static_cast<int>(QFontMetrics(plot.font()).horizontalAdvance(u'0') * density);
    const auto apart = std::count_if(gaps.begin(), gaps.end(), [&](int gap) { return gap >= digit; });
    const auto close =
        std::count_if(gaps.begin(), gaps.end(), [&](int gap) { return gap < digit && gap > digit / 2; });
    QVERIFY2(apart >= 2, qPrintable(QString::number(apart)));
    QCOMPARE(close, 0);
  }

  void sizesTellWhatTheyAreOf() {
    ClusterSizesPlot plot;
    QVERIFY(plot.emptyText().endsWith('.'));
    std::vector<std::uint32_t> sizes(12, 500);
    sizes[4] = 0;
    sizes[7] = 12345;
    const std::vector<Rgb> colours(12, Rgb{0, 200, 0});
    plot.show(sizes, colours);
    QVERIFY(appears(plot, {300, 120}));
    QCOMPARE(plot.title(), QStringLiteral("Sizes 0 to 12,345, 1 empty"));
    QCOMPARE(plot.summary(), plot.title());
    // The whole column of a cluster answers, however low its bar is.
    const auto at = [&](int cluster) {
      return QPointF(plot.plot().xAxis->coordToPixel(cluster), plot.plot().axisRect()->center().y());
    };
    QCOMPARE(plot.readAt(at(7)), QStringLiteral("cluster 7: 12,345 points, 71.2 %"));
    QCOMPARE(plot.readAt(at(4)), QStringLiteral("cluster 4: 0 points, 0 %"));
    QCOMPARE(plot.table().rows.size(), sizes.size());
    QCOMPARE(plot.table().rows[7], (QStringList{"7", "12345"}));
    // In less room the title is said in fewer letters; the largest are shown where there are too many.
    const auto* title = plot.findChild<ElidedLabel*>(QStringLiteral("caption"));
    QCOMPARE(title->text(), plot.title());
    QVERIFY(appears(plot, {150, 120}));
    QCOMPARE(title->text(), QStringLiteral("Sizes 0 to 12.3 k, 1 empty"));
    sizes.resize(400, 3);
    sizes[399] = 20000;
    plot.show(sizes, colours);
    QVERIFY(plot.title().startsWith("The ") && plot.title().endsWith(" largest of 400 clusters"));
    QVERIFY(plot.readAt(at(static_cast<int>(plot.plot().xAxis->range().upper - 0.5)))
                .startsWith("cluster 399: 20,000 points"));
    QCOMPARE(plot.table().rows.size(), sizes.size());
  }

  void simulatedTimesAreCalledSo() {
    FrameTimePlot plot;
    plot.show(scriptedFrames(false), true);
    QVERIFY(plot.title().contains("simulated"));
    QVERIFY(plot.plot().yAxis->label().contains("simulated"));
    QVERIFY(plot.summary().contains("not of a GPU"));
    QVERIFY(plot.table().headings[1].contains("simulated"));
  }

  void oneLateFrameDoesNotFlattenTheOthers() {
    FrameTimePlot plot;
    plot.show(scriptedFrames(false), false);
    QVERIFY(appears(plot));
    QVERIFY(plot.plot().yAxis->range().upper < 200); // the hitch takes 900
    const auto* readOut = plot.findChild<QLabel*>(QStringLiteral("readOut"));
    QVERIFY2(readOut->text().startsWith("1 of 300"), qPrintable(readOut->text()));
  }

  void waitingIsShownWhenAskedFor() {
    FrameTimePlot plot;
    plot.show(scriptedFrames(true), false);
    QVERIFY(appears(plot));
    QVERIFY(plot.plot().yAxis->range().upper < 1000);
    plot.findChild<QCheckBox*>()->setChecked(true);
    QVERIFY(plot.plot().yAxis->range().upper > 16'000);
  }

  void theSmallPlotTellsInertiaInItsTitle() {
    ConvergencePlot plot(nullptr, ConvergencePlot::Extent::inertia);
    QCOMPARE(plot.title(), QStringLiteral("Inertia"));
    const auto run = scriptedRun(24, 1.7e8);
    plot.show(run);
    QVERIFY(appears(plot, {170, 150}));
    QVERIFY2(plot.title().startsWith("Inertia 1."), qPrintable(plot.title()));
    QVERIFY(!plot.findChild<QLabel*>(QStringLiteral("readOut"))->isVisible());
    QCOMPARE(plot.plot().axisRects().size(), 1);
    const auto all = rangesOf(plot);
    QVERIFY(all[0].contains(run.front().iteration) && all[0].contains(run.back().iteration));
    QVERIFY(all[1].contains(run.front().inertia) && all[1].contains(run.back().inertia));
    // A corner of the window follows the run, whatever the wheel and the keys do; Tab comes to its menu.
    QCOMPARE(plot.plot().focusPolicy(), Qt::TabFocus);
    QTest::keyClick(&plot.plot(), Qt::Key_Plus);
    QCOMPARE(rangesOf(plot), all);
    const QPointF at = plot.plot().axisRect()->center();
    QWheelEvent wheel(at, plot.plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot.plot(), &wheel);
    QVERIFY(!plot.moved());
    QVERIFY(rangesOf(plot) == all);
  }

  void labelsNeitherOverlapNorCoverMarks() {
    std::vector<LabelRequest> requests;
    requests.reserve(14);
    for (int i = 0; i < 14; ++i)
      requests.push_back({QPointF(200, 100 + 3 * i), QSizeF(22, 13)});
    const QRectF area(0, 0, 400, 300);
    const auto places = placeLabels(requests, area);
    int placed = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i]) continue;
      ++placed;
      QVERIFY(area.contains(*places[i]));
      for (std::size_t j = 0; j < places.size(); ++j) {
        QVERIFY(i == j || !places[j] || !places[i]->intersects(*places[j]));
        QVERIFY(!places[i]->contains(requests[j].at));
      }
    }
    QCOMPARE(placed, 14);
    QVERIFY(!placeLabels({{{5, 5}, {50, 10}}}, QRectF(0, 0, 20, 10)).front());
  }

  void aGapTellsItsReason() {
    SweepPlot lines;
    lines.show(scriptedSweep({axisOf(SweepParameter::block, "32:1024")}), SweepMetric::median);
    QVERIFY(appears(lines));
    const QPointF foot(lines.plot().xAxis->coordToPixel(1024), lines.plot().axisRect()->bottom() - 7);
    QVERIFY2(lines.readAt(foot).contains("is not one of"), qPrintable(lines.readAt(foot)));
    SweepHeatmap map;
    const SweepResultPtr both =
        scriptedSweep({axisOf(SweepParameter::k, "2:64"), axisOf(SweepParameter::block, "32:1024")});
    map.show(both, SweepMetric::median, 0);
    QVERIFY(appears(map));
    const QPointF cell(map.plot().xAxis->coordToPixel(1), map.plot().yAxis->coordToPixel(5));
    QVERIFY2(map.readAt(cell).contains("is not one of"), qPrintable(map.readAt(cell)));
    map.show(both, SweepMetric::median); // another variant can
    QVERIFY2(map.readAt(cell).contains("µs"), qPrintable(map.readAt(cell)));
  }

  /// A click near a point, or the keyboard, chooses it, as a cell of a heat map is chosen.
  void aPointOfALineIsChosen() {
    SweepPlot lines;
    const SweepResultPtr result = scriptedSweep({axisOf(SweepParameter::k, "2:64")});
    lines.show(result, SweepMetric::median);
    QVERIFY(appears(lines));
    std::vector<std::array<std::size_t, 3>> chosen;
    connect(&lines, &SweepPlot::chosen, &lines,
            [&](std::size_t column, std::size_t row, std::size_t candidate) {
              chosen.push_back({column, row, candidate});
            });
    const QPointF at(lines.plot().xAxis->coordToPixel(8),
                     lines.plot().yAxis->coordToPixel(*valueAt(*result, 2, 0, 0, SweepMetric::median)));
    QTest::mouseClick(&lines.plot(), Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(chosen.size(), std::size_t{1});
    QCOMPARE(chosen[0], (std::array<std::size_t, 3>{2, 0, 0}));
    QTest::mouseClick(&lines.plot(), Qt::LeftButton, {}, lines.plot().axisRect()->topLeft() + QPoint(3, 3));
    QCOMPARE(chosen.size(), std::size_t{1}); // nothing is near
    QTest::keyClick(&lines.plot(), Qt::Key_Return);
    QCOMPARE(chosen.size(), std::size_t{1}); // and the keyboard is nowhere yet
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Left})
      QTest::keyClick(&lines.plot(), key, Qt::ControlModifier);
    QTest::keyClick(&lines.plot(), Qt::Key_Return);
    QCOMPARE(chosen.size(), std::size_t{2});
    QCOMPARE(chosen[1], (std::array<std::size_t, 3>{1, 0, 0}));
  }

  /// The ring of what is pointed at is no marker's, and stays nowhere when the axes move.
  void theRingOfThePointerGoesWhenTheAxesMove() {
    SweepPlot lines;
    const SweepResultPtr result = scriptedSweep({axisOf(SweepParameter::k, "2:64")});
    lines.show(result, SweepMetric::median);
    QVERIFY(appears(lines));
    const auto ring = [&]() -> const QCPItemEllipse* {
      for (int i = 0; i < lines.plot().itemCount(); ++i)
        if (const auto* one = qobject_cast<QCPItemEllipse*>(lines.plot().item(i)); one && one->visible())
          return one;
      return nullptr;
    };
    const QPointF at(lines.plot().xAxis->coordToPixel(8),
                     lines.plot().yAxis->coordToPixel(*valueAt(*result, 2, 0, 0, SweepMetric::median)));
    QTest::mouseMove(&lines.plot(), at.toPoint());
    QTRY_VERIFY(ring());
    QCOMPARE(ring()->pen().style(), Qt::DashLine);
    QTest::keyClick(&lines.plot(), Qt::Key_Right);
    QVERIFY(!ring());
  }

  /// Without a value there is nothing that a colour would stand for.
  void aMapWithoutValuesHasNoScale() {
    auto empty = std::make_shared<SweepResult>(
        *scriptedSweep({axisOf(SweepParameter::k, "2:64"), axisOf(SweepParameter::block, "32:1024")}));
    SweepHeatmap map;
    map.show(empty, SweepMetric::median, 0);
    QVERIFY(appears(map));
    const auto scales = [&] { return map.plot().plotLayout()->elementCount(); };
    const int with = scales();
    auto other = std::make_shared<SweepResult>(*empty);
    other->cells.assign(other->cells.size(), nullptr);
    other->finished = false;
    map.show(other, SweepMetric::median, 0);
    QTest::qWait(30);
    QCOMPARE(scales(), with - 1);
    map.show(empty, SweepMetric::median, 0);
    QCOMPARE(scales(), with);
  }

  void theRooflineHidesNothingSilently() {
    RooflinePlot plot;
    plot.show(scriptedRace());
    QVERIFY(appears(plot));
    QVERIFY(plot.summary().contains("layout"));
    for (const RooflinePoint& point : plot.roofline().points)
      QVERIFY(point.operationsPerSecond <= point.roof * (1 + 1e-12));
  }

  void theFieldsOfASweepAreChecked() {
    Session session;
    DeviceLease lease;
    RaceRunner races(session, lease);
    PlotsPanel panel(session, races, lease);
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
    QVERIFY(!sweep.request());
    const auto* state = sweep.findChild<QLabel*>(QStringLiteral("sweepState"));
    QVERIFY2(state->text().startsWith("n: '12:'"), qPrintable(state->text()));
    values->setText("100,200");
    QVERIFY(start->isEnabled());
    const auto request = sweep.request();
    QVERIFY(request.has_value());
    QCOMPARE(request->plan.axes[0].values, (std::vector<std::uint64_t>{100, 200}));
    QVERIFY(state->text().contains("measurements"));
    sweep.findChild<QDoubleSpinBox*>()->setValue(0.1);
    QTest::keyClick(values, Qt::Key_Return); // so that a click on Start that follows cancels nothing
    QVERIFY(!panel.sweeps().running());
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(panel.sweeps().running());
    QCOMPARE(start->text(), QStringLiteral("Cancel"));
    QVERIFY(sweep.findChild<QProgressBar*>()->isVisible());
    QVERIFY(QTest::qWaitFor([&] { return !panel.sweeps().running(); }, 60000));
    QVERIFY(panel.sweeps().last()->finished);
    QVERIFY(!sweep.findChild<QProgressBar*>()->isVisible());
    QCOMPARE(sweep.plot().table().rows.size(), panel.sweeps().last()->cells.size());
    QVERIFY(!state->text().contains("Cancelled"));
    values->setText("100,200,300,400");
    QTest::mouseClick(start, Qt::LeftButton);
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !panel.sweeps().running(); }, 60000));
    QVERIFY2(state->text().startsWith("Cancelled: "), qPrintable(state->text()));
  }

  /// What none of the chosen variants has is no axis, and its tooltip says so.
  void axesThatCannotWorkAreGrey() {
    Session session;
    DeviceLease lease;
    RaceRunner races(session, lease);
    PlotsPanel panel(session, races, lease);
    session.setSettings(cpuSettings(4));
    session.open(generator("uniform:n=500,d=2"));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.last(); }, 20000));
    panel.showTab("sweep");
    for (const QComboBox* list : panel.sweep().findChildren<QComboBox*>()) {
      if (list->accessibleName() != "Over") continue;
      const auto* items = qobject_cast<const QStandardItemModel*>(list->model());
      QVERIFY(items->item(list->findText("k"))->isEnabled());
      const auto* vector = items->item(list->findText("vector"));
      QVERIFY(!vector->isEnabled());
      QCOMPARE(vector->toolTip(), QString("None of the chosen variants has the parameter vector"));
      return;
    }
    QFAIL("there is no list of axes");
  }

  void thePanelShowsTheRunAndTheFrames() {
    Session session;
    DeviceLease lease;
    RaceRunner races(session, lease);
    PlotsPanel panel(session, races, lease);
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

QTEST_MAIN(TestPlotKinds)
#include "tst_plot_kinds.moc"

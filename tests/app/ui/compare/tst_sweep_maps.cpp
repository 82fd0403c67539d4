// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/compare/sweep_maps.hpp"
#include "app/ui/compare/sweep_panel.hpp"
#include "tests/app/model/session/session_support.hpp"
#include "tests/app/ui/plot/plot_probes.hpp"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <qcustomplot.h>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// classify.v8 with loads of one, two and four values over threads and points, as if a card had run it.
SweepResultPtr threeWidths(bool occupancy) {
  auto result = std::make_shared<SweepResult>();
  result->plan.axes = {axisOf(SweepParameter::block, "32:1024"), axisOf(SweepParameter::items, "1:32")};
  result->plan.base = {.n = 1 << 20, .d = 2, .k = 10};
  for (const int vector : {1, 2, 4}) {
    result->plan.candidates.push_back(candidateOf("classify.v8", Stage::classify));
    result->plan.candidates.back().tuning.vector = vector;
  }
  result->cells.resize(result->plan.cells());
  for (std::size_t row = 0; row < result->plan.rows(); ++row)
    for (std::size_t column = 0; column < result->plan.columns(); ++column)
      for (std::size_t c = 0; c < 3; ++c) {
        const Candidate one = result->plan.candidateAt(column, row, c);
        const double us = 100 + static_cast<double>(10 * column + row) - 20 * static_cast<double>(c);
        auto cell = std::make_shared<Measurement>(rowOf(one, result->plan.base, {us}, 1e6));
        if (occupancy) cell->resources = KernelResources{.registers = 40, .occupancy = 0.5};
        result->cells[result->plan.index(column, row, c)] = cell;
      }
  result->finished = true;
  return result;
}

/// A session on the CPU, and the panel in which it is swept.
struct Sweeping {
  Session session;
  DeviceLease lease;
  RaceRunner races{session, lease};
  PlotsPanel panel{session, races, lease};

  bool begins() {
    session.setSettings(cpuSettings(4));
    session.open(generator("uniform:n=2000,d=2"));
    panel.showTab("sweep");
    return QTest::qWaitFor([&] { return session.data() && session.last(); }, 20000);
  }
};

bool appears(QWidget& widget) {
  widget.resize(620, 360);
  widget.show();
  if (!QTest::qWaitForWindowExposed(&widget)) return false;
  QTest::qWait(30); // the drawing is queued
  return true;
}

QPoint pixelOf(const SweepHeatmap& map, std::size_t column, std::size_t row) {
  return {qRound(map.plot().xAxis->coordToPixel(static_cast<double>(column))),
          qRound(map.plot().yAxis->coordToPixel(static_cast<double>(row)))};
}

/// Whether the map has a ring around a place.
bool ringed(const SweepHeatmap& map, std::size_t column, std::size_t row) {
  for (int i = 0; i < map.plot().itemCount(); ++i) {
    const auto* ring = qobject_cast<QCPItemEllipse*>(map.plot().item(i));
    if (!ring || !ring->visible()) continue;
    const QPointF middle =
        (ring->topLeft->pixelPosition() + ring->bottomRight->pixelPosition()) / 2 - pixelOf(map, column, row);
    return std::hypot(middle.x(), middle.y()) < 1.5;
  }
  return false;
}

} // namespace

/// The heat maps of a sweep: which there are, that they are linked, and that a click goes on.
class TestSweepMaps : public QObject {
  Q_OBJECT

private slots:
  void init() { UiTheme::apply(*qApp, true); }

  void thereIsAMapForEachWidthAndForOccupancy() {
    SweepMaps maps;
    maps.show(threeWidths(true), SweepMetric::median);
    QVERIFY(appears(maps));
    QCOMPARE(maps.maps().size(), std::size_t{6});
    QCOMPARE(maps.maps()[0]->title(), QStringLiteral("V8, vector 1: median µs"));
    QCOMPARE(maps.maps()[2]->title(), QStringLiteral("V8, vector 4: median µs"));
    QCOMPARE(maps.maps()[5]->title(), QStringLiteral("V8, vector 4: occupancy %"));
    // In the same colours: the same time is as bright in one as in another.
    auto grounds = [&](std::size_t map) {
      auto* colours = qobject_cast<QCPColorMap*>(maps.maps()[map]->plot().plottable(0));
      return colours->dataRange();
    };
    QCOMPARE(grounds(0), grounds(1));
    QCOMPARE(grounds(0), grounds(2));
    maps.show(threeWidths(false), SweepMetric::median); // a device that tells no occupancy
    QCOMPARE(maps.maps().size(), std::size_t{3});
    maps.choose(1);
    QCOMPARE(maps.maps().size(), std::size_t{1});
    maps.choose(std::nullopt);
    QCOMPARE(maps.maps().size(), std::size_t{1});
  }

  void aPlaceIsMarkedInAll() {
    SweepMaps maps;
    maps.show(threeWidths(true), SweepMetric::median);
    QVERIFY(appears(maps));
    const QString idle = maps.readOut();
    QTest::mouseMove(&maps.maps()[1]->plot(), pixelOf(*maps.maps()[1], 2, 3));
    QTRY_VERIFY(maps.readOut() != idle);
    for (const SweepHeatmap* map : maps.maps())
      QVERIFY(ringed(*map, 2, 3));
    QVERIFY2(maps.readOut().contains("block = 128") && maps.readOut().contains("items = 8") &&
                 maps.readOut().contains("103 µs") &&
                 maps.readOut().contains("occupancy 50.0 %, 40 registers"),
             qPrintable(maps.readOut()));
    maps.resize(680, 420); // and stays where it is
    QTest::qWait(50);
    for (const SweepHeatmap* map : maps.maps())
      QVERIFY(ringed(*map, 2, 3));
    QEvent leaves(QEvent::Leave);
    QCoreApplication::sendEvent(&maps.maps()[1]->plot(), &leaves);
    QCOMPARE(maps.readOut(), idle);
    for (const SweepHeatmap* map : maps.maps())
      QVERIFY(!ringed(*map, 2, 3));
  }

  void aClickAndReturnChoose() {
    SweepMaps maps;
    maps.show(threeWidths(true), SweepMetric::median);
    QVERIFY(appears(maps));
    std::vector<std::pair<SweepPlace, std::size_t>> chosen;
    connect(&maps, &SweepMaps::chosen, &maps,
            [&](SweepPlace place, std::size_t candidate) { chosen.emplace_back(place, candidate); });
    SweepHeatmap& map = *maps.maps()[5]; // occupancy of the third
    QTest::mouseClick(&map.plot(), Qt::LeftButton, {}, pixelOf(map, 4, 1));
    QCOMPARE(chosen.size(), std::size_t{1});
    QCOMPARE(chosen[0], std::pair(SweepPlace{4, 1}, std::size_t{2}));
    // A drag is no choice.
    QTest::mousePress(&map.plot(), Qt::LeftButton, {}, pixelOf(map, 0, 0));
    QTest::mouseRelease(&map.plot(), Qt::LeftButton, {}, pixelOf(map, 4, 4));
    QCOMPARE(chosen.size(), std::size_t{1});
    SweepHeatmap& first = *maps.maps()[0];
    first.plot().setFocus();
    first.mark(std::nullopt);
    for (const int key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Up, Qt::Key_Left})
      QTest::keyClick(&first.plot(), static_cast<Qt::Key>(key)); // the first one begins at the corner
    QVERIFY(ringed(*maps.maps()[4], 0, 1));
    QTest::keyClick(&first.plot(), Qt::Key_Return);
    QCOMPARE(chosen.size(), std::size_t{2});
    QCOMPARE(chosen[1], std::pair(SweepPlace{0, 1}, std::size_t{0}));
  }

  /// What no value is known of is a sentence, and no empty grid.
  void whatIsNotKnownIsSaid() {
    SweepMaps maps;
    maps.show(threeWidths(false), SweepMetric::occupancy);
    QVERIFY(appears(maps));
    for (const SweepHeatmap* map : maps.maps())
      QVERIFY2(map->emptyText().contains("none ran here"), qPrintable(map->emptyText()));
    QVERIFY2(maps.readOut().isEmpty(), qPrintable(maps.readOut())); // there is no cell to click on
    maps.show(threeWidths(false), SweepMetric::relative);
    QVERIFY(maps.readOut().contains("or arrows and Return, goes on with a cell") &&
            !maps.readOut().startsWith('.'));
    QVERIFY(maps.maps().front()->emptyText().isEmpty());
  }

  /// One line says what lies under the pointer, whether mouse or keys have brought it there.
  void oneMapHasOneReadOut() {
    SweepMaps maps;
    maps.show(threeWidths(true), SweepMetric::occupancy);
    maps.choose(1);
    QVERIFY(appears(maps));
    QCOMPARE(maps.maps().size(), std::size_t{1});
    SweepHeatmap& map = *maps.maps().front();
    QTest::mouseMove(&map.plot(), pixelOf(map, 2, 3));
    QTRY_VERIFY(maps.readOut().contains("block = 128"));
    map.plot().setFocus();
    QTest::keyClick(&map.plot(), Qt::Key_Left, Qt::ControlModifier);
    QVERIFY2(maps.readOut().contains("block = 64") && ringed(map, 1, 3), qPrintable(maps.readOut()));
    for (const QLabel* label : map.findChildren<QLabel*>())
      QVERIFY2(!label->isVisible() || !label->text().contains("block ="), qPrintable(label->text()));
  }

  void theFieldsAskForAMapEach() {
    Sweeping sweeping;
    QVERIFY(sweeping.begins());
    auto& [session, lease, races, panel] = sweeping;
    panel.resize(620, 360);
    panel.show();
    SweepPanel& sweep = panel.sweep();
    const auto lists = sweep.findChildren<QComboBox*>();
    const auto listNamed = [&](const QString& name) {
      for (QComboBox* list : lists)
        if (list->accessibleName() == name) return list;
      return static_cast<QComboBox*>(nullptr);
    };
    QComboBox* each = listNamed("Each");
    QVERIFY(each && each->findText("vector") > 0 && each->findText("n") < 0);
    each->setCurrentIndex(each->findText("vector"));
    QVERIFY(!sweep.request()); // none of the CPU's has that parameter
    QVERIFY2(sweep.request().error().startsWith("None of the chosen variants has the parameter vector"),
             qPrintable(sweep.request().error()));
    listNamed("Over")->setCurrentIndex(listNamed("Over")->findText("vector"));
    QVERIFY(!sweep.request());
    QVERIFY(sweep.request().error().contains("vector is an axis already"));
    each->setCurrentIndex(0);
    listNamed("Over")->setCurrentIndex(listNamed("Over")->findText("n"));
    QVERIFY(sweep.request().has_value());
  }

  void aClickedCellIsWhatTheSessionGoesOnWith() {
    Sweeping sweeping;
    QVERIFY(sweeping.begins());
    // clang 14 lets no lambda capture a structured binding.
    PlotsPanel& panel = sweeping.panel;
    Session& session = sweeping.session;
    panel.resize(700, 420);
    panel.show();
    SweepPanel& sweep = panel.sweep();
    for (QComboBox* list : sweep.findChildren<QComboBox*>()) {
      if (list->accessibleName() == "Over") list->setCurrentIndex(list->findText("n"));
      if (list->accessibleName() == "And") list->setCurrentIndex(list->findText("k"));
    }
    for (QLineEdit* values : sweep.findChildren<QLineEdit*>()) {
      if (values->accessibleName() == "Values of the axis") values->setText("500,1000");
      if (values->accessibleName() == "Values of the second axis") values->setText("3,5");
    }
    auto* variants = sweep.findChild<QListWidget*>();
    variants->item(1)->setCheckState(Qt::Unchecked);
    sweep.findChild<QDoubleSpinBox*>()->setValue(0.1);
    QVERIFY2(sweep.request().has_value(), qPrintable(sweep.request() ? QString() : sweep.request().error()));
    QTest::mouseClick(sweep.findChild<QPushButton*>(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return panel.sweeps().last() && !panel.sweeps().running(); }, 120000));
    sweep.maps().choose(0);
    QTest::qWait(50);
    const Candidate first = panel.sweeps().last()->plan.candidates[0];
    SweepHeatmap& map = *sweep.maps().maps().front();
    QTest::mouseClick(&map.plot(), Qt::LeftButton, {}, pixelOf(map, 1, 1));
    QVERIFY(QTest::qWaitFor([&] { return session.data() && session.data()->n == 1000; }, 20000));
    QCOMPARE(session.settings().k, 5);
    QCOMPARE(session.settings().selection.classify, first.variant->id());
    QVERIFY(
        QTest::qWaitFor([&] { return session.last() && session.plan().classify == first.variant; }, 20000));
  }
};

QTEST_MAIN(TestSweepMaps)
#include "tst_sweep_maps.moc"

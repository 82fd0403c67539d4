// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/lying_bars.hpp"
#include "app/ui/plot/timeline_plot.hpp"
#include "tests/app/ui/plot/plot_probes.hpp"
#include "tests/gpu/core/timeline/hand_made.hpp"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

namespace {

NamedTimelines runs(std::size_t count) {
  NamedTimelines timelines;
  for (std::size_t i = 0; i < count; ++i)
    timelines.push_back({QStringLiteral("schedule.%1").arg(QChar(u'a' + static_cast<char16_t>(i))),
                         std::make_shared<const Timeline>(twoSets(TimelineClock::events))});
  return timelines;
}

/// Kernels that follow one another on four queues.
NamedTimelines manyBars(std::size_t count) {
  std::vector<TimelineBar> bars;
  for (std::size_t i = 0; i < count; ++i)
    bars.push_back(
        kernel(1 + i % 4, static_cast<double>(i), static_cast<double>(i) + 0.7, i % 4, i % 2 ? "a" : "b"));
  return {{QStringLiteral("many"),
           std::make_shared<const Timeline>(handRows(4), std::move(bars), TimelineClock::events)}};
}

/// Where a moment of the first queue of the first run is.
QPointF pixelOf(const TimelinePlot& plot, double moment, double y = 2.5) {
  return {plot.plot().xAxis->coordToPixel(moment), plot.plot().yAxis->coordToPixel(y)};
}

void drag(TimelinePlot& plot, QPointF from, QPointF to, Qt::KeyboardModifiers modifiers) {
  QTest::mousePress(&plot.plot(), Qt::LeftButton, modifiers, from.toPoint());
  for (const QPointF& at : {(from + to) / 2, to}) {
    QMouseEvent move(QEvent::MouseMove, at, plot.plot().mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                     modifiers);
    QApplication::sendEvent(&plot.plot(), &move);
  }
  QTest::mouseRelease(&plot.plot(), Qt::LeftButton, modifiers, to.toPoint());
}

std::size_t drawnBars(const TimelinePlot& plot) {
  std::size_t drawn = 0;
  for (int i = 0; i < plot.plot().plottableCount(); ++i)
    if (const auto* bars = qobject_cast<LyingBars*>(plot.plot().plottable(i))) drawn += bars->drawn();
  return drawn;
}

} // namespace

/// Recorded runs in the window.
class TestTimelinePlot : public QObject {
  Q_OBJECT

private slots:
  void init() { UiTheme::apply(*qApp, true); }

  void withoutRunsItSaysWhatToDo() {
    TimelinePlot plot;
    QVERIFY(appears(plot));
    QVERIFY(plot.emptyText().startsWith("Race schedules to see"));
    QCOMPARE(plot.plot().accessibleName(), QStringLiteral("Timeline"));
    QVERIFY(!plot.findChildren<QComboBox*>().front()->isVisible());
  }

  /// Rows stay where they are: only time is moved and zoomed.
  void timeIsZoomedAndMoved() {
    TimelinePlot plot;
    plot.show(runs(2));
    QVERIFY(appears(plot, {700, 420}));
    const QCPRange all = plot.plot().xAxis->range();
    const QCPRange rows = plot.plot().yAxis->range();
    QCOMPARE(all.lower, 0.0);
    QCOMPARE(all.upper, 50.0);
    const QPointF at = pixelOf(plot, 20);
    QWheelEvent wheel(at, plot.plot().mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&plot.plot(), &wheel);
    QVERIFY(plot.plot().xAxis->range().size() < all.size());
    QVERIFY(std::abs(plot.plot().xAxis->pixelToCoord(at.x()) - 20) < 1e-6);
    const QCPRange closer = plot.plot().xAxis->range();
    drag(plot, at, at + QPointF(60, 30), Qt::NoModifier);
    QVERIFY(plot.plot().xAxis->range().lower < closer.lower);
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Up, Qt::Key_Plus, Qt::Key_Minus})
      QTest::keyClick(&plot.plot(), key);
    QCOMPARE(plot.plot().yAxis->range(), rows);
    QTest::keyClick(&plot.plot(), Qt::Key_0);
    QCOMPARE(plot.plot().xAxis->range(), all);
    QVERIFY(!plot.marked());
  }

  void whereThereIsLittleRoomTheRunsAreNamed() {
    TimelinePlot plot;
    plot.show(runs(2));
    const auto named = [&](int height) {
      plot.resize(700, height);
      QTest::qWait(30);
      QVector<double> ticks;
      QVector<QString> labels;
      QCPAxis& rows = *plot.plot().yAxis;
      rows.ticker()->generate(rows.range(), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
      return QStringList(labels.begin(), labels.end());
    };
    QVERIFY(appears(plot, {700, 420}));
    QVERIFY(named(420).contains("queue 2") && named(420).contains("copies down"));
    QCOMPARE(named(190).join(u','), QStringLiteral("schedule.a,schedule.b"));
  }

  void whatLiesUnderThePointerIsTold() {
    TimelinePlot plot;
    plot.show(runs(1));
    QVERIFY(appears(plot, {700, 420}));
    QCOMPARE(plot.readAt(pixelOf(plot, 20)),
             QStringLiteral("fused.v1, set 1, queue 1: 15.0 µs from 10.0 µs on"));
    QVERIFY(plot.readAt(pixelOf(plot, 5)).contains("1,000") || plot.readAt(pixelOf(plot, 5)).contains("kB"));
    QVERIFY(plot.readAt(pixelOf(plot, 40)).isEmpty()); // far from any bar of that row
    QTest::mouseMove(&plot.plot(), pixelOf(plot, 20).toPoint());
    QTRY_VERIFY(plot.plot().toolTip().startsWith("fused.v1"));
    QVERIFY(plot.summary().contains("schedule.a: The run took 50.0 µs."));
  }

  void shiftAndDraggingMarksAPart() {
    TimelinePlot plot;
    plot.show(runs(1));
    QVERIFY(appears(plot, {700, 420}));
    const QCPRange all = plot.plot().xAxis->range();
    QSignalSpy changes(&plot, &TimelinePlot::changed);
    drag(plot, pixelOf(plot, 30), pixelOf(plot, 12), Qt::ShiftModifier);
    QCOMPARE(plot.plot().xAxis->range(), all); // nothing was moved
    QVERIFY(plot.marked() && changes.count() > 0);
    const double pixel = 50.0 / plot.plot().axisRect()->width();
    QVERIFY(std::abs(plot.marked()->first - 12) <= pixel);
    QVERIFY(std::abs(plot.marked()->second - 30) <= pixel);
    // A picture that is saved has no mark, and a click without a way takes it away.
    const QByteArray marked = plot.exported().svg();
    QTest::mouseClick(&plot.plot(), Qt::LeftButton, Qt::ShiftModifier, pixelOf(plot, 20).toPoint());
    QVERIFY(!plot.marked());
    QCOMPARE(plot.exported().svg(), marked);
    // Beyond the axis a part ends with it.
    drag(plot, pixelOf(plot, 45), pixelOf(plot, 70), Qt::ShiftModifier);
    QVERIFY(std::abs(plot.marked()->second - 50) <= pixel);
  }

  void theKeyboardMarksToo() {
    TimelinePlot plot;
    plot.show(runs(1));
    QVERIFY(appears(plot, {700, 420}));
    QTest::keyClick(&plot.plot(), Qt::Key_Plus);
    QTest::keyClick(&plot.plot(), Qt::Key_Return);
    const QCPRange seen = plot.plot().xAxis->range();
    QVERIFY((plot.marked() == std::optional(std::pair(seen.lower, seen.upper))));
    QKeyEvent escape(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
    escape.ignore();
    QApplication::sendEvent(&plot.plot(), &escape);
    QVERIFY(escape.isAccepted()); // or the window would take it
    QTest::keyClick(&plot.plot(), Qt::Key_Escape);
    QVERIFY(!plot.marked());
    QKeyEvent other(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier);
    other.ignore();
    QApplication::sendEvent(&plot.plot(), &other);
    QVERIFY(!other.isAccepted());
  }

  void twoRunsAreSeenAndOthersCanBeChosen() {
    TimelinePlot plot;
    plot.show(runs(3), 0, 2);
    QVERIFY(appears(plot, {700, 420}));
    QCOMPARE(plot.seen().size(), std::size_t{2});
    QCOMPARE(plot.seen()[1].name, QStringLiteral("schedule.c"));
    auto* upper = plot.findChildren<QComboBox*>()[0];
    auto* lower = plot.findChildren<QComboBox*>()[1];
    QVERIFY(upper->isVisible() && lower->isVisible() && !upper->accessibleName().isEmpty());
    QTest::keyClick(upper, Qt::Key_Down);
    QCOMPARE(plot.seen()[0].name, QStringLiteral("schedule.b"));
    plot.show(runs(3), 0, 1); // the next race leaves what a person chose
    QCOMPARE(plot.seen()[0].name, QStringLiteral("schedule.b"));
    QCOMPARE(plot.seen()[1].name, QStringLiteral("schedule.c"));
    QTest::keyClick(lower, Qt::Key_Home); // no second run
    QCOMPARE(plot.seen().size(), std::size_t{1});
    QCOMPARE(plot.table().rows.size(), plot.seen()[0].timeline->bars().size());
    plot.show({});
    QVERIFY(plot.seen().empty() && !plot.emptyText().isEmpty());
  }

  /// However many bars there are, a drawing has no more rectangles than a row has pixels; and close up it
  /// draws those that are seen.
  void manyBarsAreDrawnAsFewMarks() {
    constexpr std::size_t count = 100'000;
    TimelinePlot plot;
    plot.show(manyBars(count));
    QVERIFY(appears(plot, {700, 420}));
    plot.plot().replot();
    const auto width = static_cast<std::size_t>(plot.plot().axisRect()->width());
    QVERIFY(drawnBars(plot) > 0);
    QVERIFY2(drawnBars(plot) <= 4 * (width + 2), qPrintable(QString::number(drawnBars(plot))));
    plot.plot().xAxis->setRange(50'000.5, 50'040.5);
    plot.plot().replot();
    QVERIFY(drawnBars(plot) >= 40 && drawnBars(plot) <= 42);
    plot.plot().xAxis->setRange(-500, -100);
    plot.plot().replot();
    QCOMPARE(drawnBars(plot), std::size_t{0});
  }

  void itIsSavedInEveryFormat() {
    const QTemporaryDir folder;
    TimelinePlot plot;
    plot.show(runs(2));
    QVERIFY(appears(plot, {700, 420}));
    for (const char* ending : {"png", "svg", "csv", "json"}) {
      const QString path = folder.filePath(QStringLiteral("t.%1").arg(QLatin1String(ending)));
      QCOMPARE(plot.saveTo(path), QString());
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 100);
      if (QByteArray(ending) == "json")
        QVERIFY(QJsonDocument::fromJson(file.readAll()).object().contains("traceEvents"));
    }
    QVERIFY(pathsOf(plot.exported().svg()) > 10);
    QVERIFY(plot.saveTo(folder.filePath("t.txt")).contains(".png"));
    QVERIFY(!plot.saveTo("/nowhere/t.json").isEmpty());
  }
};

QTEST_MAIN(TestTimelinePlot)
#include "tst_timeline_plot.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/plot/plot_pane.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>
#include <qcustomplot.h>

using namespace lloyd;
using namespace lloyd::test;

/// What a person reaches without a mouse, and what a right click offers.
class TestKeyboard : public QObject {
  Q_OBJECT

  /// The part of the window that a control is in: what lies directly in a splitter, a dock or the window.
  static const QWidget* panelOf(const QWidget* control) {
    const QWidget* panel = control;
    while (panel->parentWidget() && !panel->parentWidget()->isWindow() &&
           !qobject_cast<const QSplitter*>(panel->parentWidget()) &&
           !qobject_cast<const QDockWidget*>(panel->parentWidget()))
      panel = panel->parentWidget();
    return panel;
  }
  static QRect placeOf(const QWidget* control) {
    return {control->mapTo(control->window(), QPoint(0, 0)), control->size()};
  }
  static QString nameOf(const QWidget* control) {
    const QRect at = placeOf(control);
    return QStringLiteral("%1 \"%2\" at %3, %4 of %5 by %6")
        .arg(control->objectName(), control->accessibleName())
        .arg(at.left())
        .arg(at.top())
        .arg(at.width())
        .arg(at.height());
  }
  /// Whether the eye reaches next after before: further right in its row, below it, or in a column further
  /// right.
  static bool follows(const QRect& before, const QRect& next) {
    const bool sameRow = next.top() < before.center().y() && before.top() < next.center().y();
    if (sameRow) return next.left() >= before.left();
    return next.top() >= before.top() || next.left() >= before.right();
  }

private slots:
  void tabGoesInTheOrderOfReading_data() {
    QTest::addColumn<ActionId>("workspace");
    QTest::newRow("explore") << ActionId::explore;
    QTest::newRow("teach") << ActionId::teach;
    QTest::newRow("compare") << ActionId::compare;
  }
  void tabGoesInTheOrderOfReading() {
    QFETCH(ActionId, workspace);
    auto window = windowOn("blobs:n=2000,k=4", 4);
    window->resize(1366, 768);
    press(*window, workspace);
    if (!window->actions()[ActionId::sidePanel]->isChecked()) press(*window, ActionId::sidePanel);
    QVERIFY(converges(*window) && QTest::qWaitForWindowActive(window.get()));
    QTest::qWait(100);
    QWidget* first = window->viewport();
    first->setFocus();
    QWidget* before = nullptr;
    int steps = 0;
    for (; steps < 300; ++steps) {
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
      QWidget* now = window->focusWidget();
      if (now == first) break;
      QVERIFY(now && now->isVisible());
      if (before && panelOf(before) == panelOf(now))
        QVERIFY2(follows(placeOf(before), placeOf(now)),
                 qPrintable(nameOf(now) + " comes after " + nameOf(before)));
      before = now;
    }
    QVERIFY2(steps > 12 && steps < 300, qPrintable(nameOf(window->focusWidget())));
  }

  /// The menu of a widget that shows its actions, opened as by the menu key.
  static QStringList menuOf(QWidget* widget) {
    QStringList texts;
    if (widget->contextMenuPolicy() != Qt::ActionsContextMenu) return texts;
    for (const QAction* action : widget->actions())
      if (!action->isSeparator()) texts << action->text();
    return texts;
  }

  void pointsAndVariantsOfferTheWindowsOwnActions() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QVERIFY(window->viewport()->actions().contains(window->actions()[ActionId::fit]));
    for (const ActionId id : {ActionId::step, ActionId::resetView, ActionId::exportLabels})
      QVERIFY(menuOf(window->viewport()).contains(window->actions()[id]->text()));
    QVERIFY(menuOf(&window->bottom().ladderView()).contains(window->actions()[ActionId::measure]->text()));
    // A right click neither lets go of the selected centroid nor begins to drag.
    press(*window, ActionId::nextCentroid);
    const QPoint middle = window->viewport()->rect().center();
    const QImage picture = window->viewport()->grabFramebuffer();
    QTest::mousePress(window->viewport(), Qt::RightButton, {}, middle);
    QTest::mouseMove(window->viewport(), middle + QPoint(60, 0));
    QVERIFY(settles(*window));
    QVERIFY(difference(picture, window->viewport()->grabFramebuffer()) < 0.02);
    if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
  }

  void tablesAreCopiedByKey() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && QTest::qWaitForWindowActive(window.get()));
    window->refreshNow();
    QTableView* times = nullptr;
    for (QTableView* table : window->findChildren<QTableView*>())
      if (table->accessibleName() == "Times by stage") times = table;
    QVERIFY(times);
    QCOMPARE(menuOf(times), QStringList{"Copy the table"});
    times->setFocus();
    QTest::keyClick(times, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.front().startsWith("stage\tvariant\tlast µs\tmedian µs"));
    QCOMPARE(lines.size(), 1 + times->model()->rowCount());
    for (const QString& line : lines)
      QCOMPARE(line.count('\t'), lines.front().count('\t'));
  }

  /// A plot in a corner has no button, so its menu must come by key.
  void smallPlotsHaveTheirMenuByKey() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    window->resize(1500, 800);
    QTest::qWait(100);
    window->refreshNow();
    int plots = 0;
    for (const PlotPane* pane : window->bottom().findChildren<PlotPane*>()) {
      if (!pane->isVisible() || !pane->emptyText().isEmpty()) continue;
      QVERIFY(pane->plot().focusPolicy() & Qt::TabFocus);
      const QPoint at(5, 5);
      QContextMenuEvent event(QContextMenuEvent::Keyboard, at, pane->plot().mapToGlobal(at));
      QCoreApplication::sendEvent(&pane->plot(), &event);
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      QVERIFY(menu && !menu->actions().isEmpty());
      menu->close();
      ++plots;
    }
    QCOMPARE(plots, 2); // of inertia and of the clusters' sizes
  }

  static void turnWheel(QWidget& control, int notches) {
    const QPointF at = control.rect().center();
    QWheelEvent event(at, control.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    // One that no display sent goes no further than the control.
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(&control, &event);
  }

  void theWheelScrollsThePanelAndChangesNothing() {
    auto window = windowOn("blobs:n=2000,k=4", 4);
    window->resize(1100, 420);
    QVERIFY(converges(*window) && QTest::qWaitForWindowActive(window.get()));
    auto* side = window->findChild<QScrollArea*>(QStringLiteral("side"));
    QVERIFY(side && side->verticalScrollBar()->maximum() > 0);
    int controls = 0;
    for (QWidget* control : side->findChildren<QWidget*>()) {
      auto* number = qobject_cast<QSpinBox*>(control);
      auto* choice = qobject_cast<QComboBox*>(control);
      if ((!number && !choice) || !control->isVisible()) continue;
      // A wheel gives no focus, nor does a click on a list.
      QCOMPARE(control->focusPolicy(), number ? Qt::StrongFocus : Qt::TabFocus);
      const int before = number ? number->value() : choice->currentIndex();
      side->verticalScrollBar()->setValue(0);
      turnWheel(*control, -1);
      QCOMPARE(number ? number->value() : choice->currentIndex(), before);
      QVERIFY2(side->verticalScrollBar()->value() > 0, qPrintable(nameOf(control)));
      ++controls;
    }
    QVERIFY(controls > 5);
    auto* k = side->findChild<QSpinBox*>(QStringLiteral("k"));
    k->setFocus();
    turnWheel(*k, 1);
    QCOMPARE(k->value(), 5);
  }

  void spaceIsStillThePointsAfterAChoiceByMouse() {
    auto window = windowOn("drift:n=2000,k=4", 4);
    QTRY_VERIFY(window->session().playing() && QTest::qWaitForWindowActive(window.get()));
    window->viewport()->setFocus();
    auto* init = window->findChild<QComboBox*>(QStringLiteral("init"));
    QVERIFY(init);
    QTest::mouseClick(init, Qt::LeftButton);
    QTRY_VERIFY(init->view()->isVisible());
    QTest::keyClick(init->view(), Qt::Key_Return);
    QTRY_VERIFY(!init->view()->isVisible());
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QCOMPARE(window->focusWidget(), window->viewport());
    QTRY_VERIFY(window->session().last()); // the run that the choice began
    const bool before = window->session().playing();
    QTest::keyClick(window->focusWidget(), Qt::Key_Space);
    QVERIFY(!init->view()->isVisible());
    QTRY_COMPARE(window->session().playing(), !before);
  }

  void spaceIsThePointsAtTheStart_data() {
    QTest::addColumn<Workspace>("workspace");
    QTest::newRow("explore") << Workspace::explore;
    QTest::newRow("teach") << Workspace::teach;
    QTest::newRow("compare") << Workspace::compare;
  }
  void spaceIsThePointsAtTheStart() {
    QFETCH(Workspace, workspace);
    WindowOptions options;
    options.settings.backend = BackendRequest::cpu;
    options.request = DataRequest{};
    options.request->generator = "drift:n=2000,k=4";
    options.workspace = workspace;
    MainWindow window(options, false);
    window.resize(1366, 768);
    window.show();
    window.activateWindow();
    window.begin();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTRY_VERIFY(window.session().playing() && window.session().last());
    QCOMPARE(window.focusWidget(), window.viewport());
    QTest::keyClick(window.focusWidget(), Qt::Key_Space);
    QVERIFY(!window.session().playing());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestKeyboard>(argc, argv); }
#include "tst_window_keyboard.moc"

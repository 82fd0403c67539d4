// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/bottom_panel.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QLabel>

using namespace lloyd;
using namespace lloyd::test;

/// A display without OpenGL: the window says so, and all but the drawing works.
class TestWindowOffscreen : public QObject {
  Q_OBJECT
private slots:
  void theWindowExplainsTheMissingOpenGl() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(!window->viewport());
    const auto* label = window->findChild<QLabel*>("noDrawing");
    QVERIFY(label && label->isVisible());
    QVERIFY2(label->text().contains("OpenGL") && label->text().contains("QT_QPA_PLATFORM"),
             qPrintable(label->text()));
    QVERIFY(!window->grab().isNull());
  }

  void clusteringAndTimesWork() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    window->refreshNow();
    QVERIFY(window->bottom().timings().rowCount() > 3);
    press(*window, ActionId::step);
    press(*window, ActionId::fit);
    press(*window, ActionId::theme);
    press(*window, ActionId::theme);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowOffscreen>(argc, argv); }
#include "tst_window_offscreen.moc"

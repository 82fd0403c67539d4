// SPDX-License-Identifier: GPL-3.0-or-later
// The tab that holds clusters against a class, in the real window.
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/class_panel.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QTabWidget>
#include <QTableView>

using namespace lloyd;
using namespace lloyd::test;

namespace {

bool hasTab(MainWindow& window) {
  QTabWidget& pages = window.bottom().pages();
  return pages.isTabVisible(pages.indexOf(&window.bottom().classes()));
}

} // namespace

class TestClassPanel : public QObject {
  Q_OBJECT
private slots:
  void irisShowsItsSpecies() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    QVERIFY(hasTab(*window));
    ClassPanel& panel = window->bottom().classes();
    QVERIFY(!panel.watch().last()); // nobody looks
    window->bottom().pages().setCurrentWidget(&panel);
    Settings settings = window->session().settings();
    settings.seed = 2;
    window->session().setSettings(settings);
    QVERIFY(converges(*window));
    QTRY_VERIFY2_WITH_TIMEOUT(panel.sentence().startsWith("species: adjusted Rand 0.7302"),
                              qPrintable(panel.sentence()), 20000);
    QCOMPARE(panel.table().model()->rowCount(), 3);
    QVERIFY(panel.table().isVisible());
  }

  void pointsWithoutAClassHaveNoTab() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    window->bottom().pages().setCurrentWidget(&window->bottom().classes());
    DataRequest request;
    request.path = LLOYD_SOURCE_DIR "/resources/data/faithful.csv";
    window->session().open(request);
    QTRY_VERIFY_WITH_TIMEOUT(!hasTab(*window), 20000);
    QVERIFY(window->bottom().pages().currentWidget() != &window->bottom().classes());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestClassPanel>(argc, argv); }
#include "tst_class_panel.moc"

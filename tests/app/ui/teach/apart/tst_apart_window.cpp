// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/labels.hpp"
#include "app/ui/plot/apart_plot.hpp"
#include "app/ui/teach/apart/apart_window.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

using namespace lloyd;
using namespace lloyd::test;

namespace {

template <class Widget>
Widget* partOf(const QWidget& window, const char* name) {
  return window.findChild<Widget*>(QString::fromLatin1(name));
}

/// The window that the action opens; null where it opens none.
ApartWindow* opened(MainWindow& window) {
  press(window, ActionId::takeApart);
  auto* apart = window.findChild<ApartWindow*>();
  return apart && apart->isVisible() ? apart : nullptr;
}

std::unique_ptr<MainWindow> teaching(const std::string& id) {
  auto window = windowOn("iris.csv", 3);
  window->session().pause();
  if (!QTest::qWaitFor([&] { return window->session().data() != nullptr; }, 20000)) qFatal("no data");
  press(*window, ActionId::teach);
  window->teach().choose(id);
  return window;
}

} // namespace

/// A step taken apart in the window, from the button to the shares.
class TestApartWindow : public QObject {
  Q_OBJECT
private slots:
  void theButtonStandsWhereAStepIsTakenApart() {
    auto window = teaching("classify.v4");
    const auto* button = partOf<QToolButton>(*window, "takeApart");
    QVERIFY(button && button->isVisible() && !button->accessibleName().isEmpty());
    window->teach().choose("classify.v5");
    QTRY_VERIFY(!button->isVisible());
    QVERIFY(!opened(*window));
    QTRY_VERIFY(window->statusLine().lastMessage().contains("there are those to classify.v4"));
  }

  /// What is a GPU's cannot be raced by a processor, which is said where the button is.
  void aGpusStepSaysWhyItIsNotRaced() {
    auto window = teaching("classify.v6");
    ApartWindow* apart = opened(*window);
    QVERIFY(apart);
    QCOMPARE(apart->windowTitle(), QStringLiteral("classify.v5 to classify.v6, taken apart"));
    const auto* race = partOf<QPushButton>(*apart, "apartRace");
    if (window->session().device().backend == Backend::cpu) {
      QVERIFY(!race->isEnabled());
      QVERIFY2(race->toolTip().contains("a GPU's"), qPrintable(race->toolTip()));
    }
    if (!apart->shown()) QVERIFY(apart->plot().emptyText().contains("lloydscope apart classify.v6"));
    const auto* state = partOf<ElidedLabel>(*apart, "apartState");
    QTRY_COMPARE(state->shownLines().join(u' '), state->text()); // the reason, whole
    QVERIFY(QTest::qWaitForWindowActive(apart));
    QTest::keyClick(apart, Qt::Key_Escape);
    QTRY_VERIFY(!apart->isVisible());
  }

  void aProcessorsStepIsRacedHere() {
    auto window = teaching("cpu.v3");
    if (window->session().device().backend != Backend::cpu) QSKIP("the session computes on a GPU");
    ApartWindow* apart = opened(*window);
    QVERIFY(apart);
    auto* race = partOf<QPushButton>(*apart, "apartRace");
    QVERIFY2(race->isEnabled(), qPrintable(race->toolTip()));
    race->click();
    QTRY_COMPARE_WITH_TIMEOUT(race->text(), QStringLiteral("&Stop"), 5000);
    QTRY_VERIFY_WITH_TIMEOUT(apart->shown() && race->text() == QStringLiteral("&Race it here"), 90000);
    QCOMPARE(apart->shown()->to, std::string("cpu.v3"));
    QCOMPARE(apart->shown()->device, window->session().device().name);
    QVERIFY2(apart->sentences().contains("add up to"), qPrintable(apart->sentences()));
    QVERIFY(partOf<QComboBox>(*apart, "apartFigures")->currentText().contains("raced here"));
    const auto* table = apart->findChild<QTableWidget*>();
    QCOMPARE(table->rowCount(), 8);
    QVERIFY(!table->accessibleName().isEmpty());
    QVERIFY(apart->plot().summary().contains("all cores"));
    const QTemporaryDir folder;
    for (const char* file : {"apart.svg", "apart.png", "apart.csv"}) {
      QCOMPARE(apart->plot().saveTo(folder.filePath(file)), QString());
      QVERIFY(QFileInfo(folder.filePath(file)).size() > 200);
    }
    // Another step has other figures, and this one's are there again.
    window->teach().choose("classify.v4");
    QVERIFY(opened(*window));
    QVERIFY(!apart->shown() || apart->shown()->to == "classify.v4");
    window->teach().choose("cpu.v3");
    QVERIFY(opened(*window) && apart->shown());
  }

  void aRaceThatIsStoppedLeavesNothing() {
    auto window = teaching("cpu.v3");
    if (window->session().device().backend != Backend::cpu) QSKIP("the session computes on a GPU");
    ApartWindow* apart = opened(*window);
    QVERIFY(apart);
    const std::optional<StepApart> before =
        apart->shown(); // of a card, where such figures come with the program
    apart->race();
    QTRY_VERIFY_WITH_TIMEOUT(partOf<QPushButton>(*apart, "apartRace")->text() == QStringLiteral("&Stop"),
                             5000);
    apart->close(); // which stops it
    QTRY_VERIFY_WITH_TIMEOUT(!window->lease().held(), 5000);
    const std::optional<StepApart> after = apart->shown();
    QCOMPARE(after.has_value(), before.has_value());
    if (after) {
      QCOMPARE(after->device, before->device);
      QCOMPARE(after->rounds, before->rounds);
    }
  }
};

QTEST_MAIN(TestApartWindow)
#include "tst_apart_window.moc"

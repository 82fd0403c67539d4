// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/window_settings.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScreen>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace lloyd;
using namespace lloyd::test;

/// What the window remembers, and what it makes of a settings file that others have written.
class TestWindowSettings : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  static QSettings store() { return QSettings("lloydscope", "lloydscope"); }

private slots:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }
  void init() { store().clear(); }

  void themeComesBack() {
    {
      MainWindow window({}, true);
      window.show();
      if (!window.isDark()) press(window, ActionId::theme); // a test's desktop may be either
      press(window, ActionId::theme);
      window.close();
    }
    QCOMPARE(WindowSettings::read().dark, std::optional(false));
    MainWindow again({}, true);
    QVERIFY(!again.isDark());
  }

  void trailsComeBackAsTheyWere() {
    for (const bool on : {false, true}) {
      {
        MainWindow window({}, true);
        if (!window.viewport()) QSKIP("no OpenGL here: nothing is drawn");
        window.show();
        press(window, ActionId::trails);
        QCOMPARE(window.viewport()->trails(), on);
        window.close();
      }
      MainWindow again({}, true);
      QCOMPARE(again.actions()[ActionId::trails]->isChecked(), on);
      QCOMPARE(again.viewport()->trails(), on);
    }
  }

  /// A teacher who starts again has hidden them.
  void hiddenCountersStayHidden() {
    {
      MainWindow window({}, true);
      window.show();
      press(window, ActionId::hideCounters);
      window.close();
    }
    MainWindow again({}, true);
    QVERIFY(again.actions()[ActionId::hideCounters]->isChecked());
  }

  void regionsComeBackAsTheyWere() {
    for (const bool on : {true, false}) {
      {
        MainWindow window({}, true);
        window.show();
        window.actions()[ActionId::regions]->setChecked(on);
        window.close();
      }
      MainWindow again({}, true);
      QCOMPARE(again.actions()[ActionId::regions]->isChecked(), on);
      if (again.viewport()) QCOMPARE(again.viewport()->regions(), on);
    }
  }

  void themeIsTheDesktopsUntilItIsChosen() {
    const QPalette before = qApp->palette();
    for (const bool dark : {true, false}) {
      qApp->setPalette(QPalette(dark ? QColor(40, 40, 40) : QColor(240, 240, 240)));
      MainWindow window({}, true);
      QCOMPARE(window.isDark(), dark);
      window.show();
      window.close();
      QVERIFY(!WindowSettings::read().dark);
    }
    qApp->setPalette(before);
  }

  void theWorkspaceComesBackWithItsPanels() {
    {
      MainWindow window({}, true);
      window.show();
      QCOMPARE(window.arrangement().workspace(), Workspace::explore);
      press(window, ActionId::teach);
      press(window, ActionId::sidePanel); // Teach begins without it
      press(window, ActionId::largerText);
      window.teach().counters().chooseCard("NVIDIA H100 80GB HBM3");
      QVERIFY(window.teach().choose("reduce.v3"));
      window.close();
    }
    MainWindow again({}, true);
    QCOMPARE(again.arrangement().workspace(), Workspace::teach);
    QVERIFY(again.actions()[ActionId::sidePanel]->isChecked());
    QCOMPARE(again.teach().textStep(), 1);
    QCOMPARE(again.teach().subject().variant->id(), std::string("reduce.v3"));
    QVERIFY(again.session().settings().selection == Settings().selection); // it is looked at, not run
    QCOMPARE(again.teach().counters().chosenCard(), QString("NVIDIA H100 80GB HBM3"));
    press(again, ActionId::explore);
    QVERIFY(again.actions()[ActionId::bottomPanel]->isChecked());
    WindowOptions asked;
    asked.workspace = Workspace::explore;
    QCOMPARE(MainWindow(asked, true).arrangement().workspace(), Workspace::explore);
  }

  /// Some variants are of several stages.
  void theStageThatTeachShowedComesBack() {
    const Variant* variant = Registry::instance().find("cpu.v2");
    for (const Stage stage : {Stage::classify, Stage::reduce}) {
      QVERIFY(variant && variant->has(stage));
      {
        MainWindow window({}, true);
        window.show();
        window.teach().choose(stage, *variant);
        window.close();
      }
      MainWindow again({}, true);
      QCOMPARE(again.teach().subject().variant, variant);
      QCOMPARE(again.teach().subject().stage, stage);
    }
    // A stage that it does not have, or that is none, is passed over.
    for (const char* stage : {"layout", "holodeck"}) {
      store().setValue("teach/stage", stage);
      MainWindow window({}, true);
      QCOMPARE(window.teach().subject().variant, variant);
      QCOMPARE(window.teach().subject().stage, Stage::classify);
    }
  }

  void pointsHaveTheirRoomAtTheSecondStart_data() {
    QTest::addColumn<ActionId>("before");
    QTest::addColumn<Workspace>("then");
    QTest::newRow("Compare, then Compare") << ActionId::compare << Workspace::compare;
    QTest::newRow("Explore, then Compare") << ActionId::explore << Workspace::compare;
    QTest::newRow("Explore, then Teach") << ActionId::explore << Workspace::teach;
  }
  void pointsHaveTheirRoomAtTheSecondStart() {
    QFETCH(ActionId, before);
    QFETCH(Workspace, then);
    constexpr QSize size(1366, 768);
    // The size of the points when the person has seen the workspace, and at the start that remembers.
    const auto shown = [&](MainWindow& window) {
      window.resize(size);
      window.show();
      window.begin();
    };
    QSize first;
    WindowOptions options;
    options.request.emplace();
    options.request->path = LLOYD_SOURCE_DIR "/resources/data/iris.csv";
    options.settings.backend = BackendRequest::cpu;
    {
      MainWindow window(options, true);
      if (!window.viewport()) QSKIP("no OpenGL here: nothing is drawn");
      shown(window);
      press(window, then == Workspace::teach ? ActionId::teach : ActionId::compare);
      QTest::qWait(300);
      first = window.viewport()->size();
      press(window, before);
      window.close();
    }
    options.workspace = then;
    MainWindow again(options, true);
    shown(again);
    QTRY_VERIFY2(again.viewport()->width() >= first.width() * 8 / 10 &&
                     again.viewport()->height() >= first.height() * 8 / 10,
                 qPrintable(QStringLiteral("%1 x %2").arg(first.width()).arg(first.height())));
  }

  /// A window that was maximised is shown in its smaller size before the desktop makes it as large again.
  void bordersComeBackThoughTheWindowBeginsSmaller() {
    constexpr QSize large(1366, 768), small(1000, 640);
    WindowOptions options;
    options.request.emplace();
    options.request->path = LLOYD_SOURCE_DIR "/resources/data/iris.csv";
    options.settings.backend = BackendRequest::cpu;
    options.workspace = Workspace::teach;
    int dragged = 0, lesson = 0;
    {
      MainWindow window(options, true);
      if (!window.viewport()) QSKIP("no OpenGL here: nothing is drawn");
      window.resize(large);
      window.show();
      window.begin();
      QTest::qWait(300);
      const int points = window.viewport()->width();
      press(window, ActionId::widerPoints);
      press(window, ActionId::higherLesson);
      QTRY_VERIFY(window.viewport()->width() > points + 20);
      QTest::qWait(300);
      dragged = window.viewport()->width();
      lesson = window.teach().lesson().height();
      window.close();
    }
    MainWindow again(options, true);
    again.resize(small);
    again.show();
    again.begin();
    QTest::qWait(300);
    again.resize(large);
    QTRY_VERIFY2(std::abs(again.viewport()->width() - dragged) <= 4,
                 qPrintable(QStringLiteral("%1, not %2").arg(again.viewport()->width()).arg(dragged)));
    QTRY_VERIFY2(std::abs(again.teach().lesson().height() - lesson) <= 4,
                 qPrintable(QStringLiteral("%1, not %2").arg(again.teach().lesson().height()).arg(lesson)));
  }

  void filesThatWereOpenComeBack() {
    {
      MainWindow window({}, true);
      window.show();
      QStringList many;
      for (int i = 0; i < 20; ++i)
        many << QStringLiteral("/data/%1.csv").arg(i);
      window.files().setRecent(many);
      window.close();
    }
    MainWindow again({}, true);
    QCOMPARE(again.files().recent().size(), 8);
    QCOMPARE(again.files().recent().front(), QStringLiteral("/data/0.csv"));
  }

  void junkMeansDefaults() {
    {
      QFile file(store().fileName());
      QVERIFY(QDir().mkpath(QFileInfo(file).path()));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("\xff\xfe[[[theme=@Invalid(\x01\x02\n[window]\ngeometry=@ByteArray(\xde\xad)\npanels=17\n");
    }
    MainWindow window({}, true);
    window.show();
    QVERIFY(window.width() >= 300 && window.height() >= 200);
    QVERIFY(!WindowSettings::read().dark);
  }

  void whatANewerVersionWroteIsPassedOver() {
    {
      QMainWindow other;
      QSettings settings(store().fileName(), QSettings::NativeFormat);
      settings.setValue("version", 99);
      settings.setValue("theme", "sepia");
      settings.setValue("workspace", "holodeck");
      settings.setValue("teach/text", "enormous");
      settings.setValue("teach/variant", "classify.v99");
      settings.setValue("window/panels", other.saveState(99));
      settings.setValue("holodeck/side", false);
    }
    MainWindow window({}, true);
    window.show();
    QCOMPARE(window.arrangement().workspace(), Workspace::explore);
    QCOMPARE(window.teach().textStep(), 0);
    QCOMPARE(window.teach().subject().variant->id(), std::string("classify.v1"));
    QVERIFY(!WindowSettings::read().dark);
    QVERIFY(window.actions()[ActionId::sidePanel]->isChecked());
    window.close();
    QCOMPARE(QSettings(store().fileName(), QSettings::NativeFormat).value("holodeck/side").toString(),
             QStringLiteral("false"));
  }

  void theTabBeneathThePointsComesBack() {
    {
      MainWindow window({}, true);
      window.show();
      window.bottom().pages().setCurrentWidget(&window.bottom().kCurve());
      window.close();
    }
    MainWindow again({}, true);
    QCOMPARE(again.bottom().pages().currentWidget(), &again.bottom().kCurve());
    again.bottom().showPage(QStringLiteral("classes")); // waits for a class
    QCOMPARE(again.bottom().pages().currentWidget(), &again.bottom().kCurve());
    QCOMPARE(again.bottom().page(), QStringLiteral("classes"));
    again.bottom().showPage(QStringLiteral("nowhere"));
    QCOMPARE(again.bottom().pages().currentWidget(), &again.bottom().kCurve());
  }

  void aHugeWindowIsNotRestored() {
    WindowSettings past;
    {
      MainWindow huge({}, false);
      huge.setGeometry(0, 0, 60000, 50000);
      past.geometry = huge.saveGeometry();
    }
    past.write();
    MainWindow window({}, true);
    window.show();
    const QSize screen = window.screen()->size();
    QVERIFY2(window.width() <= 2 * screen.width() && window.height() <= 2 * screen.height(),
             qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
  }

  void aWindowIsNeverRestoredWhereNoScreenIs() {
    WindowSettings past;
    {
      MainWindow far({}, false);
      far.setGeometry(90000, 90000, 400, 300);
      past.geometry = far.saveGeometry();
    }
    past.write();
    MainWindow window({}, true);
    window.show();
    bool seen = false;
    for (const QScreen* screen : QGuiApplication::screens())
      seen |= screen->geometry().intersects(window.frameGeometry());
    QVERIFY(seen);
  }

  void aWindowOfALargerScreenIsCutToThisOne() {
    {
      MainWindow large({}, true);
      const QSize room = large.screen()->availableSize();
      large.setGeometry(room.width() / 4, room.height() / 4, room.width() + 300, room.height() + 200);
      large.show();
      large.close();
    }
    MainWindow window({}, true);
    const QRect room = window.screen()->availableGeometry();
    QVERIFY(window.width() <= room.width() && window.height() <= room.height());
    QVERIFY(room.contains(window.pos()));
    QVERIFY(window.geometry().bottom() <= room.bottom());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowSettings>(argc, argv); }
#include "tst_window_settings.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/labels.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/help_dialogs.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSplitter>
#include <QTreeWidget>

using namespace lloyd;
using namespace lloyd::test;

/// What a person does with the run: play, step, change k and variants, look, copy.
class TestWindow : public QObject {
  Q_OBJECT
private slots:
  void pointsAppearInTheColoursOfTheirClusters() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    const QImage picture = window->viewport()->grabFramebuffer();
    QVERIFY(inked(picture, UiTheme::darkTheme().view) > 2000);
    // The same pixels are in a picture of the whole window.
    const QImage whole = window->grab().toImage();
    const QPoint corner = window->viewport()->mapTo(window.get(), QPoint(0, 0));
    const QImage part = whole.copy(QRect(corner, window->viewport()->size()));
    QVERIFY(difference(part.convertToFormat(QImage::Format_RGB32),
                       picture.convertToFormat(QImage::Format_RGB32)) < 0.01);
  }

  void playAndPauseAndStep() {
    auto window = windowOn("drift:n=5000,k=4", 4);
    QSignalSpy iterated(&window->session(), &Session::iterated);
    QTRY_VERIFY_WITH_TIMEOUT(iterated.count() > 5, 20000);
    press(*window, ActionId::play);
    QVERIFY(!window->session().playing());
    QTest::qWait(300);
    const int before = window->session().last()->iteration;
    press(*window, ActionId::step);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().last()->iteration, before + 1, 10000);
    QTest::qWait(300);
    QCOMPARE(window->session().last()->iteration, before + 1);
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_Space);
    QVERIFY(window->session().playing());
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->iteration > before + 3, 10000);
  }

  /// What is said of each iteration has room from the beginning: a layout with every frame doubles its time.
  void iterationsDoNotLayTheWindowOut() {
    struct Layouts : QObject {
      int count = 0;
      bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::LayoutRequest ? 1 : 0;
        return false;
      }
    } layouts;
    auto window = windowOn("drift:n=2000,k=4", 4);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 5, 20000);
    auto* tools = window->findChild<QWidget*>(QStringLiteral("tools"));
    QVERIFY(tools);
    tools->installEventFilter(&layouts);
    const int before = session.last()->iteration;
    QTRY_VERIFY_WITH_TIMEOUT(session.last()->iteration > before + 60, 20000);
    QVERIFY2(layouts.count < 20, qPrintable(QString::number(layouts.count)));
  }

  void halvesForwardsAndBackByKey() {
    auto window = windowOn("uniform:n=3000,d=2", 5);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 0, 20000);
    session.pause();
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration == 0, 10000);
    QAction* half = window->actions()[ActionId::halfStep];
    QAction* back = window->actions()[ActionId::stepBack];
    QCOMPARE(half->text(), QStringLiteral("Classify"));
    QVERIFY(!back->isEnabled());
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_Right, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(session.last()->halfway, 10000);
    QTRY_COMPARE(half->text(), QStringLiteral("Update"));
    QVERIFY(back->isEnabled());
    QTest::keyClick(window.get(), Qt::Key_Right, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!session.last()->halfway, 10000);
    QCOMPARE(session.last()->iteration, 1);
    QTRY_COMPARE(half->text(), QStringLiteral("Classify"));
    QTest::keyClick(window.get(), Qt::Key_Left);
    QTRY_VERIFY_WITH_TIMEOUT(session.last()->halfway, 10000);
    QTest::keyClick(window.get(), Qt::Key_Left);
    QTRY_COMPARE_WITH_TIMEOUT(session.last()->iteration, 0, 10000);
    QTRY_VERIFY(!back->isEnabled());
    QVERIFY(!back->toolTip().isEmpty());
  }

  void theSimulatorIsCalledOne() {
    auto window = windowOn("blobs:n=70000,d=2,k=3", 3, "dark", BackendRequest::simt);
    QVERIFY(converges(*window));
    const auto* band = window->findChild<QLabel*>(QStringLiteral("simulatedBand"));
    QVERIFY(band && band->isVisible());
    QVERIFY2(band->text().contains(QStringLiteral("65,536 of 70,000")), qPrintable(band->text()));
    QVERIFY(window->statusLine().pathText().contains(QStringLiteral("SIMT simulator")));
    auto* backend = window->findChild<QComboBox*>(QStringLiteral("backend"));
    QCOMPARE(backend->currentData().toInt(), static_cast<int>(BackendRequest::simt));
    Settings settings = window->session().settings();
    settings.backend = BackendRequest::cpu;
    window->session().setSettings(settings);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->n, std::size_t(70000), 10000);
    QTRY_VERIFY(!band->isVisible());
  }

  void nothingIsPaintedWhilePaused() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    QTest::qWait(500);
    QSignalSpy swapped(window->viewport(), &QOpenGLWidget::frameSwapped);
    QTest::qWait(600);
    QVERIFY2(swapped.count() <= 2, qPrintable(QString::number(swapped.count())));
  }

  void kIsChangedWhileItRuns() {
    auto window = windowOn("drift:n=5000,k=8", 8);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration > 3, 20000);
    auto* k = window->findChild<QSpinBox*>("k");
    QVERIFY(k);
    k->setValue(5);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().last() ? window->session().last()->sizes.size() : 0,
                              std::size_t{5}, 10000);
    QVERIFY(window->session().playing());
  }

  void aNumberTakesDigitsAndEnterGivesTheKeysBack() {
    auto window = windowOn("drift:n=2000,k=4", 4);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last(), 20000);
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    auto* k = window->findChild<QSpinBox*>("k");
    k->setFocus();
    k->selectAll();
    QTest::keyClicks(k, "7");
    QTest::keyClick(k, Qt::Key_Q); // no shortcut, and no number's
    QCOMPARE(k->text(), QStringLiteral("7"));
    const bool playing = session.playing();
    QTest::keyClick(k, Qt::Key_Space);
    QCOMPARE(session.playing(), !playing);
    QCOMPARE(k->text(), QStringLiteral("7"));
    QTest::keyClick(k, Qt::Key_Return);
    QTRY_COMPARE(session.settings().k, 7);
    QTRY_VERIFY(!k->hasFocus());
    QTest::keyClick(window.get(), Qt::Key_Space);
    QCOMPARE(session.playing(), playing);

    k->setFocus();
    k->selectAll();
    QTest::keyClicks(k, "9");
    Settings other = session.settings();
    other.selection = {.classify = "cpu.v1", .reduce = "cpu.v1"};
    session.setSettings(other); // of another thing
    QCOMPARE(k->text(), QStringLiteral("9"));
    QTest::keyClick(k, Qt::Key_Escape); // not taken, and not shown any more
    QCOMPARE(k->text(), QStringLiteral("7"));
    QCOMPARE(session.settings().k, 7);
  }

  void whatIsTrueNoMoreIsTakenBack() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    auto* status = window->findChild<StatusLine*>();
    QTRY_VERIFY(status->lastMessage().startsWith(QStringLiteral("Converged after ")));
    QVERIFY(!status->lastMessage().contains(QStringLiteral("(s)")));
    window->session().pause();
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration == 0, 10000);
    QCOMPARE(status->lastMessage(), QString());
  }

  void aLimitOfKIsToldAsLongAsItHolds() {
    auto window = windowOn("faithful.csv", 500);
    const StatusLine& status = window->statusLine();
    QVERIFY(converges(*window));
    const QString limit = QStringLiteral("k is limited to 272, the number of points");
    QCOMPARE(status.standing(), limit); // whatever was said since, as of the end of the run
    QTRY_VERIFY(status.lastMessage().startsWith(QStringLiteral("Converged after ")));
    auto* k = window->findChild<QSpinBox*>("k");
    QCOMPARE(k->value(), 272);
    k->setValue(5);
    QTRY_COMPARE(status.standing(), QString());
    k->setValue(300);
    QTRY_COMPARE(status.standing(), limit);
    QCOMPARE(k->value(), 272);
    k->setValue(300); // asked for again, it is shown as it is
    QTRY_COMPARE(k->value(), 272);
  }

  void whatAnsweredAKeyGoesWhenItIsNotTrueAnyMore() {
    auto window = windowOn("drift:n=2000,d=1,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().plan().fused != nullptr, 20000);
    press(*window, ActionId::nextVariant);
    QTRY_VERIFY(window->statusLine().lastMessage().startsWith(QStringLiteral("There is no other variant")));
    Settings settings = window->session().settings();
    settings.selection.classify = "cpu.v1";
    window->session().setSettings(settings);
    QCOMPARE(window->statusLine().lastMessage(), QString());
  }

  void onlyTheFirstPictureIsTimedUnasked() {
    WindowOptions options;
    options.settings.backend = BackendRequest::cpu;
    const auto timed = [](MainWindow& window) {
      return window.session().timings().find(Stage::classify, "cpu.v1") != nullptr;
    };
    MainWindow first(options, false);
    first.show();
    first.begin();
    QTRY_VERIFY_WITH_TIMEOUT(timed(first), 60000);

    MainWindow other(options, false);
    other.show();
    other.begin();
    QTRY_VERIFY_WITH_TIMEOUT(other.session().last(), 60000);
    DataRequest request;
    request.generator = "drift:n=5000,k=4";
    other.session().open(request);
    QTRY_VERIFY_WITH_TIMEOUT(other.session().request() == request && other.session().last() &&
                                 other.session().last()->iteration > 40,
                             60000);
    QVERIFY(!other.liveBenchmark().running());
    QVERIFY(!timed(other));
  }

  void panelsHaveTheirShareAgainAfterTheyGaveWay() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    window->resize(1300, 900);
    QTest::qWait(100);
    const int before = window->bottom().height();
    QVERIFY(before >= 150);
    window->resize(500, 260);
    QTest::qWait(100);
    QVERIFY(window->bottom().height() < before);
    window->resize(1300, 900);
    QTRY_VERIFY2(std::abs(window->bottom().height() - before) <= 2,
                 qPrintable(QString::number(window->bottom().height())));
    // A long message above the points takes its height for as long as it is there.
    window->resize(1300, 420);
    QTest::qWait(100);
    const int low = window->bottom().height();
    window->messageBar().showError(QString(QStringLiteral("A file cannot be read. ")).repeated(60));
    QTest::qWait(100);
    window->messageBar().hide();
    QTRY_VERIFY2(std::abs(window->bottom().height() - low) <= 2,
                 qPrintable(QString::number(window->bottom().height())));
  }

  void theSameRunAgainHasTheSameColours() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    const QImage before = window->viewport()->grabFramebuffer();
    press(*window, ActionId::restart);
    window->session().play();
    QVERIFY(converges(*window) && settles(*window));
    QVERIFY(difference(window->viewport()->grabFramebuffer().convertToFormat(QImage::Format_RGB32),
                       before.convertToFormat(QImage::Format_RGB32)) < 0.01);
  }

  void aFileThatIsOpenedLeavesAPausedRunPaused() {
    auto window = windowOn("drift:n=2000,k=4", 4);
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->iteration > 1, 20000);
    press(*window, ActionId::play);
    QVERIFY(!session.playing());
    DataRequest request;
    request.generator = "drift:n=3000,k=4";
    window->files().open(request);
    QTRY_VERIFY_WITH_TIMEOUT(session.data()->n == 3000 && session.last(), 20000);
    QTest::qWait(300);
    QVERIFY(!session.playing());
    QCOMPARE(session.last()->iteration, 0);
  }

  void aClickOnTheLadderChangesTheVariant() {
    auto window = windowOn("drift:n=5000,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().plan().fused != nullptr, 20000);
    VariantListView& ladder = window->bottom().ladderView();
    QModelIndex bar;
    for (int row = 0; row < ladder.model()->rowCount(); ++row) {
      const QModelIndex index = ladder.model()->index(row, 0);
      const LadderRow one = index.data(VariantListModel::ladderRowRole).value<LadderRow>();
      if (one.stage == Stage::classify && one.variant->id() == "cpu.v2") bar = index;
    }
    QVERIFY(bar.isValid());
    QTest::mouseClick(ladder.viewport(), Qt::LeftButton, {}, ladder.visualRect(bar).center());
    QTRY_VERIFY_WITH_TIMEOUT(
        window->session().plan().classify && window->session().plan().classify->id() == "cpu.v2", 10000);
    QTRY_VERIFY_WITH_TIMEOUT(window->bottom().headlineText().contains("cpu.v2"), 10000);
    // Page Up takes the variant before it, on the stage that was touched last.
    press(*window, ActionId::previousVariant);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().plan().classify->id(), std::string("cpu.v1"), 10000);
  }

  void everyVariantIsTimedOnDemand() {
    auto window = windowOn("drift:n=5000,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().plan().fused != nullptr, 20000);
    press(*window, ActionId::measure);
    QVERIFY(window->liveBenchmark().running());
    QTRY_VERIFY_WITH_TIMEOUT(!window->liveBenchmark().running(), 30000);
    QVERIFY(window->session().timings().find(Stage::classify, "cpu.v1"));
    QVERIFY(window->session().timings().find(Stage::reduce, "cpu.v2"));
    // What is in use is held against another variant, in one of the ways to say it.
    const QRegularExpression compared(
        QStringLiteral("(times as (fast|long) as|(faster|slower) than) cpu\\."));
    QVERIFY2(window->bottom().headlineText().contains(compared), qPrintable(window->bottom().headlineText()));
    QVERIFY(window->session().settings().selection == Selection{});
  }

  void everySizeIsDrawn() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    for (const QSize size :
         {QSize(1, 1), QSize(300, 1), QSize(1, 300), QSize(1024, 700), QSize(1500, 1000)}) {
      window->resize(size);
      QTest::qWait(60);
      QVERIFY(window->viewport()->failure().isEmpty());
    }
    QVERIFY(settles(*window));
    QVERIFY(inked(window->viewport()->grabFramebuffer(), UiTheme::darkTheme().view) > 1000);
    QVERIFY(window->viewport()->height() >= 0.55 * window->height());
  }

  void bothThemesAreDrawn() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window) && settles(*window));
    const QColor corner =
        window->viewport()->grabFramebuffer().pixelColor(3, window->viewport()->height() / 2);
    press(*window, ActionId::theme);
    QVERIFY(settles(*window));
    const QColor light =
        window->viewport()->grabFramebuffer().pixelColor(3, window->viewport()->height() / 2);
    QVERIFY(corner.lightness() < 60);
    QVERIFY(light.lightness() > 200);
    press(*window, ActionId::theme);
  }

  void presentingLeavesPointsAndHeadline() {
    auto window = windowOn("drift:n=5000,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration > 3, 20000);
    press(*window, ActionId::present);
    QTRY_VERIFY(window->findChild<PresentBar*>()->isVisible());
    QVERIFY(!window->bottom().isVisible());
    press(*window, ActionId::endPresent);
    QTRY_VERIFY(window->bottom().isVisible());
    QVERIFY(!window->findChild<PresentBar*>()->isVisible());
  }

  void theCommandLineIsCopied() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    press(*window, ActionId::copyCommand);
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(text.startsWith("lloydscope ") && text.contains("iris.csv") &&
                 text.contains("--k 3 --seed 1 --backend cpu"),
             qPrintable(text));
  }

  void everyKeyIsListedAndNoneTwice() {
    auto window = windowOn("iris.csv", 3);
    ShortcutsDialog dialog(window->actions(), window.get());
    auto* list = dialog.findChild<QTreeWidget*>();
    int listed = 0;
    for (int group = 0; group < list->topLevelItemCount(); ++group)
      listed += list->topLevelItem(group)->childCount();
    QCOMPARE(listed, window->actions().all().size());
    QStringList keys;
    for (const QAction* action : window->actions().all()) {
      for (const QKeySequence& key : action->shortcuts()) {
        QVERIFY2(!key.isEmpty(), qPrintable(action->text()));
        QVERIFY2(!keys.contains(key.toString()), qPrintable(key.toString()));
        keys << key.toString();
      }
    }
    dialog.findChild<QLineEdit*>()->setText("orbit");
    int shown = 0;
    for (int group = 0; group < list->topLevelItemCount(); ++group) {
      for (int i = 0; i < list->topLevelItem(group)->childCount(); ++i)
        shown += !list->topLevelItem(group)->child(i)->isHidden();
    }
    QCOMPARE(shown, 4);
  }

  void theListOfKeysSaysTheSameInEveryState() {
    auto window = windowOn("iris.csv", 3);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last(), 20000);
    window->session().pause();
    const auto listed = [&] {
      const ShortcutsDialog dialog(window->actions(), window.get());
      const auto* list = dialog.findChild<QTreeWidget*>();
      QStringList texts;
      for (int group = 0; group < list->topLevelItemCount(); ++group)
        for (int i = 0; i < list->topLevelItem(group)->childCount(); ++i)
          for (int column = 0; column < list->columnCount(); ++column)
            texts << list->topLevelItem(group)->child(i)->text(column);
      return texts;
    };
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration == 0, 20000);
    const QStringList before = listed();
    press(*window, ActionId::halfStep);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().nextHalf(), Half::update, 20000);
    QCOMPARE(window->actions()[ActionId::halfStep]->text(), QStringLiteral("Update"));
    QCOMPARE(listed(), before);
    QVERIFY(before.contains("Half an iteration"));
    QVERIFY(before.filter("ladder").isEmpty());
    window->session().play();
    QTRY_COMPARE_WITH_TIMEOUT(listed(), before, 20000);
  }

  void everyControlHasANameAndReasonsAreGiven() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    for (const QWidget* widget : window->findChildren<QWidget*>()) {
      const bool control = qobject_cast<const QComboBox*>(widget) || qobject_cast<const QSpinBox*>(widget);
      if (control) QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
    }
    for (const QAction* action : window->actions().all()) {
      if (!action->isEnabled()) QVERIFY2(!action->toolTip().isEmpty(), qPrintable(action->text()));
    }
    const auto* fused = window->findChild<QComboBox*>("fused");
    QVERIFY(fused && fused->count() >= 2);
    QCOMPARE(window->statusLine().pathText(), QStringLiteral("CPU"));
  }

  /// Large letters in a small window scroll: none is cut, and nothing is drawn over something else.
  void largeLettersInASmallWindowAreWhole() {
    const QFont usual = QApplication::font();
    const auto restore = qScopeGuard([&] { QApplication::setFont(usual); });
    QFont large = usual;
    large.setPointSizeF(14);
    QApplication::setFont(large);
    auto window = windowOn("quakes.csv", 4);
    QVERIFY(converges(*window));
    window->resize(800, 600);
    for (const ActionId workspace : {ActionId::explore, ActionId::teach, ActionId::compare}) {
      press(*window, workspace);
      QTest::qWait(200);
      QCOMPARE(window->size(), QSize(800, 600)); // what does not fit would widen it beyond the screen
      QVERIFY(window->findChild<QLabel*>()->fontMetrics().height() > QFontMetrics(usual).height());
      int texts = 0;
      for (QWidget* widget : window->findChildren<QWidget*>()) {
        const auto* label = qobject_cast<QLabel*>(widget);
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const auto* box = qobject_cast<QComboBox*>(widget);
        const QString text = label ? label->text() : button ? button->text() : box ? box->currentText() : "";
        if (!widget->isVisible() || text.isEmpty()) continue;
        ++texts;
        QVERIFY2(widget->height() >= widget->minimumSizeHint().height(), qPrintable(text));
        const bool elides = box || qobject_cast<ElidedLabel*>(widget);
        QVERIFY2(elides || widget->width() >= widget->minimumSizeHint().width(), qPrintable(text));
        const QLayout* layout = widget->parentWidget()->layout();
        for (QWidget* beside : widget->parentWidget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
          if (beside == widget || !beside->isVisible() || !layout) continue;
          QVERIFY2(!beside->geometry().intersects(widget->geometry()),
                   qPrintable(text + " lies over " + beside->metaObject()->className()));
        }
      }
      QVERIFY(texts > 10);
      for (const QSplitter* splitter : window->findChildren<QSplitter*>())
        for (int i = 1; splitter->isVisible() && i < splitter->count(); ++i)
          if (splitter->widget(i)->isVisible() && splitter->widget(i - 1)->isVisible())
            QVERIFY(!splitter->widget(i)->geometry().intersects(splitter->widget(i - 1)->geometry()));
    }
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindow>(argc, argv); }
#include "tst_window.moc"

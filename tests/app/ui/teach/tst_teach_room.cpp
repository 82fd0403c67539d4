// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/teach_panel.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/teach/variant_chooser.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/window_settings.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSplitter>
#include <QStandardPaths>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextBlock>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr int mostSteps = 8; ///< of the text's size

bool counted(MainWindow& window) {
  return QTest::qWaitFor([&] { return window.teach().trace().complete() && window.teach().trace().counts(); },
                         30000);
}

std::unique_ptr<MainWindow> teaching(const std::string& data, int k, const std::string& id,
                                     QSize size = {1440, 900}) {
  auto window = windowOn(data, k);
  window->session().pause();
  window->resize(size);
  press(*window, ActionId::teach);
  window->teach().choose(id);
  QTest::qWait(50);
  return window;
}

/// Rows of the source that are seen.
std::pair<int, int> seen(const SourceView& source) {
  return {source.cursorForPosition(QPoint(2, 2)).blockNumber(),
          source.cursorForPosition(QPoint(2, source.viewport()->height() - 2)).blockNumber()};
}

bool seesADifference(const SourceView& source) {
  const auto [first, last] = seen(source);
  for (int row = first; row <= last; ++row)
    if (source.rows()[static_cast<std::size_t>(row)].mark != DiffLine::Mark::same) return true;
  return false;
}

int firstFold(const SourceView& source, int from) {
  for (int row = from; row < static_cast<int>(source.rows().size()); ++row)
    if (source.rows()[static_cast<std::size_t>(row)].isFold()) return row;
  return -1;
}

/// What cannot be read whole in the counters, one of it; empty where all can.
QString cutIn(const CounterTable& counters) {
  const QWidget* viewport = counters.viewport();
  for (const QWidget* part : counters.widget()->findChildren<QWidget*>()) {
    if (!part->isVisible() || part->window() != counters.window()) continue;
    const int right = part->mapTo(viewport, QPoint(part->width(), 0)).x();
    if (right > viewport->width() && !part->inherits("QAbstractScrollArea"))
      return QStringLiteral("%1 \"%2\" ends %3 pixels beside the pane")
          .arg(QString::fromLatin1(part->metaObject()->className()), part->objectName())
          .arg(right - viewport->width());
  }
  for (const QTableView* table : counters.widget()->findChildren<QTableView*>()) {
    if (!table->isVisible()) continue;
    for (int column = 0; column < table->model()->columnCount(); ++column)
      for (int row = 0; row < table->model()->rowCount(); ++row) {
        const QModelIndex index = table->model()->index(row, column);
        const int wanted = table->sizeHintForIndex(index).width();
        // A name gives way to numbers, and is whole in its tooltip.
        const int least =
            column == 0 ? std::min(wanted, table->fontMetrics().averageCharWidth() * 10) : wanted;
        if (!table->isColumnHidden(column) && !table->isRowHidden(row) && table->columnWidth(column) < least)
          return QStringLiteral("%1: \"%2\" has %3 of %4 pixels")
              .arg(table->objectName(), index.data().toString())
              .arg(table->columnWidth(column))
              .arg(wanted);
      }
  }
  return {};
}

QSplitter* panesOf(MainWindow& window) {
  return window.teach().side()->findChild<QSplitter*>(QStringLiteral("teachPanes"));
}

} // namespace

/// Teach before a class: what is seen first, what can be hidden, and how large it becomes.
class TestTeachRoom : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

  void everyStepOpensOnADifference() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v1");
    const SourceView& source = window->teach().source();
    for (const char* id : {"classify.v2", "classify.v3", "classify.v4", "classify.v5", "classify.v6",
                           "classify.v7", "classify.v8", "reduce.v2", "reduce.v3", "reduce.v7"}) {
      window->teach().choose(id);
      QTRY_VERIFY2(seesADifference(source), id);
    }
    window->teach().choose("classify.v1");
    const auto [first, last] = seen(source);
    bool kernel = false;
    for (int row = first; row <= std::min(first + 3, last); ++row)
      kernel = kernel || source.rows()[static_cast<std::size_t>(row)].text.contains("classify_v1");
    QVERIFY(kernel);
  }

  void aFoldOpensByClickAndByReturn() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    SourceView& source = window->teach().source();
    const std::size_t before = source.rows().size();
    const int fold = firstFold(source, seen(source).first);
    QVERIFY(fold >= 0);
    const SourceRow row = source.rows()[static_cast<std::size_t>(fold)];
    QVERIFY2(row.text.contains(QString::number(row.folded)), qPrintable(row.text));
    source.verticalScrollBar()->setValue(std::max(0, fold - 2));
    QTextCursor cursor(source.document()->findBlockByNumber(fold));
    QTest::mouseClick(source.viewport(), Qt::LeftButton, {}, source.cursorRect(cursor).center());
    QCOMPARE(source.rows().size(), before + static_cast<std::size_t>(row.folded) - 1);
    QCOMPARE(source.rows()[static_cast<std::size_t>(fold)].number, row.first);
    // By key: another one.
    const int other = firstFold(source, 0);
    QVERIFY(other >= 0);
    const SourceRow second = source.rows()[static_cast<std::size_t>(other)];
    source.setTextCursor(QTextCursor(source.document()->findBlockByNumber(other)));
    QTest::keyClick(&source, Qt::Key_Return);
    QCOMPARE(source.rows()[static_cast<std::size_t>(other)].number, second.first);
    // All of them.
    press(*window, ActionId::foldSame);
    QCOMPARE(firstFold(source, 0), -1);
    press(*window, ActionId::foldSame);
    QCOMPARE(source.rows().size(), before);
  }

  void badgesHideNoCode() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    SourceView& source = window->teach().source();
    QVERIFY(counted(*window));
    QTRY_VERIFY(source.badgeWidth() > 0);
    const auto* badges = source.findChild<QWidget*>(QStringLiteral("badges"));
    QVERIFY(badges && badges->isVisible());
    QVERIFY(!badges->geometry().intersects(source.viewport()->geometry()));
    QVERIFY(badges->geometry().left() > source.viewport()->geometry().right());
    window->teach().choose("cpu.v1"); // which has no counters
    QCOMPARE(source.badgeWidth(), 0);
  }

  void panesAreHiddenByKeys() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    TeachWorkspace& teach = window->teach();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTRY_VERIFY(teach.source().isVisible() && teach.counters().isVisible() && teach.lesson().isVisible());
    const int narrow = teach.source().columns();
    QTest::keyClick(window.get(), Qt::Key_8, Qt::AltModifier);
    QTRY_VERIFY(!teach.counters().isVisible() && teach.source().columns() > narrow + 10);
    QTest::keyClick(window.get(), Qt::Key_7, Qt::AltModifier);
    // The lesson takes the place that is free.
    QTRY_VERIFY(!teach.source().isVisible() && teach.lesson().isVisible());
    QVERIFY(teach.side()->isAncestorOf(&teach.lesson()));
    QTest::keyClick(window.get(), Qt::Key_9, Qt::AltModifier);
    QTRY_VERIFY(!teach.lesson().isVisible());
    QVERIFY(!window->actions()[ActionId::bottomPanel]->isChecked());
    bool said = false;
    for (const QLabel* label : teach.side()->findChildren<QLabel*>())
      said = said || (label->isVisible() && label->text().startsWith("Every pane is hidden: Alt+7"));
    QVERIFY(said);
    for (const Qt::Key key : {Qt::Key_7, Qt::Key_8, Qt::Key_9})
      QTest::keyClick(window.get(), key, Qt::AltModifier);
    QTRY_VERIFY(teach.source().isVisible() && teach.counters().isVisible() && teach.lesson().isVisible());
    QVERIFY(!teach.side()->isAncestorOf(&teach.lesson()));
    press(*window, ActionId::bottomPanel); // the same thing by its other name
    QTRY_VERIFY(!window->actions()[ActionId::lessonPane]->isChecked() && !teach.lesson().isVisible());
  }

  void panesAreResizedByKeysAndRemembered() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    const int source = panesOf(*window)->sizes().front();
    press(*window, ActionId::narrowerSource);
    press(*window, ActionId::narrowerSource);
    QTRY_VERIFY(panesOf(*window)->sizes().front() < source - 40);
    press(*window, ActionId::widerSource);
    const int lesson = window->teach().lesson().height();
    press(*window, ActionId::higherLesson);
    QTRY_VERIFY(window->teach().lesson().height() > lesson + 10);
    const int points = window->viewport()->width();
    press(*window, ActionId::widerPoints);
    QTRY_VERIFY(window->viewport()->width() > points + 10);
    press(*window, ActionId::countersPane);
    WindowSettings saved;
    window->arrangement().remember(saved);
    QVERIFY(!saved.teachPanes.counters && saved.teachPanes.source && saved.teachPanes.countersPart > 0);
    saved.write();
    const WindowSettings read = WindowSettings::read();
    QVERIFY(!read.teachPanes.counters && read.teachPanes.source);
    QCOMPARE(read.teachPanes.countersPart, saved.teachPanes.countersPart);
    auto next = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    next->teach().panel().setPanes(read.teachPanes);
    QTRY_VERIFY(!next->teach().counters().isVisible() && next->teach().source().isVisible());
    press(*next, ActionId::countersPane);
    const auto part = [&] {
      const QList<int> sizes = panesOf(*next)->sizes();
      return sizes.size() == 2 ? static_cast<double>(sizes[1]) / (sizes[0] + sizes[1]) : 0;
    };
    QTRY_VERIFY(std::abs(part() - read.teachPanes.countersPart) < 0.02);
    WindowSettings().write();
  }

  void onePaneAloneAndBack() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    TeachWorkspace& teach = window->teach();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QSignalSpy lost(window->viewport(), &Viewport::lost);
    QTRY_VERIFY(teach.lesson().isVisible());
    const int side = teach.side()->width(), points = window->viewport()->width();
    for (QWidget* pane : {static_cast<QWidget*>(&teach.source()), static_cast<QWidget*>(&teach.lesson())}) {
      pane->setFocus();
      QTest::keyClick(pane, Qt::Key_Z);
      QTRY_VERIFY(pane->isVisible() && !window->viewport()->isVisible());
      QTRY_VERIFY2(pane->width() >= window->width() - 30, qPrintable(QString::number(pane->width())));
      QVERIFY(!teach.counters().isVisible() && !teach.chooser().isVisible());
      QVERIFY(teach.source().isVisible() != teach.lesson().isVisible());
      press(*window, ActionId::nextVariant); // a lecture goes on
      QTest::keyClick(pane, Qt::Key_Z);
      QTRY_VERIFY(window->viewport()->isVisible() && teach.counters().isVisible());
      QTRY_VERIFY(teach.source().isVisible() && teach.lesson().isVisible() && teach.chooser().isVisible());
      QTRY_VERIFY(std::abs(teach.side()->width() - side) < 8);
      QTRY_VERIFY(std::abs(window->viewport()->width() - points) < 8);
    }
    QCOMPARE(lost.count(), 0);
    press(*window, ActionId::paneAlone);
    QTRY_VERIFY(!window->viewport()->isVisible());
    press(*window, ActionId::explore); // has the points
    QTRY_VERIFY(window->viewport()->isVisible() && !window->actions()[ActionId::paneAlone]->isChecked());
  }

  void codeAndBadgesHaveTheirRoomByDefault_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("least");
    QTest::newRow("1366x768") << QSize(1366, 768) << 44;
    QTest::newRow("1920x1080") << QSize(1920, 1080) << 60;
  }
  void codeAndBadgesHaveTheirRoomByDefault() {
    QFETCH(QSize, size);
    QFETCH(int, least);
    auto window = teaching("blobs:n=4096,d=2,k=16", 16, "classify.v4", size);
    SourceView& source = window->teach().source();
    for (const char* id : {"classify.v4", "classify.v8", "reduce.v1", "reduce.v2", "reduce.v7", "fused.v2"}) {
      window->teach().choose(id);
      QVERIFY(counted(*window));
      QTRY_VERIFY2(source.badgeWidth() > 0, id);
      QTRY_COMPARE(window->size(), size);
      QTRY_VERIFY2(source.columns() >= least,
                   qPrintable(QStringLiteral("%1: %2 columns, source %3, counters %4 of %5, points %6")
                                  .arg(QString::fromLatin1(id))
                                  .arg(source.columns())
                                  .arg(source.width())
                                  .arg(window->teach().counters().width())
                                  .arg(window->teach().counters().wantedWidth())
                                  .arg(window->viewport()->width())));
      QVERIFY2(source.badgesWhole(), id);
      QVERIFY(window->teach().counters().isVisible() && window->teach().lesson().isVisible());
      QVERIFY(window->viewport()->width() >= size.width() / 5);
    }
    // The tables of two versions are seen whole, too.
    window->teach().choose("classify.v4");
    QVERIFY(counted(*window));
    const auto* asked = window->teach().counters().findChild<QWidget*>(QStringLiteral("asked"));
    QTRY_VERIFY(asked && asked->width() <= window->teach().counters().viewport()->width());
  }

  void theCountersFitTheirPane_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1280, 800);
    QTest::newRow("1366x768") << QSize(1366, 768);
  }
  /// A number that is cut is another number, and "more" that is cut may be "fewer".
  void theCountersFitTheirPane() {
    QFETCH(QSize, size);
    auto window = teaching("blobs:n=8192,d=2,k=16", 16, "classify.v4", size);
    const CounterTable& counters = window->teach().counters();
    for (const char* id : {"classify.v4", "classify.v5", "classify.v8", "reduce.v1", "reduce.v2", "reduce.v7",
                           "distance.v2", "distance.v5", "layout.v2", "fused.v2"}) {
      window->teach().choose(id);
      QVERIFY2(counted(*window), id);
      QTRY_COMPARE(window->size(), size);
      QTRY_VERIFY2(counters.horizontalScrollBar()->maximum() == 0,
                   qPrintable(QStringLiteral("%1: %2 of %3 pixels are beside the pane")
                                  .arg(QString::fromLatin1(id))
                                  .arg(counters.horizontalScrollBar()->maximum())
                                  .arg(counters.widget()->width())));
      QTRY_COMPARE(cutIn(counters), QString());
    }
  }

  /// Where there is too little room, names take more lines.
  void theNamesOfCountersAreWholeInLargeText() {
    auto window = teaching("blobs:n=8192,d=2,k=16", 16, "classify.v6", {1366, 768});
    QVERIFY(counted(*window));
    window->teach().setTextStep(2);
    press(*window, ActionId::widerSource);
    press(*window, ActionId::widerSource);
    QTest::qWait(100);
    int wrapped = 0;
    for (const QTableView* table : window->teach().counters().widget()->findChildren<QTableView*>()) {
      if (!table->isVisible()) continue;
      for (int row = 0; row < table->model()->rowCount(); ++row) {
        if (table->isRowHidden(row)) continue;
        const QModelIndex name = table->model()->index(row, 0);
        QStyleOptionViewItem option;
        option.initFrom(table);
        option.widget = table;
        option.font = table->font();
        option.rect = QRect(0, 0, table->columnWidth(0), 1);
        option.features |= QStyleOptionViewItem::WrapText;
        const QSize needed = table->itemDelegateForIndex(name)->sizeHint(option, name);
        QVERIFY2(table->rowHeight(row) >= needed.height() && table->columnWidth(0) >= needed.width(),
                 qPrintable(QStringLiteral("%1: \"%2\" has %3x%4 of %5x%6")
                                .arg(table->objectName(), name.data().toString())
                                .arg(table->columnWidth(0))
                                .arg(table->rowHeight(row))
                                .arg(needed.width())
                                .arg(needed.height())));
        wrapped += needed.height() > 2 * table->fontMetrics().height() - 2;
      }
    }
    QVERIFY(wrapped > 0);
  }

  /// What a tab shows is no reason for the source to have fewer columns, then or later.
  void theTabsMakeNoPaneWider() {
    auto window = teaching("blobs:n=8192,d=2,k=16", 16, "classify.v4", {1280, 800});
    SourceView& source = window->teach().source();
    auto* tabs = window->teach().side()->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    QVERIFY(counted(*window));
    QTRY_VERIFY(source.badgeWidth() > 0);
    QTest::qWait(100);
    const QList<int> sizes = panesOf(*window)->sizes();
    const int columns = source.columns();
    auto* badges = source.findChild<QWidget*>(QStringLiteral("badges"));
    for (int y = 4; y < badges->height() && tabs->currentIndex() == 0; y += 8)
      QTest::mouseClick(badges, Qt::LeftButton, {}, QPoint(badges->width() / 2, y));
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Memory"));
    const auto* picture = tabs->findChild<QWidget*>(QStringLiteral("memoryPicture"));
    QTRY_VERIFY(picture->isVisible());
    for (const ActionId tab : {ActionId::memoryTab, ActionId::blockTab, ActionId::predictTab,
                               ActionId::countersTab, ActionId::memoryTab}) {
      press(*window, tab);
      QTest::qWait(100);
      QTRY_COMPARE(panesOf(*window)->sizes(), sizes);
      // Question marks instead of numbers, before Predict, leave more of them.
      QVERIFY(tab == ActionId::predictTab ? source.columns() >= columns : source.columns() == columns);
    }
    QVERIFY2(columns >= 40, qPrintable(QString::number(columns)));
  }

  void noTwoScrollBarsStandSideBySide() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "reduce.v2", {1280, 800});
    QVERIFY(counted(*window));
    window->teach().setTextStep(mostSteps);
    // What presenting takes away of a window of 1280 x 800 is outside of it here.
    window->resize(1280, 930);
    QTRY_COMPARE(window->width(), 1280);
    const auto* dock = window->teach().side();
    auto* panes = dock->findChild<QTabWidget*>(QStringLiteral("teachTabs"));
    QTRY_VERIFY(panes->isVisible());
    const auto twoBars = [&] {
      QList<const QScrollBar*> seen;
      for (const QScrollBar* bar : window->findChildren<QScrollBar*>())
        if (bar->isVisible() && bar->orientation() == Qt::Vertical) seen << bar;
      const auto placeOf = [&](const QScrollBar* bar) {
        return QRect(bar->mapTo(window.get(), QPoint()), bar->size()).adjusted(-8, 0, 8, 0);
      };
      const auto ownerOf = [](const QScrollBar* bar) {
        const QWidget* owner = bar->parentWidget()->parentWidget();
        return QStringLiteral("%1 %2").arg(QString::fromLatin1(owner->metaObject()->className()),
                                           owner->objectName());
      };
      for (const QScrollBar* one : seen)
        for (const QScrollBar* other : seen)
          if (one != other && placeOf(one).intersects(placeOf(other)))
            return QStringLiteral("%1 and %2").arg(ownerOf(one), ownerOf(other));
      return QString();
    };
    for (const ActionId tab :
         {ActionId::countersTab, ActionId::memoryTab, ActionId::blockTab, ActionId::predictTab}) {
      press(*window, tab);
      QTest::qWait(100);
      for (int pane = 0; pane < panes->count(); ++pane) {
        panes->setCurrentIndex(pane);
        QTest::qWait(60);
        QTRY_COMPARE(twoBars(), QString());
      }
    }
  }

  void presentingInLargeTextLeavesNoTrace() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3", {1366, 768});
    QVERIFY(counted(*window));
    TeachWorkspace& teach = window->teach();
    QTRY_VERIFY(teach.source().badgeWidth() > 0);
    QTest::qWait(100);
    const auto sizes = [&] {
      QList<int> all{window->width(), window->viewport()->width(), teach.lesson().height()};
      return all << panesOf(*window)->sizes();
    };
    const QList<int> before = sizes();
    press(*window, ActionId::present);
    QTRY_VERIFY(window->isFullScreen());
    for (int step = 0; step < 6; ++step)
      press(*window, ActionId::largerText);
    QTest::qWait(100);
    press(*window, ActionId::present);
    QTRY_VERIFY(!window->isFullScreen());
    QTest::qWait(50);
    for (int step = 0; step < 6; ++step)
      press(*window, ActionId::smallerText);
    window->resize(1366, 768); // which no window manager gives back here
    const auto same = [&] {
      const QList<int> now = sizes();
      return now.size() == before.size() && std::equal(now.begin(), now.end(), before.begin(),
                                                       [](int a, int b) { return std::abs(a - b) < 3; });
    };
    QTRY_VERIFY2(same(), qPrintable(QStringLiteral("%1 panes, points %2, were %3")
                                        .arg(panesOf(*window)->count())
                                        .arg(window->viewport()->width())
                                        .arg(before[1])));
  }

  void keysMoveInTheTextThatHasThem() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    SourceView& source = window->teach().source();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTRY_VERIFY(window->session().last());
    QSignalSpy restarted(window->actions()[ActionId::restart], &QAction::triggered);
    QSignalSpy stepped(window->actions()[ActionId::step], &QAction::triggered);
    QSignalSpy half(window->actions()[ActionId::halfStep], &QAction::triggered);
    source.setFocus();
    QTextBlock line = source.document()->begin();
    while (line.length() < 20)
      line = line.next();
    source.setTextCursor(QTextCursor(line));
    QTest::keyClick(&source, Qt::Key_End);
    const int end = source.textCursor().positionInBlock();
    QVERIFY(end > 0 && source.textCursor().atBlockEnd());
    QTest::keyClick(&source, Qt::Key_Left);
    QCOMPARE(source.textCursor().positionInBlock(), end - 1);
    QTest::keyClick(&source, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(source.textCursor().selectedText().size(), 1);
    QTest::keyClick(&source, Qt::Key_Home);
    QCOMPARE(source.textCursor().positionInBlock(), 0);
    QTest::keyClick(&source, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(source.textCursor().blockNumber(), source.document()->blockCount() - 1);
    LessonView& lesson = window->teach().lesson();
    lesson.setFocus();
    for (int times = 0; times < 40; ++times)
      QTest::keyClick(&lesson, Qt::Key_Down);
    QTRY_VERIFY(lesson.verticalScrollBar()->value() > 0);
    QTest::keyClick(&lesson, Qt::Key_End);
    QTest::keyClick(&lesson, Qt::Key_Home, Qt::ControlModifier);
    QTRY_VERIFY(lesson.verticalScrollBar()->value() <= lesson.document()->documentMargin());
    QTest::keyClick(&lesson, Qt::Key_Right);
    auto* tabs = window->teach().side()->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    tabs->tabBar()->setFocus();
    QTest::keyClick(tabs->tabBar(), Qt::Key_Right);
    QCOMPARE(tabs->currentIndex(), 1);
    for (const QSignalSpy* spy : {&restarted, &stepped, &half})
      QCOMPARE(spy->count(), 0);
    // On the points they are the run's.
    window->viewport()->setFocus();
    QTest::keyClick(window->viewport(), Qt::Key_Home);
    QCOMPARE(restarted.count(), 1);
    // A lecturer's pointer turns versions over, whatever has the keys.
    source.setFocus();
    QTest::keyClick(&source, Qt::Key_PageDown);
    QTRY_COMPARE(window->teach().subject().variant->id(), std::string("classify.v4"));
  }

  /// From the source to the tabs, into the one in front, on to the lesson and the rest, and round.
  void tabGoesRoundTheWindow_data() {
    QTest::addColumn<ActionId>("tab");
    QTest::addColumn<QString>("first");
    QTest::newRow("Counters") << ActionId::countersTab << "profiledCard";
    QTest::newRow("Memory") << ActionId::memoryTab << "memoryBlock";
    QTest::newRow("Block") << ActionId::blockTab << "blockNumber";
    QTest::newRow("Predict") << ActionId::predictTab << "";
  }
  void tabGoesRoundTheWindow() {
    QFETCH(ActionId, tab);
    QFETCH(QString, first);
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QVERIFY(counted(*window));
    window->actions()[tab]->trigger();
    QWidget& source = window->teach().source();
    source.setFocus();
    QStringList visited;
    do {
      QVERIFY(window->focusWidget());
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
      visited << window->focusWidget()->objectName();
    } while (window->focusWidget() != &source && visited.size() < 100);
    QVERIFY2(window->focusWidget() == &source, qPrintable(visited.join(u' ')));
    QCOMPARE(visited.first(), QString("qt_tabwidget_tabbar"));
    if (!first.isEmpty()) QCOMPARE(visited.value(1), first);
    for (const char* name : {"lesson", "colourBy", "nextHalf", "rate", "teachStage"})
      QVERIFY2(visited.contains(QLatin1String(name)), name);
  }

  void everyTabHasAKey() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QVERIFY(counted(*window));
    auto* tabs = window->teach().side()->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    const std::pair<Qt::Key, const char*> keys[] = {
        {Qt::Key_M, "Memory"}, {Qt::Key_B, "Block"}, {Qt::Key_P, "Predict"}, {Qt::Key_C, "Counters"}};
    press(*window, ActionId::countersPane); // hidden: its keys bring it back
    QTRY_VERIFY(!tabs->isVisible());
    for (const auto& [key, name] : keys) {
      QTest::keyClick(window->focusWidget(), key, Qt::AltModifier | Qt::ShiftModifier);
      QTRY_VERIFY(tabs->isVisible());
      QCOMPARE(tabs->tabText(tabs->currentIndex()), QString::fromLatin1(name));
      QVERIFY2(window->focusWidget() && tabs->isAncestorOf(window->focusWidget()), name);
      QVERIFY2(tabs->tabToolTip(tabs->currentIndex()).contains("Alt+Shift+" + QString(QChar(key))),
               qPrintable(tabs->tabToolTip(tabs->currentIndex())));
    }
    // The pane alone, by the key that the tooltip names.
    QTest::keyClick(window->focusWidget(), Qt::Key_Z);
    QTRY_VERIFY(!window->viewport()->isVisible() && tabs->isVisible());
    QTest::keyClick(window->focusWidget(), Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QVERIFY(!window->viewport()->isVisible());
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Memory"));
    QTest::keyClick(window->focusWidget(), Qt::Key_Z);
    // What is hidden leads to where it is predicted.
    press(*window, ActionId::hideCounters);
    QTest::keyClick(window->focusWidget(), Qt::Key_M, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Predict"));
  }

  /// Of what a card did, too: whoever sees the instructions of a kernel need not predict them.
  void hiddenCountersTellNothing() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    press(*window, ActionId::hideCounters);
    for (const char* id : {"classify.v3", "reduce.v7", "classify.v5"}) {
      window->teach().choose(id);
      QVERIFY(counted(*window));
      QTRY_VERIFY(window->teach().source().badgeWidth() > 0);
      for (const QTableView* table : window->teach().counters().findChildren<QTableView*>()) {
        if (!table->isVisible()) continue;
        for (int row = 0; row < table->model()->rowCount(); ++row)
          for (int column = 1; column < table->model()->columnCount(); ++column) {
            const QString text = table->model()->index(row, column).data().toString();
            QVERIFY2(table->isColumnHidden(column) || text == "?" || text == unknownText(),
                     qPrintable(table->accessibleName() + ": " + text));
          }
      }
      for (const char* part : {"waits", "step", "waitBars", "ladderStrip"}) {
        const auto* view = window->teach().counters().findChild<QWidget*>(QString::fromLatin1(part));
        QVERIFY2(view && !view->isVisible(), part);
      }
    }
  }

  void presentedInTheLargestTextSixtyColumnsAreSeen() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3", {1280, 800});
    QVERIFY(counted(*window));
    window->teach().setTextStep(mostSteps);
    press(*window, ActionId::paneAlone);
    SourceView& source = window->teach().source();
    QTRY_VERIFY(source.badgeWidth() > 0 && !window->viewport()->isVisible());
    // The screen of the test is larger: what presenting takes away is hidden by hand.
    window->resize(1280, 800);
    QTRY_COMPARE(window->width(), 1280);
    for (const char* id :
         {"classify.v3", "classify.v8", "reduce.v2", "reduce.v7", "fused.v1", "distance.v5"}) {
      window->teach().choose(id);
      QVERIFY(counted(*window));
      QTRY_VERIFY2(source.badgeWidth() > 0, id);
      const QFontMetrics metrics = source.fontMetrics();
      const int columns = source.viewport()->width() / metrics.horizontalAdvance(QLatin1Char('8'));
      QVERIFY2(source.columns() <= columns, id);
      QVERIFY2(source.columns() >= 60, qPrintable(QStringLiteral("%1: %2 columns, badges %3, view %4")
                                                      .arg(QString::fromLatin1(id))
                                                      .arg(source.columns())
                                                      .arg(source.badgeWidth())
                                                      .arg(source.width())));
    }
  }

  void whatIsWrittenOnThePointsGrows() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    const double before = window->viewport()->font().pointSizeF();
    press(*window, ActionId::largerText);
    press(*window, ActionId::largerText);
    QTRY_COMPARE(window->viewport()->font().pointSizeF(), before + 2);
    press(*window, ActionId::theme); // takes nothing of it back
    QCOMPARE(window->viewport()->font().pointSizeF(), before + 2);
    press(*window, ActionId::explore);
    QCOMPARE(window->viewport()->font().pointSizeF(), before);
    press(*window, ActionId::teach);
    QCOMPARE(window->viewport()->font().pointSizeF(), before + 2);
  }

  void theChooserSaysWhatCannotRunHere() {
    auto window = teaching("uniform:n=1500,d=2", 4, "classify.v3");
    const auto* box = window->teach().chooser().findChild<QComboBox*>(QStringLiteral("teachVariant"));
    QVERIFY(box);
    QTRY_VERIFY(!window->session().device().name.empty());
    QTRY_VERIFY2(box->itemData(2, Qt::ToolTipRole).toString().contains("Not here: "),
                 qPrintable(box->itemData(2, Qt::ToolTipRole).toString()));
    const int cpu = box->findText(QStringLiteral("cpu.v1"));
    QVERIFY(cpu >= 0 && !box->itemData(cpu, Qt::ToolTipRole).toString().contains("Not here"));
  }

  /// The lesson that is no version's is in the menu, has every version that it names, and leads back.
  void theLessonOnDataIsInTheMenu() {
    auto window = teaching("blobs:n=500,d=2,k=4", 4, "classify.v3");
    LessonView& lesson = window->teach().lesson();
    QTRY_VERIFY(lesson.isVisible());
    press(*window, ActionId::lessonPane);
    QTRY_VERIFY(!lesson.isVisible());
    press(*window, ActionId::dataLesson);
    QTRY_VERIFY(lesson.isVisible());
    const QString text = lesson.toPlainText();
    QVERIFY2(text.contains("What the data do to a reduction") && text.contains("Back to classify.v3"),
             qPrintable(text.left(200)));
    const MeasuredTimes& times = MeasuredTimes::shipped();
    QVERIFY(text.contains("V2") && text.contains(times.fill("{{reduce.v2+data order0_1-spread1}}")));
    // The same figure in the first version's own lesson.
    const QString equal = times.fill("{{reduce.v1+data order1-spread0}}");
    QVERIFY(text.contains(equal));
    window->teach().choose("reduce.v1");
    QVERIFY2(lesson.toPlainText().contains(equal + " µs on shuffled ones"), qPrintable(equal));
  }

  void aLessonSetsUpItsExperiment() {
    auto window = teaching("faithful.csv", 3, "classify.v3");
    LessonView& lesson = window->teach().lesson();
    QTRY_VERIFY(lesson.isVisible());
    const QTextCursor link = lesson.document()->find(QStringLiteral("Set up this experiment"));
    QVERIFY(!link.isNull());
    QTextCursor begin(lesson.document());
    begin.setPosition(link.selectionStart() + 1);
    lesson.setTextCursor(begin);
    lesson.ensureCursorVisible();
    QTest::mouseClick(lesson.viewport(), Qt::LeftButton, {}, lesson.cursorRect(begin).center());
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 4096, 20000);
    QCOMPARE(window->session().data()->d, 2);
    QCOMPARE(window->session().settings().k, 16);
    QCOMPARE(window->session().settings().selection.tuning.block, 0); // processors have no blocks
    QCOMPARE(window->teach().subject().tuning.block, 128);
    QCOMPARE(window->teach().subject().variant->id(), std::string("classify.v3"));
    QVERIFY(!window->session().playing());
    QVERIFY(counted(*window));
    QVERIFY(window->teach().trace().counts()->now.trace);
    // One that says nothing changes nothing.
    Q_EMIT lesson.setupAsked(QStringLiteral("blobs:n=4096;blok=3"));
    QCOMPARE(window->teach().subject().tuning.block, 128);
    QVERIFY(window->messageBar().isVisible());
    QVERIFY2(window->messageBar().text().contains("neither k nor a tuning parameter"),
             qPrintable(window->messageBar().text()));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestTeachRoom>(argc, argv); }
#include "tst_teach_room.moc"

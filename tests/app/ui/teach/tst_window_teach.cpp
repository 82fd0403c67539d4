// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/plot/share_bars.hpp"
#include "app/ui/teach/colour_by_bar.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/half_step_bar.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/measured/instruction_view.hpp"
#include "app/ui/teach/measured/wait_view.hpp"
#include "app/ui/teach/memory_view.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/teach_panel.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/teach/variant_chooser.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/tool_bar.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTextBlock>
#include <QToolButton>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

bool counted(MainWindow& window) {
  return QTest::qWaitFor([&] { return window.teach().trace().complete() && window.teach().trace().counts(); },
                         30000);
}

/// A window in Teach that waits before its first iteration.
std::unique_ptr<MainWindow> teaching(const std::string& data, int k, const std::string& id) {
  auto window = windowOn(data, k);
  window->session().pause();
  press(*window, ActionId::teach);
  window->teach().choose(id);
  return window;
}

int marked(const SourceView& source, DiffLine::Mark mark) {
  return static_cast<int>(std::count_if(source.rows().begin(), source.rows().end(),
                                        [&](const auto& row) { return row.mark == mark; }));
}

QString cell(const CounterModel& model, const QString& name, int column) {
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, 0).data() == name) return model.index(row, column).data().toString();
  return {};
}

} // namespace

/// One step of the algorithm, its source, and what it asks of memory.
class TestWindowTeach : public QObject {
  Q_OBJECT
private slots:
  void switchingKeepsThePictureAndTheRun() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    Viewport* view = window->viewport();
    QSignalSpy lost(view, &Viewport::lost);
    const QImage before = view->grabFramebuffer();
    const IterationPtr last = window->session().last();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(window->arrangement().workspace(), Workspace::teach);
    QVERIFY(counted(*window) && settles(*window));
    QVERIFY(inked(view->grabFramebuffer(), QColor("#101216")) > 500);
    QVERIFY(!window->bottom().isVisible());
    QVERIFY(window->teach().side()->isVisible() && window->teach().steps()->isVisible());
    QTest::keyClick(window.get(), Qt::Key_3, Qt::ControlModifier);
    QCOMPARE(window->arrangement().workspace(), Workspace::compare);
    QVERIFY(!window->bottom().isVisible() && !window->teach().side()->isVisible());
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    QVERIFY(settles(*window));
    QVERIFY(window->bottom().isVisible() && !window->teach().side()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(view->grabFramebuffer().size(), before.size(), 5000);
    QVERIFY(settles(*window));
    QVERIFY(difference(before, view->grabFramebuffer()) < 0.002);
    QCOMPARE(lost.count(), 0);
    QCOMPARE(window->session().last(), last);
    QVERIFY(window->session().converged());
  }

  void theSourceShowsWhatIsNew() {
    auto window = teaching("faithful.csv", 3, "classify.v3");
    SourceView& source = window->teach().source();
    QVERIFY(source.toPlainText().contains("classify_v3"));
    QVERIFY(marked(source, DiffLine::Mark::added) > 0);
    QVERIFY(marked(source, DiffLine::Mark::changed) > 0);
    QCOMPARE(marked(source, DiffLine::Mark::removed), 0);
    QCOMPARE(static_cast<int>(source.rows().size()), source.document()->blockCount());
    // The template line is what V3 is about, and it is on top of what is seen.
    const int top = source.cursorForPosition(QPoint(2, 2)).blockNumber();
    bool seen = false;
    for (int row = top; row < top + 5; ++row)
      seen = seen || source.document()->findBlockByNumber(row).text().startsWith("template <unsigned D");
    QVERIFY2(seen, qPrintable(source.document()->findBlockByNumber(top).text()));
    const auto blocks = source.document()->blockCount();
    press(*window, ActionId::ghostLines);
    QVERIFY(source.document()->blockCount() > blocks);
    QVERIFY(source.toPlainText().contains("maximumDimensions")); // V2's array
    QVERIFY(marked(source, DiffLine::Mark::removed) > 0);
    press(*window, ActionId::ghostLines);
    QCOMPARE(source.document()->blockCount(), blocks);
    const auto* difference = window->teach().side()->findChild<QLabel*>("difference");
    QVERIFY(difference && difference->text().contains("since V2"));
    window->teach().choose("classify.v1");
    QCOMPARE(marked(source, DiffLine::Mark::added), 0);
  }

  void oneIterationHasOneNumber() {
    auto window = windowOn("drift:n=2000,d=2,k=3", 3);
    press(*window, ActionId::teach);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().playing(), 20000);
    const auto* bar = window->findChild<ToolBar*>();
    const auto number = [](const QWidget& part) {
      static const QRegularExpression iteration(QStringLiteral("iteration ([0-9,]+)"));
      for (const QLabel* label : part.findChildren<QLabel*>())
        if (const auto found = iteration.match(label->text()); found.hasMatch()) return found.captured(1);
      return QString();
    };
    QStringList different;
    int seen = 0;
    QObject context;
    connect(&window->session(), &Session::iterated, &context, [&](const IterationPtr& result) {
      if (result->iteration == 0) return;
      ++seen;
      const QString expected = countText(static_cast<std::uint64_t>(result->iteration));
      const QString tools = number(*bar), teach = number(*window->teach().steps());
      if (tools != expected || teach != expected) different << tools + "/" + teach + "/" + expected;
    });
    QTRY_VERIFY_WITH_TIMEOUT(seen >= 12, 20000);
    QVERIFY2(different.isEmpty(), qPrintable(different.join(' ')));
  }

  void aButtonThatIsPressedLooksSo() {
    auto window = teaching("faithful.csv", 3, "classify.v3");
    QToolButton* ghosts = nullptr;
    for (QToolButton* button : window->teach().side()->findChildren<QToolButton*>())
      if (button->defaultAction() == window->actions()[ActionId::ghostLines]) ghosts = button;
    QVERIFY(ghosts);
    QTRY_VERIFY(ghosts->isVisible() && !ghosts->size().isEmpty());
    const auto accented = [&] {
      const QImage picture = ghosts->grab().toImage();
      const QRgb accent = UiTheme::current().accent.rgb();
      int count = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
          count += picture.pixel(x, y) == accent;
      return count > picture.width() * picture.height() / 3;
    };
    QVERIFY(!accented());
    press(*window, ActionId::ghostLines);
    QVERIFY(ghosts->isChecked() && accented());
    press(*window, ActionId::ghostLines);
    QVERIFY(!accented());
  }

  void noNumberOfACounterIsCut() {
    auto window = teaching("blobs:n=4000,d=2,k=4", 4, "reduce.v2");
    QVERIFY(counted(*window));
    for (const QTableView* table : window->teach().counters().findChildren<QTableView*>()) {
      if (!table->isVisible()) continue;
      for (int row = 0; row < table->model()->rowCount(); ++row)
        for (int column = 0; column < table->model()->columnCount(); ++column) {
          if (table->isColumnHidden(column) || table->isRowHidden(row)) continue;
          const QModelIndex index = table->model()->index(row, column);
          QVERIFY2(table->columnWidth(column) >= table->sizeHintForIndex(index).width(),
                   qPrintable(index.data().toString()));
        }
    }
  }

  void theCountersAreTheSimulators() {
    auto window = teaching("blobs:n=4000,d=2,k=4", 4, "reduce.v2");
    QVERIFY(counted(*window));
    const TeachWorkspace& teach = window->teach();
    QTRY_VERIFY_WITH_TIMEOUT(teach.trace().complete() && teach.trace().counts()->problem.n == 4000, 20000);
    const auto own = [&](const Variant* variant) {
      return simt::traceStage({.variant = variant,
                               .stage = Stage::reduce,
                               .problem = {4000, 2, 4},
                               .points = window->session().data()->values,
                               .centroids = window->session().last()->centroids,
                               .oldLabels = {},
                               .tuning = tuningParametersFor(*variant, {}),
                               .schedule = {},
                               .cancel = nullptr})
          .trace.counters;
    };
    const CounterModel& model = teach.counters().model();
    const simt::Counters now = own(teach.subject().variant), before = own(teach.subject().before);
    QVERIFY(now.barriers > before.barriers);
    QCOMPARE(cell(model, "barriers", CounterModel::nowColumn), countText(now.barriers));
    QCOMPARE(cell(model, "barriers", CounterModel::beforeColumn), countText(before.barriers));
    QCOMPARE(cell(model, "shared atomics", CounterModel::beforeColumn), countText(before.sharedAtomics));
    QVERIFY(cell(model, "barriers", CounterModel::differenceColumn).startsWith('+'));
    QVERIFY2(teach.counters().sentences().contains("V2: no race, no fault"),
             qPrintable(teach.counters().sentences()));
  }

  void theLaunchShapeOfBothIsNamed() {
    auto window = teaching("blobs:n=2000,d=2,k=4", 4, "reduce.v5");
    const auto text = [&](const char* name) {
      const auto* label = window->teach().counters().findChild<QLabel*>(QString::fromLatin1(name));
      return label && !label->isHidden() ? label->text() : QString();
    };
    QVERIFY(counted(*window));
    QTRY_VERIFY2(text("shape").startsWith("Both: block 128, D = 2, K = 4\n"), qPrintable(text("shape")));
    QCOMPARE(text("differences"), QString("Differs: items 16 here, none before"));
    window->teach().choose("reduce.v1");
    QTRY_VERIFY2(text("shape").startsWith("Block 512, D = 2, K = 4\n"), qPrintable(text("shape")));
    QVERIFY(text("differences").isEmpty());
  }

  void theMixOfInstructionsNeedsNoGpu() {
    auto window = teaching("blobs:n=500,d=8,k=4", 4, "distance.v4");
    window->resize(1440, 900);
    InstructionView& view = window->teach().counters().instructions();
    QVERIFY(!view.isHidden()); // before anything is counted
    QTRY_VERIFY(view.isVisible());
    QVERIFY(counted(*window));
    QCOMPARE(view.model().before().name, QString("V3"));
    QCOMPARE(view.model().now().name, QString("V4"));
    auto* bars = view.findChild<ShareBars*>();
    QVERIFY(bars && bars->accessibleDescription().contains("V4: "));
    // Both bars begin with what multiplies and adds, and say where it stands in the source.
    for (const int y : {bars->height() / 4, bars->height() * 3 / 4}) {
      int x = 0;
      while (x < bars->width() && bars->wordsAt({x, y}).isEmpty())
        ++x;
      QVERIFY2(bars->wordsAt({x, y}).contains("multiply-adds\n"), qPrintable(bars->wordsAt({x, y})));
      QVERIFY2(bars->wordsAt({x, y}).contains("line "), qPrintable(bars->wordsAt({x, y})));
    }
    QVERIFY(bars->wordsAt({-1, 2}).isEmpty());
    // No class is lost between the parts: the widths of each bar add up.
    int inside = 0;
    for (int x = 0; x < bars->width(); ++x)
      inside += bars->wordsAt({x, bars->height() / 4}).isEmpty() ? 0 : 1;
    QVERIFY(inside > bars->width() / 2);
    // Scrolled to, all of it is seen, and nothing beside the pane's edge.
    window->teach().counters().ensureWidgetVisible(&view);
    const auto* table = view.findChild<QTableView*>("mix");
    QVERIFY(table && !table->isColumnHidden(InstructionModel::beforeColumn));
    QVERIFY(table->width() <= window->teach().counters().viewport()->width());
    window->teach().choose("distance.v1");
    QVERIFY(view.isVisible() && table->isColumnHidden(InstructionModel::beforeColumn));
    window->teach().choose("cpu.v1");
    QVERIFY(!view.isVisible());
  }

  /// Both versions' warps, on one scale, beside what the article says of the later one.
  void whatWarpsWaitForNeedsNoGpu() {
    auto window = teaching("blobs:n=500,d=2,k=4", 4, "reduce.v5");
    window->resize(1440, 900);
    WaitView& view = window->teach().counters().waits();
    QTRY_VERIFY(view.isVisible());
    QCOMPARE(view.model().before().name, QString("V4"));
    QCOMPARE(view.model().now().name, QString("V5"));
    QVERIFY2(view.diagnosis().contains("Stall MIO Throttle") &&
                 view.diagnosis().contains("Here mio throttle takes "),
             qPrintable(view.diagnosis()));
    const auto* bars = view.findChild<ShareBars*>();
    QVERIFY(bars && bars->accessibleDescription().contains("V5: "));
    const auto widthAt = [&](int y) {
      int inside = 0;
      for (int x = 0; x < bars->width(); ++x)
        inside += bars->wordsAt({x, y}).isEmpty() ? 0 : 1;
      return inside;
    };
    const double ratio = view.model().now().waits->sum() / view.model().before().waits->sum();
    const int before = widthAt(bars->height() / 4), now = widthAt(bars->height() * 3 / 4);
    QVERIFY2(std::abs(now - ratio * before) <= 8,
             qPrintable(QStringLiteral("%1 of %2").arg(now).arg(before)));
    window->teach().choose("cpu.v1");
    QVERIFY(!view.isVisible());
  }

  void halvesAlternateAndGoBack() {
    auto window = teaching("blobs:n=2000,d=2,k=4", 4, "classify.v3");
    QVERIFY(QTest::qWaitFor([&] { return window->session().last() != nullptr; }, 20000));
    window->session().pause();
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration == 0, 20000);
    HalfStepBar& steps = window->teach().stepsBar();
    QVERIFY2(steps.nextText().startsWith("Classify"), qPrintable(steps.nextText()));
    QVERIFY(!steps.backButton().isEnabled());
    const std::vector<float> first = window->session().last()->centroids;
    steps.nextButton().click();
    QTRY_VERIFY_WITH_TIMEOUT(steps.nextText().startsWith("Update"), 20000);
    QCOMPARE(window->session().last()->centroids, first);
    steps.nextButton().click();
    QTRY_VERIFY_WITH_TIMEOUT(steps.nextText().startsWith("Classify"), 20000);
    QVERIFY(window->session().last()->centroids != first);
    QTRY_VERIFY(steps.backButton().isEnabled());
    steps.backButton().click();
    QTRY_VERIFY_WITH_TIMEOUT(steps.nextText().startsWith("Update"), 20000);
    QCOMPARE(window->session().last()->centroids, first);
    QVERIFY(!window->session().playing());
  }

  void onTheCpuAButtonOffersTheSimulator() {
    auto window = teaching("blobs:n=3000,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    const VariantChooser& chooser = window->teach().chooser();
    QTRY_VERIFY2(chooser.use().contains("iterated by cpu."), qPrintable(chooser.use()));
    QPushButton* offer = nullptr;
    for (QPushButton* button : chooser.findChildren<QPushButton*>())
      if (button->isVisible()) offer = button;
    QVERIFY(offer);
    offer->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->session().simulated(), 20000);
    QTRY_VERIFY_WITH_TIMEOUT(
        window->session().plan().classify && window->session().plan().classify->id() == "classify.v3", 20000);
    QTRY_VERIFY2(chooser.use().contains("with this kernel"), qPrintable(chooser.use()));
    QVERIFY(!offer->isVisible());
    QVERIFY(chooser.findChild<QLabel*>("figures")->text().contains("simulated"));
    // Now a variant that is chosen is also the one that runs.
    press(*window, ActionId::nextVariant);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().plan().classify->id(), std::string("classify.v4"), 20000);
    QCOMPARE(window->teach().subject().variant->id(), std::string("classify.v4"));
  }

  void noButtonIsOfferedThatCouldNotHelp() {
    auto window = teaching("uniform:n=2000,d=4", 4, "classify.v3");
    const VariantChooser& chooser = window->teach().chooser();
    QTRY_VERIFY2(chooser.use().contains("iterated by cpu."), qPrintable(chooser.use()));
    QVERIFY2(chooser.use().contains("dimensions"), qPrintable(chooser.use()));
    for (const QPushButton* button : chooser.findChildren<QPushButton*>())
      QVERIFY(!button->isVisible());
  }

  void aVariantThatCannotRunHereIsShownWithItsReason() {
    auto window = teaching("uniform:n=2000,d=4", 4, "classify.v2");
    Settings settings = window->session().settings();
    settings.backend = BackendRequest::simt;
    window->session().setSettings(settings);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().simulated() && window->session().plan().classify, 20000);
    window->teach().choose("classify.v3");
    QVERIFY2(window->teach().chooser().use().contains("The points are iterated by classify."),
             qPrintable(window->teach().chooser().use()));
    QVERIFY(counted(*window));
    QTRY_VERIFY2(window->teach().counters().sentences().contains("was not counted"),
                 qPrintable(window->teach().counters().sentences()));
    QVERIFY(window->session().plan().classify->id() != "classify.v3");
    // The head line speaks of the one version that was launched.
    const QString shape = window->teach().counters().findChild<QLabel*>(QStringLiteral("shape"))->text();
    QVERIFY2(shape.startsWith("V2 alone, since V3 was not launched. Block "), qPrintable(shape));
  }

  void pointsAreColouredByTheThreadsThatHandleThem() {
    auto window = teaching("blobs:n=3000,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    Viewport* view = window->viewport();
    for (const ActionId id : {ActionId::colourThread, ActionId::colourWarp, ActionId::colourBlock}) {
      press(*window, id);
      QTRY_VERIFY_WITH_TIMEOUT(view->groups() && window->teach().colours().legend().startsWith("colour ="),
                               20000);
      QCOMPARE(view->groups()->size(), std::size_t{3000});
    }
    QVERIFY(window->teach().colours().legend().contains("block"));
    press(*window, ActionId::explore);
    QVERIFY(!view->groups());
    press(*window, ActionId::teach);
    QTRY_VERIFY_WITH_TIMEOUT(view->groups() != nullptr, 20000);
    // Another stage hands points to threads in another way, and update to none.
    window->teach().choose("update.v1");
    QTRY_VERIFY_WITH_TIMEOUT(!view->groups() && window->teach().colours().legend().contains("clusters"),
                             20000);
  }

  void whatChangedIsWhatTheIterationCounted() {
    auto window = teaching("blobs:n=3000,d=2,k=6", 6, "classify.v3");
    QVERIFY(QTest::qWaitFor([&] { return window->session().last() != nullptr; }, 20000));
    press(*window, ActionId::restart);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration == 0, 20000);
    press(*window, ActionId::colourChanged);
    QVERIFY2(window->teach().colours().legend().contains("step"),
             qPrintable(window->teach().colours().legend()));
    for (int iteration = 1; iteration <= 3; ++iteration) {
      press(*window, ActionId::step);
      QTRY_COMPARE_WITH_TIMEOUT(window->session().last()->iteration, iteration, 20000);
      const auto groups = window->viewport()->groups();
      QVERIFY(groups);
      const auto changed = static_cast<std::uint64_t>(std::count(groups->begin(), groups->end(), 1));
      QVERIFY(window->session().last()->changed.has_value());
      QCOMPARE(changed, *window->session().last()->changed);
    }
    const auto third = window->viewport()->groups();
    press(*window, ActionId::halfStep); // classifies a fourth time
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->groups() != third, 20000);
    const auto fourth = window->viewport()->groups();
    press(*window, ActionId::stepBack);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->iteration == 3, 20000);
    QCOMPARE(*window->viewport()->groups(), *third);
    press(*window, ActionId::halfStep);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->iteration == 4, 20000);
    QCOMPARE(*window->viewport()->groups(), *fourth);
  }

  void noPanelIsEmpty() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v1");
    const TeachWorkspace& teach = window->teach();
    for (const Stage stage : taughtStages()) {
      for (const Variant* variant : taughtVariants(stage)) {
        window->teach().choose(stage, *variant);
        QVERIFY(counted(*window));
        const char* id = variant->info.name.data();
        QVERIFY2(teach.source().document()->blockCount() > 10, id);
        QVERIFY2(teach.lesson().toPlainText().contains(QString::fromStdString(variant->id())), id);
        QVERIFY2(teach.lesson().toPlainText().size() > 300, id);
        const bool counts =
            cell(teach.counters().model(), "global loads", CounterModel::nowColumn) != unknownText();
        const bool taken =
            variant->id() != "fused.v4"; // which takes no fewer than four dimensions, and says so
        QVERIFY2(counts == (taken && isCounted(*variant, stage)), id);
        const char* why = !taken                 ? "4 to 16 dimensions"
                          : stage == Stage::sets ? "the host's order of work"
                                                 : "processors";
        if (!counts) QVERIFY2(teach.counters().sentences().contains(why), id);
        // Nothing but dashes is no table.
        const auto* const table = teach.counters().findChild<QTableView*>("asked");
        QVERIFY2(table && (!counts || !table->isHidden()), id);
        QVERIFY2(stage != Stage::sets || table->isHidden(), id);
        QVERIFY2(!teach.counters().sentences().isEmpty() && !teach.chooser().use().isEmpty(), id);
      }
    }
    QVERIFY(!window->teach().step(1)); // the last of its stage
  }

  void everyLessonCanBeOpened() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v1");
    const QStringList lessons = QDir(QStringLiteral(":/lessons")).entryList({"*.md"});
    QVERIFY(lessons.size() >= 27);
    for (const QString& file : lessons) {
      if (file == "data.md" || file == "words.md") continue; // of no variant: links lead there
      QVERIFY2(window->teach().choose(file.chopped(3).toStdString()), qPrintable(file));
      QFile lesson(QStringLiteral(":/lessons/") + file);
      QVERIFY(lesson.open(QIODevice::ReadOnly));
      const QString title = QString::fromUtf8(lesson.readLine()).mid(2).trimmed();
      QVERIFY2(window->teach().lesson().toPlainText().startsWith(title), qPrintable(file));
    }
  }

  void aLinkLeadsToTheLessonOnDataAndBack() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "reduce.v3");
    LessonView& lesson = window->teach().lesson();
    window->resize(1440, 900);
    QTRY_VERIFY(lesson.isVisible());
    const QString before = lesson.toPlainText();
    QVERIFY(before.startsWith("reduce.v3"));
    const auto click = [&](const QString& text) {
      const QTextCursor link = lesson.document()->find(text);
      if (link.isNull()) return;
      QTextCursor begin(lesson.document());
      begin.setPosition(link.selectionStart() + 1);
      lesson.setTextCursor(begin);
      lesson.ensureCursorVisible();
      QTest::mouseClick(lesson.viewport(), Qt::LeftButton, {}, lesson.cursorRect(begin).center());
    };
    click("what the data do");
    QVERIFY2(lesson.toPlainText().contains("What the data do to a reduction"),
             qPrintable(lesson.toPlainText()));
    QVERIFY(!lesson.toPlainText().contains("{{") && !lesson.toPlainText().contains("Not measured"));
    click("Back to reduce.v3");
    QCOMPARE(lesson.toPlainText(), before);
    click("what the data do");
    QVERIFY(window->teach().choose("reduce.v4")); // another variant has its own lesson first
    QVERIFY(lesson.toPlainText().startsWith("reduce.v4"));
  }

  void everySizeHasRoomForEverything() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "reduce.v7");
    QVERIFY(counted(*window));
    for (const QSize size : {QSize(1024, 700), QSize(1440, 900), QSize(1900, 1000)}) {
      window->resize(size);
      QTest::qWait(150);
      QTest::qWait(150);
      QVERIFY(window->viewport()->width() >= 300 && window->viewport()->height() >= 250);
      auto* tabs = window->teach().side()->findChild<QTabWidget*>("teachTabs");
      QCOMPARE(tabs->isVisible(), size.width() == 1024);
      QVERIFY(window->teach().source().width() >= 400);
      if (!tabs->isVisible()) {
        QVERIFY(window->teach().lesson().isVisible() && window->teach().counters().isVisible());
        const CounterTable& counters = window->teach().counters();
        QVERIFY2(counters.widget()->width() <= counters.viewport()->width(),
                 qPrintable(QStringLiteral("%1 of %2 (%3, %4)")
                                .arg(counters.widget()->width())
                                .arg(counters.viewport()->width())
                                .arg(counters.wantedWidth())
                                .arg(window->teach().side()->width())));
      } else {
        QCOMPARE(tabs->count(), 3);
        tabs->setCurrentIndex(2);
        QVERIFY(window->teach().lesson().isVisible());
        tabs->setCurrentIndex(0);
      }
    }
  }

  void presentingKeepsTheSourceAndHidesTheRest() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    press(*window, ActionId::present);
    QTRY_VERIFY(!window->statusLine().isVisible());
    QVERIFY(window->teach().source().isVisible() && window->teach().steps()->isVisible());
    press(*window, ActionId::endPresent);
    QTRY_VERIFY(window->statusLine().isVisible());
    QVERIFY(window->teach().source().isVisible() && !window->bottom().isVisible());
  }

  void panelsAreEachWorkspacesOwn() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QAction* side = window->actions()[ActionId::sidePanel];
    const auto sideShown = [&] { return window->findChild<QDockWidget*>("side")->isVisible(); };
    QVERIFY(!side->isChecked() && !sideShown());
    press(*window, ActionId::sidePanel);
    QVERIFY(sideShown());
    press(*window, ActionId::bottomPanel); // the lesson goes, not the ladder
    QVERIFY(!window->teach().lesson().isVisible());
    press(*window, ActionId::explore);
    QVERIFY(side->isChecked() && sideShown() && window->bottom().isVisible());
    press(*window, ActionId::sidePanel);
    press(*window, ActionId::teach);
    QVERIFY(side->isChecked() && sideShown() && !window->teach().lesson().isVisible());
  }

  /// A badge, or Return on its line, shows each request; counts of another state are followed.
  void aBadgeShowsItsRequests() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    SourceView& source = window->teach().source();
    const MemoryView& memory = window->teach().memory();
    QVERIFY(!memory.isVisible() && !window->teach().requests().found());
    QTextCursor cursor = source.document()->find(QStringLiteral("points[j * stride + i]"));
    QVERIFY(!cursor.isNull());
    source.setTextCursor(cursor);
    QTest::keyClick(&source, Qt::Key_Return);
    QVERIFY(memory.isVisible());
    QVERIFY(memory.line().text.contains("points[j * stride + i]"));
    const auto shown = [&] { return window->teach().requests().complete() && !memory.requests().empty(); };
    QVERIFY(QTest::qWaitFor(shown, 20000));
    QCOMPARE(memory.requests().size(), std::size_t{2});
    QVERIFY2(memory.sentence().contains("4 sectors of points: all of them are used"),
             qPrintable(memory.sentence()));
    const auto first = window->teach().requests().found();
    press(*window, ActionId::step);
    QTRY_VERIFY_WITH_TIMEOUT(window->teach().requests().found() != first && shown(), 30000);
    window->teach().choose("classify.aos");
    QVERIFY(memory.requests().empty() && memory.line().line == 0);
  }

  void everyControlIsReachedAndNamed() {
    auto window = teaching("blobs:n=1500,d=2,k=4", 4, "classify.v3");
    QVERIFY(counted(*window));
    const TeachWorkspace& teach = window->teach();
    int controls = 0;
    for (QWidget* part : {teach.side(), teach.above(), teach.steps()}) {
      for (const auto* button : part->findChildren<QAbstractButton*>()) {
        if (!button->isVisible()) continue;
        if (button->objectName().startsWith("qt_")) continue; // Qt's own
        if (qobject_cast<const QTabWidget*>(button->parentWidget())) continue;
        QVERIFY2(!(button->accessibleName() + button->text()).isEmpty(), button->metaObject()->className());
        QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->text()));
        QVERIFY2(button->focusPolicy() & Qt::TabFocus, qPrintable(button->text()));
        ++controls;
      }
      for (const auto* box : part->findChildren<QComboBox*>())
        QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(box->objectName()));
    }
    QVERIFY(controls >= 13);
    const double before = teach.source().font().pointSizeF();
    QVERIFY(before >= 11 && teach.lesson().font().pointSizeF() >= 11);
    press(*window, ActionId::largerText);
    QVERIFY(teach.source().font().pointSizeF() > before);
    QVERIFY(teach.counters().widget()->font().pointSizeF() > before);
    press(*window, ActionId::theme); // takes nothing of it back
    QVERIFY(teach.source().font().pointSizeF() > before);
    press(*window, ActionId::theme);
    press(*window, ActionId::smallerText);
    QCOMPARE(teach.source().font().pointSizeF(), before);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowTeach>(argc, argv); }
#include "tst_window_teach.moc"

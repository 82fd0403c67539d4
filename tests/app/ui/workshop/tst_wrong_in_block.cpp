// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/broken_kernels.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/teach/block/block_view.hpp"
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/teach/variant_chooser.hpp"
#include "app/ui/window/actions/workshop_actions.hpp"
#include "app/ui/workshop/bug_dialog.hpp"
#include "app/ui/workshop/kernel_folders.hpp"
#include "app/ui/workshop/workshop_window.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/cli/program.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include <memory>
#include <utility>

using namespace lloyd;

namespace {

QPushButton* buttonOf(const QWidget& window, const QString& word) {
  for (QPushButton* button : window.findChildren<QPushButton*>())
    if (button->text().contains(word)) return button;
  return nullptr;
}

BrokenKernel brokenKernel(const QString& name) {
  for (const BrokenKernel& kernel : brokenKernels())
    if (kernel.name == name) return kernel;
  return {};
}

/// Of a dialog that asks where to save.
QString proposed(const QFileDialog& dialog) { return QFileInfo(dialog.selectedFiles().value(0)).fileName(); }

/// What the kernel that is shown asked.
QString cellOf(const CounterTable& table, const QString& name) {
  const QAbstractItemModel* model = table.findChild<QTableView*>("asked")->model();
  for (int row = 0; row < model->rowCount(); ++row)
    if (model->index(row, CounterModel::nameColumn).data() == name)
      return model->index(row, CounterModel::nowColumn).data().toString();
  return {};
}

/// The program's window in Teach, and a kernel with a bug in the workshop.
struct Taught {
  QTemporaryDir folder;
  std::unique_ptr<MainWindow> main = test::windowOn("blobs:n=3000,d=2,k=4", 4);
  WorkshopActions actions{main->actions(), main->session(), main->teach(), programPath(), main.get()};
  QString file;

  explicit Taught(const QString& name) : file(folder.filePath(name)) {}

  [[nodiscard]] WorkshopWindow& window() { return *actions.workshop(); }
  [[nodiscard]] TeachWorkspace& teach() { return main->teach(); }
  [[nodiscard]] QPushButton& button() { return *buttonOf(window(), "Block"); }
  [[nodiscard]] bool tried() {
    return QTest::qWaitFor(
        [&] { return window().verdict().contains(" s)") && !actions.findChild<OwnKernels*>()->running(); },
        60000);
  }
  [[nodiscard]] bool begins(const QString& text) {
    KernelFolders::allow(file);
    if (!test::converges(*main) || !writeFile(file, text.toUtf8())) return false;
    actions.open(file);
    return !button().isEnabled() && tried();
  }
  /// By its mnemonic, and waits for the block's steps.
  [[nodiscard]] bool showsBlock() {
    window().activateWindow();
    if (!QTest::qWaitForWindowActive(&window())) return false;
    QTest::keyClick(&window(), Qt::Key_B, Qt::AltModifier);
    return QTest::qWaitFor(
        [&] { return teach().showsWrong() && teach().block().isVisible() && teach().block().step() > 0; },
        30000);
  }
  /// Whether the buttons offer a step back and one on.
  [[nodiscard]] std::pair<bool, bool> offered() {
    const auto button = [this](const char* name) {
      return teach().chooser().findChild<QToolButton*>(name)->isEnabled();
    };
    return {button("previousVariant"), button("nextVariant")};
  }
  [[nodiscard]] bool saves(const QString& text) {
    window().editor().setPlainText(text);
    return window().save() && QTest::qWaitFor([&] { return !window().verdict().contains(" s)"); }, 10000) &&
           tried();
  }
};

} // namespace

/// From a kernel that is named wrong to its steps in Teach, and back to one that is right.
class TestWrongInBlock : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;

private Q_SLOTS:
  void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

  void aRaceIsShownInBlockAndItsRepairTakesOver() {
    const BrokenKernel broken = brokenKernel("overwritten_slots");
    QVERIFY(!broken.name.isEmpty());
    Taught taught("raced.cu");
    QVERIFY(taught.begins(broken.text));
    QVERIFY2(taught.window().verdict().startsWith("reduce.raced has a race: "),
             qPrintable(taught.window().verdict()));
    QVERIFY(taught.button().isEnabled());
    const QString verdict = taught.window().verdict();
    const std::size_t variants = Registry::instance().all().size();
    const Plan plan = taught.main->session().plan();
    QVERIFY(taught.showsBlock());
    QCOMPARE(taught.window().verdict(), verdict);

    // Both lines that the verdict names, as the person's file has them, are the race's.
    const TeachSubject wrong = taught.teach().subject();
    QCOMPARE(QString::fromStdString(wrong.variant->id()), QString("reduce.raced (wrong)"));
    const BlockView& block = taught.teach().block();
    QVERIFY(block.race() && !block.race()->sameValue);
    const SourceText source = sourceOf(*wrong.variant);
    const QStringList lines = broken.text.split('\n');
    QCOMPARE(block.lines().size(), 2);
    for (const int line : block.lines()) {
      QVERIFY2(verdict.contains(QString("raced.cu:%1").arg(line)), qPrintable(QString::number(line)));
      QVERIFY2(block.sentence().contains(QString("at line %1 ").arg(line)), qPrintable(block.sentence()));
      QCOMPARE(source.lines[line - 1], lines[line - 1]);
    }
    // It is in no list, nothing iterates with it, and what is told of the run does not name it.
    QCOMPARE(Registry::instance().all().size(), variants);
    QVERIFY(!Registry::instance().find("reduce.raced (wrong)") && !Registry::instance().find("reduce.raced"));
    QCOMPARE(taught.main->session().plan().of(Stage::reduce), plan.of(Stage::reduce));
    QVERIFY2(taught.teach().chooser().use().startsWith("This version is wrong"),
             qPrintable(taught.teach().chooser().use()));
    QVERIFY(!taught.main->commandLine().contains("raced"));
    // Whatever the run does meanwhile.
    Settings settings = taught.main->session().settings();
    settings.k = 5;
    taught.main->session().setSettings(settings);
    QVERIFY(test::converges(*taught.main));
    QCOMPARE(taught.teach().subject(), wrong);
    QCOMPARE(taught.teach().trace().ownInput()->problem.k, 16);

    QVERIFY(taught.saves(broken.repair.applied(broken.text)));
    QVERIFY2(taught.window().verdict().startsWith("reduce.raced is right."),
             qPrintable(taught.window().verdict()));
    QVERIFY(!taught.button().isEnabled());
    QVERIFY(!taught.teach().showsWrong());
    QCOMPARE(taught.teach().subject().variant, Registry::instance().find("reduce.raced"));
    QVERIFY(taught.main->commandLine().contains("reduce.raced"));
  }

  /// Its comment is no lesson that asks.
  void countersOfAKernelWithoutQuestionsAreNotHidden() {
    Taught taught("mine.cu");
    taught.main->actions()[ActionId::hideCounters]->setChecked(true);
    taught.main->actions()[ActionId::teach]->trigger();
    const BrokenKernel broken = brokenKernel("missing_barrier");
    QVERIFY(taught.begins(broken.repair.applied(broken.text)));
    QVERIFY2(taught.window().verdict().startsWith("reduce.mine is right."),
             qPrintable(taught.window().verdict()));
    taught.teach().use(Stage::reduce, *Registry::instance().find("reduce.mine"));
    const auto shown = [&] { return cellOf(taught.teach().counters(), "lines executed"); };
    QTRY_VERIFY_WITH_TIMEOUT(shown().toDouble() > 0 || shown().contains(u','), 30000);
    QVERIFY(taught.teach().lookAt("reduce.v1"));
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QString("?"), 30000);
  }

  /// Whoever cancels keeps everything.
  void theWindowAsksBeforeItCloses() {
    Taught taught("mine.cu");
    KernelFolders::allow(taught.file);
    QVERIFY(writeFile(taught.file, brokenKernel("missing_barrier").text.toUtf8()));
    WorkshopActions& actions = taught.main->workshop();
    actions.open(taught.file);
    actions.workshop()->editor().insertPlainText(" ");
    const auto closes = [&](QMessageBox::StandardButton answer) {
      QTimer::singleShot(0, [answer] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(box && box->text().contains("mine.cu"));
        box->button(answer)->click();
      });
      return taught.main->close();
    };
    QVERIFY(!closes(QMessageBox::Cancel));
    QVERIFY(taught.main->isVisible() && actions.workshop()->isVisible());
    QVERIFY(closes(QMessageBox::Discard));
    QVERIFY(!taught.main->isVisible() && !actions.workshop()->isVisible());
  }

  /// A thread that comes too early faults; the race that let it is what is to be seen.
  void theRaceBehindAFaultIsShownInBlockAndHarmsNothing() {
    Taught taught("faulty.cu");
    QVERIFY(taught.begins(brokenKernel("missing_barrier").text));
    const QString verdict = taught.window().verdict();
    QVERIFY2(verdict.contains("blockSum, to which no thread of the block has stored yet") &&
                 verdict.contains(": a race, for thread "),
             qPrintable(verdict));
    QVERIFY(taught.button().isEnabled());
    QVERIFY(taught.showsBlock());
    const BlockView& block = taught.teach().block();
    QVERIFY2(block.race() && block.sentence().contains("A race on word 0 of blockSum"),
             qPrintable(block.sentence()));
    QCOMPARE(block.lines().size(), 2);
    for (const int line : block.lines())
      QVERIFY2(verdict.contains(QString("faulty.cu:%1").arg(line)), qPrintable(verdict));
    // Another wrong version takes its place, and one that does not compile leaves it there.
    const Variant* first = taught.teach().subject().variant;
    const QString text = taught.window().editor().toPlainText();
    QVERIFY(taught.saves(text + "// the same again\n"));
    QTRY_VERIFY_WITH_TIMEOUT(taught.teach().subject().variant != first, 30000);
    QVERIFY(taught.teach().showsWrong());
    QTRY_VERIFY_WITH_TIMEOUT(block.sentence().contains("A race on word 0 of blockSum"), 30000);
    const Variant* second = taught.teach().subject().variant;
    taught.window().editor().setPlainText(text + "int\n");
    QVERIFY(taught.window().save());
    QTRY_VERIFY_WITH_TIMEOUT(taught.window().verdict().startsWith("The compiler refuses it"), 30000);
    QVERIFY(!taught.button().isEnabled());
    QCOMPARE(taught.teach().subject().variant, second);
    // The session goes on with its own.
    taught.main->session().setSettings(taught.main->session().settings());
    QVERIFY(test::converges(*taught.main));
    QVERIFY(!Registry::instance().find("reduce.faulty"));
  }

  /// A schedule may be a *.cpp too.
  void aBugIsChosenAndSavedAsKernelsAndSchedulesAre() {
    const auto main = test::windowOn("blobs:n=3000,d=2,k=4", 4);
    main->actions()[ActionId::findBug]->trigger();
    auto* const bugs = main->findChild<BugDialog*>();
    QVERIFY(bugs && bugs->isVisible());
    bugs->accept();
    auto* const saving = main->findChild<QFileDialog*>();
    QVERIFY(saving && saving->isVisible());
    QCOMPARE(saving->nameFilters(), QStringList("Kernels and schedules (*.cu *.cpp)"));
    QCOMPARE(saving->defaultSuffix(), QString("cu"));
    QCOMPARE(proposed(*saving), QString("find_the_bug_1.cu"));
    saving->reject();
  }

  /// Which is host code.
  void aScheduleIsSavedAsOne() {
    const auto main = test::windowOn("blobs:n=3000,d=2,k=4", 4);
    main->actions()[ActionId::findBug]->trigger();
    auto* const bugs = main->findChild<BugDialog*>();
    QVERIFY(bugs && bugs->isVisible());
    auto* const list = bugs->findChild<QTreeWidget*>();
    for (int row = 0; row < list->topLevelItemCount(); ++row)
      if (list->topLevelItem(row)->text(0) == brokenKernel("empty_wait").title)
        list->setCurrentItem(list->topLevelItem(row));
    QCOMPARE(bugs->chosen().name, QString("empty_wait"));
    bugs->accept();
    const auto* saving = main->findChild<QFileDialog*>();
    QVERIFY(saving && saving->isVisible());
    QCOMPARE(saving->defaultSuffix(), QString("cpp"));
    QCOMPARE(proposed(*saving), QStringLiteral("find_the_bug_%1.cpp").arg(bugs->number()));
    delete saving;
    // So is a copy of one that is right; a kernel's is not.
    for (const auto& [id, name] : {std::pair("schedule.multi", "my_schedule_multi.cpp"),
                                   std::pair("classify.v3", "my_classify_v3.cu")}) {
      QVERIFY(main->teach().lookAt(id));
      main->actions()[ActionId::editKernel]->trigger();
      const auto* copy = main->findChild<QFileDialog*>();
      QVERIFY(copy && copy->isVisible());
      QCOMPARE(proposed(*copy), QString(name));
      delete copy;
    }
  }

  /// It is in no list, so a step begins where its original stands.
  void aStepFromAWrongKernelGoesToItsOriginalsNeighbours() {
    Taught taught("raced.cu");
    QVERIFY(taught.begins(brokenKernel("overwritten_slots").text)); // of reduce.v3
    for (const auto& [direction, id] : {std::pair(1, "reduce.v4"), std::pair(-1, "reduce.v2")}) {
      QVERIFY(taught.teach().lookAt("cpu.v2", "reduce")); // the last of its stage
      QCOMPARE(taught.offered(), std::pair(true, false));
      QVERIFY(taught.showsBlock());
      QCOMPARE(taught.offered(), std::pair(true, true));
      QCOMPARE(taught.teach().listed().id(), std::string("reduce.v3"));
      QVERIFY(taught.teach().step(direction));
      QCOMPARE(taught.teach().subject().variant->id(), std::string(id));
      QVERIFY(!taught.teach().showsWrong());
    }
    // What does not say of what it is a copy takes the place of what was shown before.
    QVERIFY(
        taught.saves(brokenKernel("overwritten_slots").text.replace(".tag = \"v3\"", ".tag = \"other\"")));
    QVERIFY(taught.teach().lookAt("reduce.v5"));
    QVERIFY(taught.showsBlock());
    QCOMPARE(taught.teach().listed().id(), std::string("reduce.v5"));
    QVERIFY(taught.teach().step(1));
    QCOMPARE(taught.teach().subject().variant->id(), std::string("reduce.v6"));
  }

  /// Whether its fault is met between barriers or at one.
  void whatAWrongKernelAskedIsCountedUpToItsFault_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("between barriers") << "missing_barrier"; // of reduce.v1
    QTest::newRow("at a barrier") << "divergent_barrier";   // of classify.v3
  }
  void whatAWrongKernelAskedIsCountedUpToItsFault() {
    QFETCH(QString, name);
    Taught taught("faulty.cu");
    QVERIFY(taught.begins(brokenKernel(name).text));
    QVERIFY(taught.showsBlock());
    CounterTable& table = taught.teach().counters();
    const std::shared_ptr<const TeachCounts> counts = taught.teach().trace().counts();
    QVERIFY(counts && counts->now.trace && !counts->now.trace->faults.empty());
    const simt::Counters& asked = counts->now.trace->counters;
    QVERIFY(asked.globalLoadRequests + asked.sharedRequests > 0 && asked.warpLines > 0);
    QVERIFY2(table.sentences().contains("the numbers are what was asked until then"),
             qPrintable(table.sentences()));
    QCOMPARE(cellOf(table, "lines executed"), countText(asked.warpLines));
    // What is marked in the source is what the verdict names.
    const BlockView& block = taught.teach().block();
    QVERIFY(!block.lines().isEmpty());
    for (const int line : block.lines())
      QVERIFY2(taught.window().verdict().contains(QString("faulty.cu:%1").arg(line)),
               qPrintable(QString::number(line)));
    const auto* caption = table.findChild<QLabel*>("shape");
    QVERIFY2(caption->text().contains("2,000 points of the trial") &&
                 caption->text().endsWith(", up to its fault"),
             qPrintable(caption->text()));
    // Where nothing was asked, a nought would be no count.
    TeachCounts none = *counts;
    none.now.trace->counters = {};
    table.showCounts(none);
    QCOMPARE(cellOf(table, "lines executed"), unknownText());
    QVERIFY2(table.sentences().contains("there is nothing to count"), qPrintable(table.sentences()));
    // No step is offered where there is none.
    const bool first = taught.teach().listed().id() == "reduce.v1";
    QCOMPARE(taught.offered(), std::pair(!first, true));
    QCOMPARE(taught.teach().neighbour(-1) != nullptr, !first);
    // By key, from the tab that was turned to.
    taught.main->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(taught.main.get()));
    taught.main->actions()[ActionId::countersTab]->trigger();
    QVERIFY(taught.main->focusWidget());
    QTest::keyClick(taught.main->focusWidget(), Qt::Key_PageDown);
    QCOMPARE(QString::fromStdString(taught.teach().subject().variant->id()),
             QString(first ? "reduce.v2" : "classify.v4"));
  }

  void anotherFileTakesTheWrongKernelAway() {
    Taught taught("raced.cu");
    QVERIFY(taught.begins(brokenKernel("overwritten_slots").text));
    QVERIFY(taught.showsBlock());
    const BlockView& block = taught.teach().block();
    QVERIFY2(block.note().contains("the trial's own 2,000 points, D = 2, K = 16"), qPrintable(block.note()));
    // The exercise's own words, and not a lesson of another.
    QVERIFY2(taught.teach().lesson().toPlainText().contains("A tree whose clusters disturb each other"),
             qPrintable(taught.teach().lesson().toPlainText()));
    QVERIFY(!taught.teach().subject().before); // beside the right one the bug would be the line that differs
    const Variant* before = versionBefore(Stage::reduce, *taught.teach().subject().variant);
    QVERIFY(before);
    const Plan plan = taught.main->session().plan();
    const QString other = taught.folder.filePath("faulty.cu");
    QVERIFY(writeFile(other, brokenKernel("missing_barrier").text.toUtf8()));
    taught.actions.open(other);
    QVERIFY(!taught.teach().showsWrong());
    QCOMPARE(taught.teach().subject().variant, before);
    QVERIFY(block.note().isEmpty());
    QCOMPARE(taught.main->session().plan().of(Stage::reduce), plan.of(Stage::reduce));
    QVERIFY(taught.tried());
    QVERIFY(!taught.teach().showsWrong()); // until it is asked for
    // What is still being looked for when the file changes does not come either.
    QTRY_VERIFY_WITH_TIMEOUT(taught.button().isEnabled(), 30000);
    taught.button().click();
    taught.actions.open(taught.file);
    QVERIFY(taught.tried());
    QTest::qWait(1500);
    QVERIFY(!taught.teach().showsWrong());
  }

  /// Only where block 0 comes after another are its counts there already.
  void whatGoesWrongInAnotherOrderIsShownInThatOrder() {
    const QString original =
        QString::fromUtf8(readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/reduce/v1_atomics.cu")));
    QString text = original;
    text.replace("    blockCount[c] = 0;\n",
                 "    blockCount[c] = 0;\n"
                 "  if (blockIdx.x == 0 && threadIdx.x < k && atomicAdd(&counts[threadIdx.x], 0u) > 0)\n"
                 "    blockCount[k + 5] = 0;\n");
    QVERIFY(text != original);
    Taught taught("ordered.cu");
    QVERIFY(taught.begins(text));
    QVERIFY2(taught.button().isEnabled(), qPrintable(taught.window().verdict()));
    QVERIFY(taught.showsBlock());
    QVERIFY(taught.teach().trace().ownInput()->schedule.order == simt::Schedule::Order::reverse);
    QCOMPARE(taught.teach().subject().before, Registry::instance().find("reduce.v1"));
    const BlockView& block = taught.teach().block();
    QCOMPARE(block.block(), 0u);
    QVERIFY2(block.sentence().contains("uses index 21 of the shared array blockCount, which has 16 elements"),
             qPrintable(block.sentence()));
  }

  /// A sum of all blocks without an atomic. Where two blocks run at once here, an addition may be lost as on
  /// a card: then the verdict is on the sum, and the race stands below it.
  void aRaceOfBlocksIsShownInTheLaterBlock() {
    const QString original =
        QString::fromUtf8(readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/reduce/v1_atomics.cu")));
    QString text = original;
    text.replace("    atomicAdd(&counts[c], count);\n", "    counts[c] = counts[c] + count;\n");
    QVERIFY(text != original);
    Taught taught("lost.cu");
    QVERIFY(taught.begins(text));
    QString verdict = taught.window().verdict();
    if (verdict.startsWith("reduce.lost is wrong: ")) {
      const auto* findings = taught.window().findChild<QListWidget*>();
      for (int row = 0; row < findings->count(); ++row)
        if (findings->item(row)->text().contains(" has a race: ")) verdict = findings->item(row)->text();
    }
    QVERIFY2(verdict.contains(" has a race: global memory: "), qPrintable(verdict));
    QVERIFY(taught.showsBlock());
    const BlockView& block = taught.teach().block();
    QVERIFY2(block.race() && block.race()->other, qPrintable(block.sentence()));
    QVERIFY2(verdict.contains(QString(" of block %1 ").arg(block.block())), qPrintable(verdict));
    QVERIFY2(block.sentence().startsWith(QString("A race with block %1 on byte 0 of counts, cluster 0")
                                             .arg(block.race()->other->there.block)),
             qPrintable(block.sentence()));
    QCOMPARE(block.lines(),
             QList<int>{static_cast<int>(text.left(text.indexOf("counts[c] =")).count('\n')) + 1});
  }

  void whatEndsTheTrialIsNotShownInBlock() {
    Taught taught("crashing.cu");
    const QString text = QString::fromUtf8(
        readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/v3_unrolled_dimensions.cu")));
    QVERIFY(taught.begins(text));
    QVERIFY(!taught.button().isEnabled()); // right
    taught.window().editor().setPlainText(
        QString(text).replace("  float nearest = INFINITY;",
                              "  *reinterpret_cast<volatile int*>(8) = 1;\n  float nearest = INFINITY;"));
    QVERIFY(taught.window().save());
    QTRY_VERIFY2_WITH_TIMEOUT(taught.window().verdict().contains("brought its process down") ||
                                  taught.window().verdict().contains("Sanitizer"),
                              qPrintable(taught.window().verdict()), 60000);
    QVERIFY(!taught.button().isEnabled());
  }
};

QTEST_MAIN(TestWrongInBlock)
#include "tst_wrong_in_block.moc"

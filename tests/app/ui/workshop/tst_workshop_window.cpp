// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/version_ladder.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/model/workshop/broken_kernels.hpp"
#include "app/ui/workshop/bug_dialog.hpp"
#include "app/ui/workshop/workshop_window.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/cli/program.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>

using namespace lloyd;

namespace {

QByteArray originalText() {
  return readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/v3_unrolled_dimensions.cu"));
}

QPushButton* buttonOf(const QWidget& window, const QString& word) {
  for (QPushButton* button : window.findChildren<QPushButton*>())
    if (button->text().contains(word)) return button;
  return nullptr;
}

/// A file of one's own, opened in the window.
struct Opened {
  QTemporaryDir folder;
  OwnKernels kernels{programPath()};
  WorkshopWindow window{kernels, nullptr};
  QString file = folder.filePath("mine.cu");

  [[nodiscard]] bool begins() {
    if (!writeFile(file, originalText())) return false;
    QSignalSpy settled(&kernels, &OwnKernels::settled);
    window.open(file);
    window.show();
    return settled.wait(60000);
  }
  /// Replaces text in the editor, saves by the keyboard and waits for the verdict and what follows.
  [[nodiscard]] bool edits(const QString& from, const QString& to) {
    window.editor().setPlainText(window.editor().toPlainText().replace(from, to));
    window.editor().document()->setModified(true);
    QSignalSpy settled(&kernels, &OwnKernels::settled);
    window.activateWindow();
    window.editor().setFocus();
    if (!QTest::qWaitForWindowActive(&window)) return false;
    QTest::keyClick(&window.editor(), Qt::Key_S, Qt::ControlModifier);
    return settled.wait(60000);
  }
};

} // namespace

/// Editing a kernel: from a saved file to a verdict, in the window.
class TestWorkshopWindow : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void aSavedFileIsJudgedAndUsed() {
    Opened opened;
    QVERIFY(opened.begins());
    QVERIFY2(opened.window.windowTitle().endsWith("your kernel"), qPrintable(opened.window.windowTitle()));
    QVERIFY2(opened.window.verdict().startsWith("classify.mine is right."),
             qPrintable(opened.window.verdict()));
    const Variant* first = Registry::instance().find("classify.mine");
    QVERIFY(first);
    // Nothing is marked as changed in a copy of which nothing was.
    const Variant* original = versionBefore(Stage::classify, *first);
    QVERIFY(original && original->id() == "classify.v3");
    for (const DiffLine& line : compareSources(*first, original).lines)
      QVERIFY2(line.mark == DiffLine::Mark::same, qPrintable(QString::number(line.now + 1)));
    // It has its place on the ladder, with the times of its trial's race.
    const VersionLadder ladder = versionLadder({Stage::classify, first, original, {}}, {});
    QCOMPARE(ladder.rungs.at(ladder.here).variant, first);
    for (const auto& [variant, us] : ladder.rungs)
      QCOMPARE(us > 0, variant == first || variant == original);
    // Beside what a card did it has none, and is there all the same.
    const VersionLadder shipped =
        versionLadder({Stage::classify, original, versionBefore(Stage::classify, *original), {}}, {});
    QCOMPARE(shipped.rungs.back().variant, first);
    QVERIFY(std::isnan(shipped.rungs.back().us) && shipped.rungs.front().us > 0);
    QVERIFY(opened.edits("distance < nearest", "distance <= nearest - 0.0f && distance < nearest"));
    const Variant* second = Registry::instance().find("classify.mine");
    QVERIFY(second && second != first);
    QSignalSpy wanted(&opened.window, &WorkshopWindow::wanted);
    for (QPushButton* button : opened.window.findChildren<QPushButton*>())
      if (button->text().contains("Use")) QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][1].value<const Variant*>(), second);
  }

  void anErrorStandsAtItsLineAndTheLastGoodVersionStays() {
    Opened opened;
    QVERIFY(opened.begins());
    const Variant* good = Registry::instance().find("classify.mine");
    QVERIFY(opened.edits("float distance = 0;", "float distance = 0"));
    QVERIFY2(opened.window.verdict().contains("The compiler refuses it: line 45, column 23:"),
             qPrintable(opened.window.verdict()));
    QVERIFY(opened.window.verdict().contains("The last good version stays"));
    QCOMPARE(Registry::instance().find("classify.mine"), good);
    // What Teach shows of it is what was compiled, and not what lies on the disk now.
    QVERIFY(sourceOf(*good).lines.contains("    float distance = 0;"));
    QVERIFY(!sourceOf(*good).lines.contains("    float distance = 0"));
    QCOMPARE(opened.window.editor().textCursor().blockNumber(), 44);
    QVERIFY(!opened.window.editor().extraSelections().isEmpty());
    QVERIFY(opened.edits("float distance = 0", "float distance = 0;"));
    QVERIFY2(opened.window.verdict().startsWith("classify.mine is right."),
             qPrintable(opened.window.verdict()));
    QVERIFY(opened.window.editor().extraSelections().isEmpty());
  }

  void aWithdrawnVerdictLeavesNothingBehind() {
    Opened opened;
    QVERIFY(writeFile(opened.file, readFile(QStringLiteral(
                                       LLOYD_SOURCE_DIR "/gpu/kernels/classify/v5_unrolled_clusters.cu"))));
    QSignalSpy settled(&opened.kernels, &OwnKernels::settled);
    opened.window.open(opened.file);
    opened.window.show();
    QVERIFY(settled.wait(60000));
    QStringList remarks;
    QStringList verdicts;
    connect(&opened.kernels, &OwnKernels::tried, this, [&] {
      verdicts << opened.window.verdict();
      remarks << opened.window.remark();
    });
    QVERIFY(opened.edits("if constexpr (isCompiled<d, how>) {",
                         "static_assert(items != 8 || how != 2, \"not these\");\n"
                         "    if constexpr (isCompiled<d, how>) {"));
    QCOMPARE(verdicts.size(), 2);
    QVERIFY2(verdicts[0].startsWith("classify.mine is right."), qPrintable(verdicts[0]));
    QCOMPARE(remarks[0], QString("What its trial does not call is being compiled."));
    QVERIFY2(verdicts[1].contains("not these") && verdicts[1].contains("The last good version stays."),
             qPrintable(verdicts[1]));
    QStringList findings;
    const auto* list = opened.window.findChild<QListWidget*>();
    for (int row = 0; row < list->count(); ++row)
      findings << list->item(row)->text();
    QVERIFY2(findings.contains("The verdict is withdrawn: what its trial did not call is wrong"),
             qPrintable(findings.join('\n')));
    QVERIFY2(findings.filter("raced").isEmpty(), qPrintable(findings.join('\n')));
    // Using the version before hides none of that.
    QTest::mouseClick(buttonOf(opened.window, "Use"), Qt::LeftButton);
    opened.window.showUse("The run uses it.");
    QCOMPARE(opened.window.verdict(), verdicts[1]);
    QCOMPARE(opened.window.remark(), QString("The run uses it."));
  }

  /// A button that is off leaves its key to the text.
  void theKeyOfAButtonThatIsOffTypesNothing() {
    Opened opened;
    QVERIFY(opened.begins());
    const QString text = opened.window.editor().toPlainText();
    const QString verdict = opened.window.verdict();
    opened.window.activateWindow();
    opened.window.editor().setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&opened.window));
    QSignalSpy wanted(&opened.window, &WorkshopWindow::blockWanted);
    QVERIFY(!buttonOf(opened.window, "Block")->isEnabled());
    QVERIFY(opened.window.remark().isEmpty());
    QTest::keyClick(&opened.window.editor(), Qt::Key_B, Qt::AltModifier);
    QTest::keyClick(&opened.window.editor(), Qt::Key_X, Qt::AltModifier);
    QCOMPARE(opened.window.editor().toPlainText(), text);
    QCOMPARE(wanted.size(), 0);
    QVERIFY2(opened.window.remark().contains("this is right"), qPrintable(opened.window.remark()));
    QCOMPARE(opened.window.verdict(), verdict);
    QTest::keyClick(&opened.window.editor(), Qt::Key_B);
    QVERIFY(opened.window.editor().toPlainText() != text); // it is a letter all the same
    opened.window.editor().undo();
    // The reason is that of the last trial.
    QVERIFY(opened.edits("float distance = 0;", "float distance = 0"));
    QVERIFY(opened.window.remark().isEmpty());
    QTest::keyClick(&opened.window.editor(), Qt::Key_B, Qt::AltModifier);
    QVERIFY2(opened.window.remark().contains("does not compile"), qPrintable(opened.window.remark()));
    QVERIFY(opened.edits("float distance = 0", "float distance = 0;"));
    QVERIFY(opened.edits("if (distance < nearest)", "if (distance < nearest && c != 3)"));
    QVERIFY(buttonOf(opened.window, "Block")->isEnabled());
    QTest::keyClick(&opened.window.editor(), Qt::Key_B, Qt::AltModifier);
    QTRY_COMPARE(wanted.size(), 1); // the button is seen to be pressed first
    QVERIFY(opened.window.remark().isEmpty());
  }

  void aWrongKernelIsNamedWrongAndNotTaken() {
    Opened opened;
    QVERIFY(opened.begins());
    const Variant* good = Registry::instance().find("classify.mine");
    QVERIFY(opened.edits("if (distance < nearest)", "if (distance < nearest && c != 3)"));
    QVERIFY2(opened.window.verdict().startsWith("classify.mine is wrong: "),
             qPrintable(opened.window.verdict()));
    QCOMPARE(Registry::instance().find("classify.mine"), good);
  }

  void aBugIsFoundAndItsRepairShown() {
    Opened opened;
    const std::vector<BrokenKernel> all = brokenKernels();
    const auto broken = std::find_if(all.begin(), all.end(), [](const BrokenKernel& kernel) {
      return kernel.name == "overwritten_slots";
    });
    QVERIFY(broken != all.end());
    auto* const show = buttonOf(opened.window, "repair");
    auto* const findings = opened.window.findChild<QListWidget*>();
    QVERIFY(show && findings);
    QVERIFY(writeFile(opened.file, broken->text.toUtf8()));
    QSignalSpy tried(&opened.kernels, &OwnKernels::tried);
    opened.window.open(opened.file);
    opened.window.show();
    QVERIFY(tried.wait(30000));
    QVERIFY2(opened.window.verdict().startsWith("reduce.mine has a race: "),
             qPrintable(opened.window.verdict()));
    QVERIFY(!Registry::instance().find("reduce.mine"));
    // As a compiler's error does, it stands at its line.
    const int coloured = static_cast<int>(opened.window.editor().extraSelections().size());
    QVERIFY(coloured > 0);
    QCOMPARE(opened.window.editor().extraSelections().front().cursor.blockNumber(),
             opened.window.editor().textCursor().blockNumber());
    QVERIFY(opened.window.editor().textCursor().blockNumber() > 0);
    // Both lines of the race can be gone to.
    QList<int> lines;
    for (int row = 0; row < findings->count(); ++row) {
      if (!findings->item(row)->text().startsWith("line ")) continue;
      Q_EMIT findings->itemActivated(findings->item(row));
      lines << opened.window.editor().textCursor().blockNumber() + 1;
      QVERIFY2(opened.window.verdict().contains(":" + QString::number(lines.back())),
               qPrintable(opened.window.verdict()));
    }
    QCOMPARE(lines.size(), coloured);
    QVERIFY(show->isVisible());
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(findings->item(0)->text(), broken->repair.why);
    // All of it has more room than what a trial finds, and the text keeps some.
    QVERIFY(findings->height() > opened.window.height() / 3);
    QVERIFY(opened.window.editor().height() > opened.window.height() / 5);
    const QString first = findings->item(1)->text();
    QVERIFY2(first.contains("in the place of\n    for (unsigned half = ") &&
                 first.contains("\nwrite\n    __syncthreads();\n"),
             qPrintable(first));
    QCOMPARE(findings->count(), 1 + static_cast<int>(broken->repair.changes.size()));
    // And back to what was found.
    QTest::mouseClick(show, Qt::LeftButton);
    QVERIFY(std::any_of(lines.begin(), lines.end(), [&](int line) {
      return !findings->findItems(QStringLiteral("line %1: ").arg(line), Qt::MatchStartsWith).isEmpty();
    }));
    QTest::mouseClick(show, Qt::LeftButton);
    QCOMPARE(findings->item(0)->text(), broken->repair.why);
    for (const Replacement& change : broken->repair.changes) {
      if (&change == &broken->repair.changes.back())
        QVERIFY(opened.edits(change.from, change.to));
      else
        opened.window.editor().setPlainText(
            opened.window.editor().toPlainText().replace(change.from, change.to));
    }
    QVERIFY2(opened.window.verdict().startsWith("reduce.mine is right."),
             qPrintable(opened.window.verdict()));
    QVERIFY(findings->height() < opened.window.height() / 3);
    // Any other file has no repair.
    QVERIFY(writeFile(opened.file, originalText()));
    opened.window.open(opened.file);
    QVERIFY(!show->isVisible());
  }

  /// Two editors, or a tool, at one file.
  void whatAnotherProgramWroteIsNotLost() {
    Opened opened;
    QVERIFY(opened.begins());
    const QByteArray theirs = originalText() + "// theirs\n";
    opened.window.editor().appendPlainText("// mine");
    QVERIFY(opened.window.editor().document()->isModified());
    QSignalSpy settled(&opened.kernels, &OwnKernels::settled);
    QVERIFY(writeFile(opened.file, theirs));
    QVERIFY(settled.wait(60000));
    QVERIFY2(opened.window.verdict().startsWith("classify.mine is right."),
             qPrintable(opened.window.verdict()));
    QVERIFY(opened.window.editor().toPlainText().endsWith("// mine"));
    const auto answer = [](const QString& word) {
      QTimer::singleShot(300, qApp, [word] {
        const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(box && box->text().contains("Another program has written mine.cu"));
        for (QAbstractButton* button : box->buttons())
          if (button->text().contains(word)) return button->click();
      });
    };
    answer("Cancel");
    QVERIFY(!opened.window.save());
    QCOMPARE(readFile(opened.file), theirs);
    QVERIFY(opened.window.editor().document()->isModified());
    answer("Load");
    QVERIFY(!opened.window.save());
    QCOMPARE(opened.window.editor().toPlainText().toUtf8(), theirs);
    opened.window.editor().appendPlainText("// mine");
    QVERIFY(writeFile(opened.file, originalText()));
    answer("Replace");
    QVERIFY(opened.window.save());
    QCOMPARE(readFile(opened.file), opened.window.editor().toPlainText().toUtf8());
    // Nobody else wrote since.
    opened.window.editor().appendPlainText("// again");
    QVERIFY(opened.window.save());
  }

  /// Editors and people take a file away and bring it back.
  void aFileThatIsBackIsShownAgain() {
    Opened opened;
    QVERIFY(opened.begins());
    for (const QByteArray& text : {QByteArray(), originalText() + "// back\n"}) {
      QVERIFY(QFile::remove(opened.file));
      QTRY_COMPARE(opened.window.remark(), QString("mine.cu is gone; saving writes it again."));
      QTest::qWait(800);
      QSignalSpy settled(&opened.kernels, &OwnKernels::settled);
      QVERIFY(writeFile(opened.file, text));
      QVERIFY(settled.wait(60000));
      QCOMPARE(opened.window.editor().toPlainText().toUtf8(), text);
      QVERIFY(!opened.window.isWindowModified() && !opened.window.remark().contains("gone"));
    }
    QVERIFY(QFile::remove(opened.file));
    QTRY_VERIFY(opened.window.remark().contains("gone"));
    QVERIFY(opened.window.save());
    QCOMPARE(readFile(opened.file), opened.window.editor().toPlainText().toUtf8());
  }

  void aBugIsChosenByKeys() {
    BugDialog dialog(nullptr);
    dialog.show();
    dialog.activateWindow();
    auto* const list = dialog.findChild<QTreeWidget*>();
    QVERIFY(list && QTest::qWaitForWindowActive(&dialog));
    QCOMPARE(dialog.focusWidget(), list);
    const std::vector<BrokenKernel> all = brokenKernels();
    QCOMPARE(list->topLevelItemCount(), static_cast<int>(all.size()));
    for (int row = 0; row < list->topLevelItemCount(); ++row) {
      const QTreeWidgetItem& item = *list->topLevelItem(row);
      const auto kernel = std::ranges::find(all, item.text(0), &BrokenKernel::title);
      QVERIFY(kernel != all.end());
      const bool host = kernel->text.contains(".family = \"schedule\"");
      QVERIFY2(item.text(1).contains(host ? "schedule" : "kernel"), qPrintable(item.text(0)));
      QVERIFY2(host || kernel->text.contains(".family = \"" + item.text(1).section(' ', -1)),
               qPrintable(item.text(1)));
    }
    QCOMPARE(dialog.chosen().title, list->topLevelItem(0)->text(0));
    QTest::keyClick(list, Qt::Key_End);
    QCOMPARE(dialog.chosen().title, list->topLevelItem(list->topLevelItemCount() - 1)->text(0));
    QVERIFY(list->viewport()->rect().contains(list->visualItemRect(list->currentItem())));
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(accepted.size(), 1);
  }

  void aBugOfAScheduleStandsAtItsLinesToo() {
    Opened opened;
    const std::vector<BrokenKernel> all = brokenKernels();
    const auto broken = std::ranges::find(all, QString("empty_wait"), &BrokenKernel::name);
    QVERIFY(broken != all.end());
    QVERIFY(writeFile(opened.file, broken->text.toUtf8()));
    QSignalSpy tried(&opened.kernels, &OwnKernels::tried);
    opened.window.open(opened.file);
    opened.window.show();
    QVERIFY(tried.wait(30000));
    QVERIFY2(opened.window.verdict().startsWith("schedule.mine is wrong: "),
             qPrintable(opened.window.verdict()));
    QVERIFY2(opened.window.windowTitle().endsWith("your schedule"), qPrintable(opened.window.windowTitle()));
    // The wait, and the record that comes too late.
    auto* const findings = opened.window.findChild<QListWidget*>();
    QCOMPARE(opened.window.editor().extraSelections().size(), 2);
    QStringList lines;
    for (int row = 0; row < findings->count(); ++row)
      if (findings->item(row)->text().startsWith("line ")) lines << findings->item(row)->text();
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].contains("queue.wait(") && lines[1].contains("->record("),
             qPrintable(lines.join('\n')));
    QVERIFY(!Registry::instance().find("schedule.mine"));
    const Replacement& change = broken->repair.changes.front();
    QVERIFY(opened.edits(change.from, change.to));
    QVERIFY2(opened.window.verdict().startsWith("schedule.mine is right."),
             qPrintable(opened.window.verdict()));
    const Variant* own = Registry::instance().find("schedule.mine");
    QVERIFY(own && own->has(Stage::sets, Backend::cpu) && own->has(Stage::sets, Backend::simt));
    // Repaired it is the original again, of which nothing is new or gone.
    const Variant* original = versionBefore(Stage::sets, *own);
    QVERIFY(original && original->id() == "schedule.prefetch");
    for (const DiffLine& line : compareSources(*own, original).lines)
      QVERIFY2(line.mark == DiffLine::Mark::same, qPrintable(QString::number(line.now + 1)));
    QSignalSpy wanted(&opened.window, &WorkshopWindow::wanted);
    QTest::mouseClick(buttonOf(opened.window, "Use"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].value<Stage>(), Stage::sets);
  }

  void aNewLineBeginsWhereTheLineBeforeDoes() {
    Opened opened;
    QPlainTextEdit& editor = opened.window.editor();
    editor.setPlainText("void f() {\n    int a;\n}");
    QTextCursor cursor(editor.document()->findBlockByNumber(1));
    cursor.movePosition(QTextCursor::EndOfBlock);
    editor.setTextCursor(cursor);
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "b");
    QCOMPARE(editor.toPlainText(), QString("void f() {\n    int a;\n    b\n}"));
    // Within the indentation no more of it than stands before the cursor.
    cursor.setPosition(editor.document()->findBlockByNumber(1).position() + 2);
    editor.setTextCursor(cursor);
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(editor.document()->findBlockByNumber(2).text(), QString("    int a;"));
    editor.undo();
    QCOMPARE(editor.toPlainText(), QString("void f() {\n    int a;\n    b\n}"));
  }

  void whatAnotherEditorWritesIsTriedToo() {
    Opened opened;
    QVERIFY(opened.begins());
    QSignalSpy tried(&opened.kernels, &OwnKernels::tried);
    QVERIFY(writeFile(opened.file, originalText().replace("float nearest", "float closest")));
    QVERIFY(tried.wait(30000)); // "nearest" is not declared any more
    QVERIFY2(opened.window.verdict().startsWith("The compiler refuses it"),
             qPrintable(opened.window.verdict()));
    QVERIFY(opened.window.editor().toPlainText().contains("float closest"));
    // A new file in the folder is a new variant.
    QSignalSpy adopted(&opened.kernels, &OwnKernels::adopted);
    QVERIFY(writeFile(opened.folder.filePath("other.cu"), originalText()));
    QVERIFY(adopted.wait(30000));
    QVERIFY(Registry::instance().find("classify.other"));
  }

  /// Somebody waits for it.
  void theFileThatIsOpenIsTriedBeforeItsNeighbours() {
    Opened opened;
    for (const char* name : {"a.cu", "b.cu"})
      QVERIFY(writeFile(opened.folder.filePath(name), originalText()));
    QVERIFY(opened.begins());
    // Its neighbours' turn has come.
    QTRY_VERIFY_WITH_TIMEOUT(!opened.kernels.isBeingCompleted(opened.file) && opened.kernels.running(),
                             30000);
    QSignalSpy tried(&opened.kernels, &OwnKernels::tried);
    QVERIFY(writeFile(opened.file, originalText().replace("float nearest", "float closest")));
    QVERIFY(tried.wait(30000));
    QCOMPARE(tried[0][0].toString(), opened.file);
    while (opened.kernels.running())
      QVERIFY(tried.wait(30000));
    for (const char* name : {"a.cu", "b.cu"})
      QVERIFY2(opened.kernels.reportOf(opened.folder.filePath(name))->right(), name);
  }

  void aFileThatWasOpenedIsTriedAgainWhateverItIsCalled() {
    Opened opened;
    QVERIFY(opened.begins());
    const QString file = opened.folder.filePath("third.cpp");
    QVERIFY(writeFile(file, originalText()));
    QSignalSpy tried(&opened.kernels, &OwnKernels::tried);
    opened.kernels.watch(file);
    QVERIFY(tried.wait(30000));
    while (opened.kernels.running())
      QVERIFY(tried.wait(30000)); // its neighbours
    tried.clear();
    QVERIFY(writeFile(file, originalText().replace("float nearest", "float closest")));
    QVERIFY(tried.wait(30000));
    QCOMPARE(tried[0][0].toString(), file);
  }
};

QTEST_MAIN(TestWorkshopWindow)
#include "tst_workshop_window.moc"

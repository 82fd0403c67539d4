// SPDX-License-Identifier: GPL-3.0-or-later
// One block on the screen: keys, buttons, races, and what is said.
#include "app/model/teach/block/block_texts.hpp"
#include "app/ui/teach/block/block_view.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/cases.hpp"
#include "tests/app/model/teach/block/block_kernels.hpp"

#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <memory>
#include <set>

using namespace lloyd;
using namespace lloyd::test;
using Doing = BlockReplay::WarpState::Doing;

namespace {

std::shared_ptr<const BlockReplay> replayOf(const char* id, Stage stage, std::uint32_t block = 0) {
  const Problem problem{.n = 600, .d = 2, .k = 4};
  const CaseInputs made = build({.problem = problem});
  CountInput input{
      {stage, Registry::instance().find(id), nullptr, {}}, problem, made.points, made.centroids, {}};
  input.subject.tuning.block = 256;
  return std::make_shared<const BlockReplay>(
      std::make_shared<const BlockRequests>(blockRequests(input, block, nullptr)));
}

std::shared_ptr<const BlockReplay> recorded(std::string_view kernel) {
  return std::make_shared<const BlockReplay>(record(kernel).block);
}

struct Shown {
  BlockView view;
  explicit Shown(const std::shared_ptr<const BlockReplay>& replay) {
    view.resize(620, 700);
    view.show();
    view.showFound(replay);
  }
  template <class T>
  [[nodiscard]] T* part(const char* name) const {
    return view.findChild<T*>(QLatin1String(name));
  }
  void press(QWidget* on, int key, Qt::KeyboardModifiers held = Qt::NoModifier) const {
    QTest::keyClick(on, static_cast<Qt::Key>(key), held);
  }
};

} // namespace

class TestBlockView : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void stepsAreWalkedByKeys() {
    const auto replay = replayOf("reduce.v2", Stage::reduce);
    const Shown shown(replay);
    const BlockView& view = shown.view;
    auto* slider = shown.part<QWidget>("blockSlider");
    const auto& barriers = replay->barriers();
    QVERIFY(barriers.size() > 3 && replay->size() > 100);
    QCOMPARE(view.step(), std::size_t{0});
    shown.press(slider, Qt::Key_Right);
    shown.press(slider, Qt::Key_Right);
    QCOMPARE(view.step(), std::size_t{2});
    shown.press(slider, Qt::Key_Left);
    QCOMPARE(view.step(), std::size_t{1});
    shown.press(slider, Qt::Key_PageDown);
    QCOMPARE(view.step(), std::size_t{barriers[0]});
    shown.press(slider, Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(view.step(), std::size_t{barriers[1]});
    shown.press(slider, Qt::Key_PageUp);
    QCOMPARE(view.step(), std::size_t{barriers[0]});
    shown.press(slider, Qt::Key_PageUp);
    QCOMPARE(view.step(), std::size_t{0}); // before the first barrier lies the beginning
    // The rows of warps take the same keys.
    shown.press(&view.warps(), Qt::Key_End);
    QCOMPARE(view.step(), replay->size());
    shown.press(&view.warps(), Qt::Key_Left);
    QCOMPARE(view.step(), replay->size() - 1);
    shown.press(&view.warps(), Qt::Key_Home);
    QCOMPARE(view.step(), std::size_t{0});
    shown.press(&view.shared(), Qt::Key_PageDown);
    QCOMPARE(view.step(), std::size_t{barriers[0]});
    // Left and Right read the words of shared memory.
    shown.press(&view.shared(), Qt::Key_Right);
    QCOMPARE(view.step(), std::size_t{barriers[0]});
  }

  void numberAndButtonsGoThere() {
    const auto replay = replayOf("reduce.v2", Stage::reduce);
    const Shown shown(replay);
    const auto& barriers = replay->barriers();
    QVERIFY(barriers.size() >= 2 && barriers[1] > barriers[0] + 2);
    const std::size_t between = barriers[0] + 1;
    shown.part<QSpinBox>("blockStep")->setValue(static_cast<int>(between));
    QCOMPARE(shown.view.step(), between);
    shown.part<QToolButton>("stepForward")->click();
    QCOMPARE(shown.part<QSpinBox>("blockStep")->value(), static_cast<int>(between) + 1);
    shown.part<QToolButton>("stepBack")->click();
    QCOMPARE(shown.view.step(), between);
    shown.part<QToolButton>("barrierNext")->click();
    QCOMPARE(shown.view.step(), std::size_t{barriers[1]});
    shown.part<QToolButton>("barrierBefore")->click();
    QCOMPARE(shown.view.step(), std::size_t{barriers[0]});
    QVERIFY(!shown.part<QToolButton>("raceNext")->isEnabled());
    const QString of = shown.part<QLabel>("blockOf")->text();
    QVERIFY2(of.startsWith("of " + QString::number(replay->size()) + "; ") && of.endsWith("kept"),
             qPrintable(of));
  }

  /// At a barrier every warp waits there; behind it the first goes on, and its lanes are filled.
  void warpsAreShown() {
    const auto replay = replayOf("reduce.v2", Stage::reduce);
    Shown shown(replay);
    BlockView& view = shown.view;
    view.goTo(replay->barriers()[0]);
    QCOMPARE(view.warps().rows().size(), std::size_t{8}); // 256 threads
    for (const WarpRows::Row& row : view.warps().rows()) {
      QCOMPARE(row.doing, Doing::waiting);
      QVERIFY2(QRegularExpression("^line \\d+: waits at the barrier$").match(row.text).hasMatch(),
               qPrintable(row.text));
    }
    QVERIFY(view.sentence().contains("all 8 warps are here and go on"));
    view.goTo(replay->barriers()[0] + 1);
    QCOMPARE(view.warps().rows()[0].doing, Doing::running);
    QCOMPARE(view.warps().rows()[0].lanes, 0xffffffffu);
    QCOMPARE(view.warps().rows()[7].doing,
             Doing::waiting);             // the upper half of the threads has nothing to add
    view.goTo(replay->barriers()[1] - 1); // the last step before: its lanes are seen, though it waits then
    const std::size_t now = *replay->warpOf(view.step());
    QCOMPARE(view.warps().rows()[now].doing, Doing::running);
    QCOMPARE(view.warps().rows()[now].lanes, replay->step(view.step()).lanes);
    QCOMPARE(view.warps().rows()[now == 0 ? 1 : 0].doing, Doing::waiting);
    view.goTo(replay->size());
    QCOMPARE(view.warps().rows()[3].doing, Doing::done);
    QVERIFY(view.sentence().endsWith("The block is done."));
  }

  /// At any height, and with sentences of any length: a row is scrolled to, not cut.
  void rowsAreWhole() {
    const auto replay = replayOf("reduce.v2", Stage::reduce);
    Shown shown(replay);
    BlockView& view = shown.view;
    const int row = view.warps().wholeHeight() / 8;
    std::set<int> rows;
    for (int height = 260; height < 460; height += 17) {
      view.resize(400, height);
      for (const std::size_t step : {std::size_t{0}, std::size_t{replay->barriers()[0]}, replay->size()}) {
        view.goTo(step);
        QTRY_COMPARE(view.warps().height() % row, 0);
        rows.insert(view.warps().height() / row);
      }
    }
    QVERIFY(rows.size() > 3 && *rows.begin() >= 2 && *rows.rbegin() == 8);
  }

  /// In a narrow pane, and in large text, nothing reaches beyond it: controls go on in another row, and the
  /// words of a warp get shorter before they are cut.
  void everythingFitsANarrowPane_data() {
    QTest::addColumn<double>("points");
    QTest::addColumn<int>("width");
    QTest::newRow("usual") << 11. << 330;
    QTest::newRow("large") << 13. << 330;
    QTest::newRow("larger") << 15. << 360;
  }
  void everythingFitsANarrowPane() {
    QFETCH(double, points);
    QFETCH(int, width);
    const auto replay = recorded("raced");
    Shown shown(replay);
    BlockView& view = shown.view;
    view.setStyleSheet(QStringLiteral("QWidget { font-size: %1pt; }").arg(points));
    view.goTo(replay->races().front().second);
    view.resize(width, 900);
    QTest::qWait(20);
    QCOMPARE(view.width(), width); // nothing needs more
    for (const QWidget* part : view.findChildren<QWidget*>()) {
      if (!part->isVisible() || part->window() != &view) continue;
      const QRect at(part->mapTo(&view, QPoint()), part->size());
      QVERIFY2(at.left() >= 0 && at.right() < width, qPrintable(part->objectName()));
    }
    QRect before;
    for (const char* name :
         {"barrierBefore", "stepBack", "stepForward", "barrierNext", "raceNext", "raceFirst", "raceSecond"}) {
      const auto* button = shown.part<QToolButton>(name);
      const QRect at(button->mapTo(&view, QPoint()), button->size());
      QVERIFY2(at.width() >= button->sizeHint().width() && !at.intersects(before), name);
      before = at;
    }
    // Of a file with a long name the line is what is left.
    const QString number = QString::number(linesOf("raced").load);
    const QString racing = view.warps().shownText(*replay->warpOf(view.step()));
    QVERIFY2(racing.contains(QChar(':') + number), qPrintable(racing));
    const auto tree = replayOf("reduce.v2", Stage::reduce);
    view.showFound(tree);
    view.goTo(tree->barriers()[0]);
    for (std::size_t row = 0; row < view.warps().rows().size(); ++row) {
      const QString words = view.warps().shownText(row);
      QVERIFY2(words.startsWith("line ") && words.contains("waits") && !words.contains(QChar(0x2026)),
               qPrintable(words));
    }
    for (const char* name : {"blockSentence", "blockCaption"}) {
      const auto* label = shown.part<QLabel>(name);
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
    }
    view.resize(width, 100); // where a page scrolls, all has its least height
    QTest::qWait(20);
    const auto* caption = shown.part<QLabel>("blockCaption");
    QVERIFY(caption->height() >= caption->heightForWidth(caption->width()));
    view.resize(1000, 900); // and one row again where there is room
    QTest::qWait(20);
    QCOMPARE(shown.part<QWidget>("raceNext")->y(), shown.part<QWidget>("stepBack")->y());
    QCOMPARE(view.warps().shownText(0), view.warps().rows()[0].text);
  }

  void wordsAreShownAndSaid() {
    Shown shown(recorded("fold"));
    BlockView& view = shown.view;
    auto* readOut = shown.part<QLabel>("blockReadOut");
    view.goTo(2);
    QCOMPARE(view.shared().touched().size(), std::size_t{32});
    QVERIFY(view.shared().touched().contains(40));
    const QPoint at = view.shared().boxOf(40).center();
    QVERIFY2(view.shared().wordsAt(at).startsWith("word 40 of cell, bank 8: 40, stored by warp 1, lane 8"),
             qPrintable(view.shared().wordsAt(at)));
    QVERIFY(view.shared().wordsAt(QPoint(1, 1)).isEmpty());
    shown.press(&view.shared(), Qt::Key_Right); // begins at what was touched
    QVERIFY(readOut->text().startsWith("word 32 of cell"));
    shown.press(&view.shared(), Qt::Key_Up);
    QVERIFY(readOut->text().startsWith("word 0 of cell, bank 0: 0, stored by warp 0"));
    view.goTo(0); // and what is said follows
    QVERIFY(readOut->text().contains("nothing is stored there yet"));
    shown.press(&view.warps(), Qt::Key_Down);
    QVERIFY(readOut->text().startsWith("warp 0: runs"));
  }

  void aRaceStopsAtBothLines() {
    const auto replay = recorded("raced");
    Shown shown(replay);
    BlockView& view = shown.view;
    auto* next = shown.part<QToolButton>("raceNext");
    QVERIFY(next->isEnabled());
    QCOMPARE(next->text(), QString("Next race (1)"));
    QVERIFY(!shown.part<QToolButton>("raceFirst")->isVisible());
    next->click();
    const BlockReplay::Race& race = replay->races().front();
    QCOMPARE(view.step(), race.second);
    QCOMPARE(view.race(), &race);
    QCOMPARE(view.sentence(), raceText(*replay, race));
    auto* first = shown.part<QToolButton>("raceFirst");
    QVERIFY(first->isVisible() && shown.part<QToolButton>("raceSecond")->isVisible());
    QVERIFY(first->text().endsWith(QString::number(linesOf("raced").store)));
    QVERIFY(shown.part<QToolButton>("raceSecond")->text().endsWith(QString::number(linesOf("raced").load)));
    first->click();
    QCOMPARE(view.step(), race.first);
    shown.press(&view.warps(), Qt::Key_PageDown, Qt::ShiftModifier);
    QCOMPARE(view.step(), race.second);
    next->click(); // the only one
    QCOMPARE(view.step(), race.second);
  }

  void aRaceWithAnotherBlockLeadsThere() {
    const auto replay = recorded("between blocks");
    Shown shown(replay);
    QSignalSpy wanted(&shown.view, &BlockView::wanted);
    shown.view.setBlock(1);
    shown.view.goToTrouble();
    QCOMPARE(shown.view.race(), &replay->races().front());
    auto* other = shown.part<QToolButton>("raceFirst");
    QVERIFY2(other->text() == QString("Block 0: block_kernels.cpp:%1").arg(linesOf("between blocks").store),
             qPrintable(other->text()));
    other->click();
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.back().front().toUInt(), 0u);
    // The store that block 1 named, and not the load on the same line before it.
    const auto first = std::make_shared<const BlockReplay>(test::record("between blocks", 1, 0).block);
    shown.view.showFound(first);
    QVERIFY(shown.view.race());
    QCOMPARE(shown.view.step(), std::size_t{2});
    QCOMPARE(first->step(2).line, linesOf("between blocks").store);
  }

  /// The line of a step is for the source beside it, while the view is seen.
  void linesAreSaid() {
    const auto replay = replayOf("reduce.v2", Stage::reduce);
    Shown shown(replay);
    QSignalSpy lines(&shown.view, &BlockView::linesShown);
    shown.view.goTo(replay->barriers()[0]);
    QCOMPARE(lines.count(), 1);
    QCOMPARE(lines.back().front().value<QList<int>>(),
             QList<int>{replay->step(replay->barriers()[0]).line}); // the file opens its text
    const QString line = shown.part<QLabel>("blockLine")->text();
    QVERIFY2(line.contains("__syncthreads();"), qPrintable(line));
    shown.view.hide();
    QVERIFY(lines.back().front().value<QList<int>>().isEmpty());
  }

  void otherBlocksAreAskedFor() {
    Shown shown(replayOf("reduce.v2", Stage::reduce));
    QSignalSpy wanted(&shown.view, &BlockView::wanted);
    auto* block = shown.part<QSpinBox>("blockNumber");
    QCOMPARE(block->maximum(), 2);
    shown.view.goTo(30);
    block->setValue(2);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toUInt(), 2u);
    shown.view.showFound(replayOf("reduce.v2", Stage::reduce, 2));
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(shown.view.step(), std::size_t{30}); // the same step of the other
    shown.view.renew();
    QCOMPARE(wanted.count(), 2);
    shown.view.hide();
    shown.view.renew();
    QCOMPARE(wanted.count(), 2);
    shown.view.show();
    QCOMPARE(wanted.count(), 3);
  }

  void whatThereIsNotIsSaid() {
    Shown shown(nullptr);
    QCOMPARE(shown.view.sentence(), QString("Nothing is known yet."));
    shown.view.showLooking();
    QVERIFY(shown.view.sentence().contains("simulator runs"));
    for (const char* part : {"blockStep", "stepForward", "raceNext"})
      QVERIFY(!shown.part<QWidget>(part)->isEnabled());
    // Until the steps are there the slider takes their keys, which would be the window's.
    auto* slider = shown.part<QWidget>("blockSlider");
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_End, Qt::Key_PageUp}) {
      QKeyEvent asks(QEvent::ShortcutOverride, key, Qt::NoModifier);
      asks.ignore();
      QVERIFY(slider->isEnabled() && QCoreApplication::sendEvent(slider, &asks) && asks.isAccepted());
    }
    shown.view.showFound(replayOf("cpu.v2", Stage::classify));
    QVERIFY(shown.view.sentence().contains("it runs on processors") && !slider->isEnabled());
    shown.view.showFound(replayOf("fused.v1", Stage::fused));
    QVERIFY(shown.part<QWidget>("blockSlider")->isEnabled());
    shown.view.showFound(recorded("past the end"));
    shown.view.goTo(3);
    QVERIFY(shown.view.sentence().contains("uses index 64"));
    shown.view.clear();
    QCOMPARE(shown.view.step(), std::size_t{0});
  }

  void everyPartHasAName() {
    const Shown shown(recorded("raced"));
    for (const char* name :
         {"blockNumber", "blockStep", "blockSlider", "blockWarps", "blockShared", "stepBack", "stepForward",
          "barrierBefore", "barrierNext", "raceNext", "raceFirst", "raceSecond"}) {
      const auto* part = shown.part<QWidget>(name);
      QVERIFY2(part, name);
      QVERIFY2(!part->accessibleName().isEmpty() && !part->toolTip().isEmpty(), name);
      QVERIFY2(part->focusPolicy() != Qt::NoFocus, name);
    }
    QCOMPARE(shown.view.warps().accessibleDescription(), shown.view.sentence());
  }
};

QTEST_MAIN(TestBlockView)
#include "tst_block_view.moc"

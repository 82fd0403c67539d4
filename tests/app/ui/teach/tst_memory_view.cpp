// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of a warp as pictures.
#include "app/ui/teach/memory_view.hpp"
#include "gpu/reference/cases.hpp"

#include <QComboBox>
#include <QFile>
#include <QKeyEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

#include <algorithm>
#include <memory>

using namespace lloyd;
using simt::Asked;

namespace {

std::shared_ptr<const BlockRequests> blockOf(const char* id, Stage stage, const Problem& problem,
                                             std::uint32_t block = 0) {
  const Variant* variant = Registry::instance().find(id);
  const CaseInputs made = build({.problem = problem});
  const CountInput input{{stage, variant, nullptr, {}}, problem, made.points, made.centroids, {}};
  return std::make_shared<const BlockRequests>(blockRequests(input, block, nullptr));
}

/// The first line of the kernel that asks so, of the first array or of that which has the number.
MemoryView::Line lineOf(const BlockRequests& block, Asked asked, int array = 0) {
  for (const simt::WarpStep& step : block.steps.front())
    for (const MemoryRequest& request : requestsOf(block, 0, step.file, step.line))
      if (request.asked == asked && request.array == array)
        return {QString::fromUtf8(step.file.data(), qsizetype(step.file.size())), step.line, "  a line;"};
  return {};
}

int cells(const WordGridPicture& picture, bool (*which)(const WordGridPicture::Cell&)) {
  int count = 0;
  for (const WordGridPicture::Row& row : picture.rows)
    count += static_cast<int>(std::ranges::count_if(row.cells, which));
  return count;
}
bool wasted(const WordGridPicture::Cell& cell) { return cell.fetched && cell.used == 0; }
bool fetched(const WordGridPicture::Cell& cell) { return cell.fetched; }
bool marked(const WordGridPicture::Cell& cell) { return cell.marked; }

struct Shown {
  MemoryView view;
  explicit Shown(const std::shared_ptr<const BlockRequests>& block, Asked asked, int array = 0) {
    view.resize(620, 700);
    view.showLine(lineOf(*block, asked, array));
    view.showFound(block);
    view.show();
  }
};

} // namespace

class TestMemoryView : public QObject {
  Q_OBJECT
private slots:
  /// A pane that is narrow, or text that is large, cuts no word of it.
  void theLegendIsWholeWhereThereIsLittleRoom() {
    const auto block = blockOf("classify.aos", Stage::classify, {1024, 2, 16});
    Shown shown(block, Asked::globalLoad);
    auto* picture = shown.view.findChild<WordGrid*>(QStringLiteral("memoryPicture"));
    QVERIFY(picture && picture->picture().legend.size() >= 3);
    const auto heightAt = [&](int width, double points) {
      shown.view.setStyleSheet(QStringLiteral("QWidget { font-size: %1pt; }").arg(points));
      shown.view.resize(width, 700);
      QTest::qWait(20);
      QRectF before;
      for (std::size_t entry = 0; entry < picture->picture().legend.size(); ++entry) {
        const QRectF at = picture->legendAt(entry);
        if (at.isEmpty() || at.right() > picture->width() || at.bottom() > picture->height() ||
            at.intersects(before) || at.top() <= picture->cellAt(0, 0).bottom())
          return -1;
        before = at;
      }
      return picture->height();
    };
    const int wide = heightAt(1100, 11), narrow = heightAt(360, 11), large = heightAt(420, 18);
    QVERIFY2(wide > 0 && narrow > wide && large > wide,
             qPrintable(QStringLiteral("%1 %2 %3").arg(wide).arg(narrow).arg(large)));
    QCOMPARE(heightAt(1100, 11), wide);
  }

  void buttonsAreWholeInANarrowPane() {
    const auto block = blockOf("classify.aos", Stage::classify, {1024, 2, 16});
    Shown shown(block, Asked::globalLoad);
    MemoryView& view = shown.view;
    for (const double points : {11., 13., 15.}) {
      view.setStyleSheet(QStringLiteral("QWidget { font-size: %1pt; }").arg(points));
      view.resize(330, 700);
      QTest::qWait(20);
      QCOMPARE(view.width(), 330);
      const auto* scroll = view.findChild<QScrollArea*>();
      QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
      int buttons = 0;
      for (const auto* button : view.findChildren<QToolButton*>()) {
        if (button->text().isEmpty()) continue;
        ++buttons;
        const int right = button->mapTo(&view, QPoint(button->width(), 0)).x();
        QVERIFY2(button->width() >= button->sizeHint().width() && right <= view.width(),
                 qPrintable(button->text()));
      }
      QCOMPARE(buttons, 2);
    }
  }

  void rowsFillTheirSectors() {
    const Shown shown(blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 3, .k = 16}),
                      Asked::globalLoad);
    const WordGridPicture& picture = shown.view.picture().picture();
    QCOMPARE(picture.rows.size(), std::size_t{1});
    QCOMPARE(cells(picture, wasted), 0);
    QCOMPARE(cells(picture, fetched), 32);
    QCOMPARE(shown.view.sentence(),
             QString("32 lanes ask for 128 bytes in 4 sectors of points: all of them are used."));
    QCOMPARE(shown.view.requests().size(), std::size_t{3}); // one a coordinate
    QCOMPARE(cells(shown.view.strip().picture(), marked), 32);
  }

  void recordsWasteTwoThirds() {
    const Shown shown(blockOf("classify.aos", Stage::classify, {.n = 1000, .d = 3, .k = 16}),
                      Asked::globalLoad);
    const WordGridPicture& picture = shown.view.picture().picture();
    QCOMPARE(picture.rows.size(), std::size_t{3});
    QCOMPARE(cells(picture, wasted), 64);
    QVERIFY(shown.view.sentence().contains("256 of 384 bytes fetched are wasted"));
  }

  void banksAreColumns() {
    const Shown shown(blockOf("reduce.v2", Stage::reduce, {.n = 1000, .d = 2, .k = 4}), Asked::sharedStore);
    const WordGridPicture& picture = shown.view.picture().picture();
    QCOMPARE(picture.group, 1);
    QCOMPARE(picture.rows.size(), std::size_t{1});
    QVERIFY2(shown.view.sentence().contains("no bank has two words, 1 turn"),
             qPrintable(shown.view.sentence()));
  }

  /// An empty picture is nothing to save.
  void onlyWhatIsThereIsSaved() {
    const auto block = blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 3, .k = 16});
    MemoryView view;
    const auto offered = [&](const QString& word) {
      for (const QToolButton* button : view.findChildren<QToolButton*>())
        if (button->text().startsWith(word)) return button->isEnabled();
      return false;
    };
    QVERIFY(!offered("Save picture") && !offered("Save strip"));
    view.showFound(block);
    QVERIFY(!offered("Save picture") && offered("Save strip"));
    view.showLine(lineOf(*block, Asked::globalLoad));
    QVERIFY(offered("Save picture"));
    view.clear();
    QVERIFY(!offered("Save picture") && !offered("Save strip"));
  }

  /// The slider goes through the requests, and warps and blocks have their boxes.
  void requestsAreWalked() {
    const auto block = blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 3, .k = 16});
    Shown shown(block, Asked::globalLoad);
    MemoryView& view = shown.view;
    auto* slider = view.findChild<QSlider*>("memoryRequest");
    auto* number = view.findChild<QLabel*>("memoryNumber");
    QCOMPARE(number->text(), QString("1 of 3"));
    const QString first = view.picture().picture().rows.front().label;
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(number->text(), QString("2 of 3"));
    QVERIFY(view.picture().picture().rows.front().label != first);
    auto* warp = view.findChild<QSpinBox*>("memoryWarp");
    QCOMPARE(warp->maximum(), 3); // 128 threads
    QTest::keyClick(warp, Qt::Key_Up);
    QCOMPARE(warp->value(), 1);
    QCOMPARE(number->text(), QString("2 of 3"));
    auto* blocks = view.findChild<QSpinBox*>("memoryBlock");
    QCOMPARE(blocks->maximum(), 7);
    QSignalSpy wanted(&view, &MemoryView::wanted);
    QTest::keyClick(blocks, Qt::Key_Up);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().front().toUInt(), 1u);
    // The last block's last warps have fewer points.
    view.showFound(blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 3, .k = 16}, 7));
    warp->setValue(3);
    QVERIFY2(view.sentence().contains("8 lanes ask for 32 bytes in 1 sector"), qPrintable(view.sentence()));
  }

  /// What is under the pointer or the keys is said, and each control has a name.
  void everythingIsSaid() {
    Shown shown(blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 2, .k = 4}), Asked::globalLoad);
    MemoryView& view = shown.view;
    auto* readOut = view.findChild<QLabel*>("memoryReadOut");
    WordGrid& picture = view.picture();
    QVERIFY(
        picture.wordsAt(picture.cellAt(0, 5).center()).startsWith("lane 5: byte 20 of points, point 5, x"));
    QVERIFY(picture.wordsAt(QPointF(1, 1)).isEmpty());
    // The window's own Right, which takes a step of the run, must not have it.
    QKeyEvent right(QEvent::ShortcutOverride, Qt::Key_Right, Qt::NoModifier);
    right.ignore();
    QCoreApplication::sendEvent(&picture, &right);
    QVERIFY(right.isAccepted());
    QTest::keyClick(&picture, Qt::Key_Right);
    QTest::keyClick(&picture, Qt::Key_Right);
    QVERIFY(readOut->text().startsWith("lane 1: byte 4"));
    QCOMPARE(view.strip().wordsAt(view.strip().cellAt(1, 1).center()),
             QString("byte 132: point 33, x; block 0, warp 1, lane 1"));
    QTest::keyClick(&view.strip(), Qt::Key_Down);
    QVERIFY(readOut->text().contains("block 0, warp 0, lane 0"));
    auto* colours = view.findChild<QComboBox*>("memoryColours");
    QCOMPARE(view.strip().picture().rows[1].cells[1].text, QString("1"));
    colours->setCurrentIndex(2);
    QCOMPARE(view.strip().picture().rows[4].cells[1].text, QString("1")); // point 129
    for (const QWidget* part : std::initializer_list<const QWidget*>{
             colours, &picture, &view.strip(), view.findChild<QSpinBox*>("memoryBlock"),
             view.findChild<QSpinBox*>("memoryWarp"), view.findChild<QSlider*>("memoryRequest")}) {
      QVERIFY(!part->accessibleName().isEmpty());
      QVERIFY(part->focusPolicy() != Qt::NoFocus);
    }
    QCOMPARE(picture.accessibleDescription(), view.sentence());
  }

  /// A line of a kernel stands in the picture's title, and has what XML keeps for itself.
  void aPictureOfALineWithComparisonsIsAnSvg() {
    Shown shown(blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 2, .k = 4}), Asked::globalLoad);
    WordGridPicture picture = shown.view.picture().picture();
    picture.title = "if (i < n && \"k\") atomicAdd(&sums[i], x);";
    WordGrid& grid = shown.view.picture();
    grid.setPicture(picture);
    QXmlStreamReader reader(grid.svg());
    QString title;
    while (!reader.atEnd())
      if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == u"title")
        title = reader.readElementText();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(title, picture.title);
  }

  void nothingIsSaidInWords() {
    MemoryView view;
    QVERIFY(view.sentence().startsWith("Click what a line asked"));
    QVERIFY(!view.wants());
    const auto block = blockOf("classify.v3", Stage::classify, {.n = 1000, .d = 2, .k = 4});
    view.showFound(block);
    view.showLine({"none.cu", 3, "nothing"});
    QVERIFY(view.sentence().contains("asks nothing at this line"));
    view.showFound(blockOf("cpu.v2", Stage::classify, {.n = 100, .d = 2, .k = 4}));
    QVERIFY(view.sentence().contains("it runs on processors"));
    view.clear();
    QVERIFY(view.requests().empty());
  }

  /// A pane beside the source is narrow, and a slide is wide.
  void aSavedPictureNumbersEveryLane() {
    Shown shown(blockOf("classify.aos", Stage::classify, {.n = 1000, .d = 3, .k = 16}), Asked::globalLoad);
    WordGrid& grid = shown.view.picture();
    grid.resize(grid.minimumSizeHint());
    const QString svg = QString::fromUtf8(grid.svg());
    for (int lane = 0; lane < 32; ++lane) // above, and at its word
      QCOMPARE(svg.count(QRegularExpression(QStringLiteral(">\\s*%1\\s*</text>").arg(lane))), 2);
  }

  /// Picture and file are one drawing, whole in either.
  void picturesAreSaved() {
    const Shown shown(blockOf("classify.aos", Stage::classify, {.n = 1000, .d = 3, .k = 16}),
                      Asked::globalLoad);
    QTemporaryDir folder;
    for (WordGrid* grid : {&shown.view.picture(), &shown.view.strip()}) {
      const QString path = folder.filePath("picture.svg");
      QCOMPARE(grid->saveTo(path), QString());
      QSvgRenderer read(path);
      QVERIFY(read.isValid());
      QVERIFY(read.defaultSize().height() > grid->height());
      QFile file(path);
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QString text = QString::fromUtf8(file.readAll());
      QVERIFY(!text.contains("<image"));
      QVERIFY(text.contains(grid->picture().title.left(20)));
      QVERIFY(!text.contains("url(#")); // a pattern that some viewers do not draw
    }
    QCOMPARE(shown.view.picture().saveTo(folder.filePath("picture.png")), QString());
    QVERIFY(!QImage(folder.filePath("picture.png")).isNull());
    QVERIFY(!shown.view.picture().saveTo(folder.filePath("picture.gif")).isEmpty());
    QVERIFY(!shown.view.picture().saveTo("/nowhere/picture.svg").isEmpty());
  }
};

QTEST_MAIN(TestMemoryView)
#include "tst_memory_view.moc"

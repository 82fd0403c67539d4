// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/run_window.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

/// Files in and out of the window.
class TestWindowData : public QObject {
  Q_OBJECT

  static DataRequest file(const QString& path) {
    DataRequest request;
    request.path = path.toStdString();
    return request;
  }
  static QString written(const QTemporaryDir& folder, const QString& name, const QByteArray& bytes) {
    QFile out(folder.filePath(name));
    if (!out.open(QIODevice::WriteOnly)) return {};
    out.write(bytes);
    return out.fileName();
  }
  static bool loaded(MainWindow& window) {
    return QTest::qWaitFor([&] { return !window.session().loading(); }, 20000);
  }

private slots:
  void anotherFileIsOpenedWhileOneRuns() {
    auto window = windowOn("drift:n=5000,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() != nullptr, 20000);
    window->files().open(file(LLOYD_SOURCE_DIR "/resources/data/quakes.csv"));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 1000, 20000);
    QVERIFY(converges(*window) && settles(*window));
    QCOMPARE(window->session().data()->d, 5);
    QVERIFY(inked(window->viewport()->grabFramebuffer(), UiTheme::darkTheme().view) > 1000);
  }

  /// Names of columns and files come from others: they are shown as they are, and no picture is loaded.
  void namesAreNeverTakenForHtml() {
    QTemporaryDir folder;
    const QString name = QStringLiteral("<img src='picture.png'>");
    const QString path =
        written(folder, "<b>bold<b>.csv", (name + ",<a href='x'>y</a>\n1,2\n3,4\n5,7\n").toUtf8());
    auto window = windowOn("faithful.csv", 2);
    window->files().open(file(path));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 3, 20000);
    QVERIFY(converges(*window));
    bool shown = false;
    for (const QLabel* label : window->findChildren<QLabel*>()) {
      shown = shown || label->text().contains(name);
      const bool asItIs = label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text());
      QVERIFY2(asItIs, qPrintable(label->text()));
    }
    QVERIFY(shown);
    QToolTip::showText(window->geometry().center(), name, window.get());
    const auto tips = QApplication::topLevelWidgets();
    const auto tip = std::find_if(tips.begin(), tips.end(), [&](const QWidget* one) {
      const auto* label = qobject_cast<const QLabel*>(one);
      return label != nullptr && label->text() == name;
    });
    QVERIFY(tip != tips.end());
    QCOMPARE(qobject_cast<const QLabel*>(*tip)->textFormat(), Qt::PlainText);
    QToolTip::hideText();
  }

  void aNameOfAnyLengthFitsThePanel() {
    QTemporaryDir folder;
    const QByteArray name(80'000, 'q');
    const QString path = written(folder, "long.csv", name + ",y,z\n1,2,a\n3,4,b\n5,7,c\n");
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    auto* side = window->findChild<QScrollArea*>(QStringLiteral("side"));
    const int before = side->width();
    window->files().open(file(path));
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->n, std::size_t{3}, 20000);
    QVERIFY(settles(*window));
    // A vertical scroll bar may have taken its share of the width: the panel is as wide, nothing sticks out
    // of it.
    QCOMPARE(side->width(), before);
    QCOMPARE(side->horizontalScrollBar()->maximum(), 0);
    QVERIFY(side->widget()->minimumSizeHint().width() <= side->viewport()->width());
    for (const QLabel* label : side->findChildren<QLabel*>())
      QVERIFY(label->text().size() < 1000 && label->toolTip().size() < 2000);
  }

  void aBrokenFileLeavesTheLastGoodData() {
    QTemporaryDir folder;
    const QString broken = written(folder, "broken.csv", "x,y\n1,2\n3,4,5\n");
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    window->files().open(file(broken));
    QTRY_VERIFY_WITH_TIMEOUT(!window->messageBar().text().isEmpty(), 20000);
    QVERIFY(loaded(*window));
    QVERIFY2(window->messageBar().text().contains("broken.csv:3"), qPrintable(window->messageBar().text()));
    QCOMPARE(window->session().data()->n, std::size_t{272});
    QVERIFY(settles(*window));
    QVERIFY(inked(window->viewport()->grabFramebuffer(), UiTheme::darkTheme().view) > 1000);
  }

  void whatScalingWouldHelpNamesTheControl() {
    QTemporaryDir folder;
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    window->files().open(file(written(folder, "wide.csv", "x\n0\n2e19\n")));
    QTRY_VERIFY_WITH_TIMEOUT(!window->messageBar().text().isEmpty(), 20000);
    QVERIFY2(window->messageBar().text().contains("set Scaling to standard"),
             qPrintable(window->messageBar().text()));
    const auto labels = window->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel* label) { return label->text() == "Scaling"; }));
  }

  void theScalingThatARefusedFileNeedsOpensIt_data() {
    QTest::addColumn<QString>("before");
    QTest::newRow("a file") << "faithful.csv";
    QTest::newRow("points that drift") << "drift:n=2000,k=2";
  }
  void theScalingThatARefusedFileNeedsOpensIt() {
    QFETCH(QString, before);
    QTemporaryDir folder;
    const QString wide = written(folder, "wide.csv", "x\n3e37\n0\n-1e38\n");
    auto window = windowOn(before.toStdString(), 2);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last(), 20000);
    window->files().openFirst({wide});
    QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().text().contains("set Scaling to standard"), 20000);
    QComboBox* scaling = nullptr;
    for (QComboBox* box : window->findChildren<QComboBox*>())
      if (box->findData(static_cast<int>(Scale::minmax)) >= 0 && box->itemText(0) == "none") scaling = box;
    QVERIFY(scaling && scaling->isEnabled());
    scaling->setCurrentIndex(scaling->findData(static_cast<int>(Scale::standard)));
    Q_EMIT scaling->activated(scaling->currentIndex());
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->n == 3, 20000);
    QCOMPARE(window->session().request().scaling, Scale::standard);
    QCOMPARE(scaling->currentIndex(), scaling->findData(static_cast<int>(Scale::standard)));
    QVERIFY(window->messageBar().text().isEmpty());
    // The next file begins without, and what was refused is forgotten by then.
    window->files().openFirst(QStringList{LLOYD_SOURCE_DIR "/resources/data/faithful.csv"});
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->n == 272, 20000);
    QCOMPARE(window->session().request().scaling, Scale::none);
    QCOMPARE(scaling->currentIndex(), scaling->findData(static_cast<int>(Scale::none)));
    scaling->setCurrentIndex(scaling->findData(static_cast<int>(Scale::minmax)));
    Q_EMIT scaling->activated(scaling->currentIndex());
    QTRY_COMPARE_WITH_TIMEOUT(window->session().request().scaling, Scale::minmax, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(!window->session().loading(), 20000);
    QCOMPARE(window->session().data()->n, std::size_t{272});
  }

  void theFirstReadableFileOfADropIsOpened() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile("/nowhere/at-all.csv"),
                  QUrl::fromLocalFile(LLOYD_SOURCE_DIR "/resources/data/iris.csv"),
                  QUrl::fromLocalFile(LLOYD_SOURCE_DIR "/resources/data/quakes.csv")});
    QDragEnterEvent enter(QPoint(100, 100), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.get(), &drop);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->n == 150, 20000);
    QVERIFY(window->statusLine().lastMessage().contains("at-all.csv") || window->session().converged());
  }

  void aThousandUnreadableFilesAreAMessage() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QStringList paths;
    for (int i = 0; i < 1000; ++i)
      paths << QStringLiteral("/nowhere/%1.csv").arg(i);
    window->files().openFirst(paths);
    QVERIFY2(window->messageBar().text().contains("and 995 more"), qPrintable(window->messageBar().text()));
    QCOMPARE(window->session().data()->n, std::size_t{272});
  }

  void droppedRowsAreSaid() {
    QTemporaryDir folder;
    const QString path = written(folder, "holes.csv", "x,y\n1,2\nnan,4\n5,6\n7,8\n");
    auto window = windowOn("faithful.csv", 2);
    window->files().open(file(path));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 3, 20000);
    bool said = false;
    for (const QLabel* label : window->findChildren<QLabel*>())
      said |= label->text().contains("1 row dropped");
    QVERIFY(said);
  }

  void moreClustersThanPointsAreLimited() {
    QTemporaryDir folder;
    const QString path = written(folder, "three.csv", "x,y\n1,2\n3,4\n5,6\n");
    auto window = windowOn("faithful.csv", 16);
    window->files().open(file(path));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 3, 20000);
    QCOMPARE(window->session().settings().k, 3);
    QVERIFY(converges(*window));
  }

  /// The field that is shown for a key of the generator; null where there is none.
  static QDoubleSpinBox* field(MainWindow& window, const char* key) {
    auto* box = window.findChild<QDoubleSpinBox*>(QStringLiteral("generator.") + QLatin1String(key));
    return box && box->isVisible() ? box : nullptr;
  }
  static bool has(MainWindow& window, std::size_t n) {
    return QTest::qWaitFor([&] { return window.session().data() && window.session().data()->n == n; }, 20000);
  }

  void aFieldSaysWhatItTakes() {
    auto window = windowOn("blobs:n=3000,k=5,seed=3", 4);
    QVERIFY(has(*window, 3000));
    const auto typed = [](QAbstractSpinBox* box, const char* text) {
      QToolTip::hideText();
      box->setFocus();
      box->selectAll();
      QTest::keyClicks(box, text);
      QTest::keyClick(box, Qt::Key_Return);
      return QToolTip::text();
    };
    QDoubleSpinBox* count = field(*window, "n");
    QVERIFY(typed(count, "1e12").startsWith("Allowed: a whole number from 1 to "));
    QCOMPARE(count->text(), QStringLiteral("3,000"));
    auto* k = window->findChild<QSpinBox*>("k");
    QCOMPARE(typed(k, "0"), QStringLiteral("Allowed: a whole number from 1 to 65,536"));
    QVERIFY(!typed(k, "abc").isEmpty());
    QVERIFY(!typed(count, "abc").isEmpty());
    QCOMPARE(k->value(), 4);
  }

  void aGeneratorIsSetInTheDataPanel() {
    auto window = windowOn("blobs:n=3000,k=5,seed=3", 4);
    QVERIFY(has(*window, 3000));
    for (const char* key : {"n", "d", "k", "seed", "spread"})
      QVERIFY2(field(*window, key) && !field(*window, key)->toolTip().isEmpty() &&
                   !field(*window, key)->accessibleName().isEmpty(),
               key);
    QVERIFY(!field(*window, "noise") && !field(*window, "reach"));
    // Two values one after the other, the second before the points of the first are made.
    field(*window, "spread")->setValue(0.5);
    QDoubleSpinBox* count = field(*window, "n");
    count->selectAll();
    QTest::keyClicks(count, "2^12");
    QTest::keyClick(count, Qt::Key_Return);
    QVERIFY(has(*window, 4096));
    count->selectAll();
    QTest::keyClicks(count, "5e3"); // letters of numbers are typed, others are the window's
    QTest::keyClick(count, Qt::Key_Return);
    QVERIFY(has(*window, 5000));
    count->selectAll();
    QTest::keyClicks(count, "2^12");
    QTest::keyClick(count, Qt::Key_Return);
    QVERIFY(has(*window, 4096));
    QCOMPARE(window->session().request().generator,
             std::string("blobs:n=4096,d=2,k=5,seed=3,spread=0.5,order=shuffled"));
    QCOMPARE(field(*window, "n")->text(), QStringLiteral("4,096"));
    auto* order = window->findChild<QComboBox*>("generator.order");
    QTest::keyClick(order, Qt::Key_Down);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->source.ends_with("order=sorted"), 20000);
    // The command line that is copied says the same.
    QVERIFY(window->commandLine().contains("spread=0.5,order=sorted"));
    window->files().open(file(LLOYD_SOURCE_DIR "/resources/data/iris.csv"));
    QVERIFY(has(*window, 150));
    QVERIFY(!field(*window, "n"));
  }

  void whatIsTypedMeansNothingOnceOtherPointsHaveCome() {
    auto window = windowOn("blobs:n=3000", 4);
    QVERIFY(has(*window, 3000));
    QDoubleSpinBox* count = field(*window, "n");
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, "4000"); // and no Enter
    window->files().open(file(LLOYD_SOURCE_DIR "/resources/data/iris.csv"));
    QVERIFY(has(*window, 150));
    QTest::qWait(200);
    QCOMPARE(window->session().data()->n, std::size_t{150});
  }

  void pointsThatCannotBeMadeLeaveTheirNumberAsItIs() {
    auto window = windowOn("uniform:n=3000", 4);
    QVERIFY(has(*window, 3000));
    field(*window, "d")->setValue(1024);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data()->d == 1024; }, 20000));
    field(*window, "n")->setValue(4294967295.0);
    QTRY_VERIFY_WITH_TIMEOUT(!window->messageBar().text().isEmpty(), 20000);
    QTRY_COMPARE(field(*window, "n")->value(), 3000.0);
    QCOMPARE(window->session().data()->n, std::size_t{3000});
  }

  void theSearchOfFirstCentroidsCanBeStopped() {
    auto window = windowOn("uniform:n=1e5,d=4", 4000);
    auto* cancel = window->findChild<QPushButton*>(QStringLiteral("cancelWork"));
    QVERIFY(cancel);
    QTRY_VERIFY_WITH_TIMEOUT(cancel->isVisible() && cancel->accessibleName().contains("centroids"), 30000);
    QVERIFY(!window->session().last());
    cancel->click();
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last(), 60000);
    QVERIFY(!cancel->isVisible());
    QCOMPARE(window->session().settings().init.kind, InitKind::random);
    QCOMPARE(window->session().settings().k, 4000);
  }

  void aRunBeginsFromCentroidsOfAFile() {
    QTemporaryDir folder;
    auto window = windowOn("faithful.csv", 5);
    QVERIFY(converges(*window));
    window->files().beginFrom(written(folder, "start.csv", "eruptions,waiting\n2,55\n4.5,80\n"));
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().k, 2, 20000);
    QVERIFY(converges(*window));
    QCOMPARE(window->session().last()->centroids.size(), std::size_t{4});
    auto* init = window->findChild<QComboBox*>("init");
    QVERIFY(init && init->currentText().startsWith("file"));
    QVERIFY(!window->findChild<QWidget*>("k")->isEnabled());
    // Of points of more dimensions it is not, which is told, and what there is goes on.
    window->files().beginFrom(written(folder, "wrong.csv", "1,2,3\n"));
    QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().text().contains("wrong.csv has centroids of 3 dimensions"),
                             20000);
    QCOMPARE(window->session().settings().k, 2);
    QTest::qWait(10); // nobody answers in the turn of the event loop in which it is told
    // Who begins otherwise needs no longer be told.
    Settings other = window->session().settings();
    other.init = Init{};
    window->session().setSettings(other);
    QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().text().isEmpty(), 20000);
  }

  static QStringList entries(const MainWindow& window, const char* menu) {
    QStringList texts;
    for (const QAction* action : window.findChild<QMenu*>(QLatin1String(menu))->actions())
      texts << action->text();
    return texts;
  }

  void filesThatWereOpenAreOfferedUntilTheyAreGone() {
    QTemporaryDir folder;
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QTRY_COMPARE(entries(*window, "recent").size(), 1);
    for (int i = 0; i < 9; ++i) {
      window->files().openFirst(
          {written(folder, QStringLiteral("a&b %1.csv").arg(i),
                   QByteArray("x,y\n1,2\n3,4\n").repeated(i + 1).replace("\nx,y", ""))});
      QVERIFY(has(*window, std::size_t(2 * i + 2)));
    }
    QTRY_COMPARE(entries(*window, "recent").size(), 8);
    QTRY_VERIFY(entries(*window, "recent").front().startsWith("a&&b 8.csv"));
    QVERIFY2(window->windowTitle().startsWith("a&b 8.csv"), qPrintable(window->windowTitle()));
    QVERIFY(QFile::remove(folder.filePath("a&b 3.csv")));
    const qsizetype at = entries(*window, "recent").indexOf(QRegularExpression("a&&b 3.*"));
    window->findChild<QMenu*>("recent")->actions()[at]->trigger();
    QTRY_COMPARE(entries(*window, "recent").size(), 7);
    QVERIFY2(window->messageBar().text().contains("a&b 3.csv"), qPrintable(window->messageBar().text()));
    QCOMPARE(window->session().data()->n, std::size_t{18});
  }

  void samplesAreInTheMenu() {
    auto window = windowOn("faithful.csv", 3);
    QVERIFY(converges(*window));
    for (QAction* action : window->findChild<QMenu*>("samples")->actions())
      if (action->text().startsWith("moons")) action->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->source.starts_with("moons"), 20000);
  }

  /// Points that are generated have no remarks; those of the file after them are told.
  void whatIsLeftOutOfAFileIsTold() {
    auto window = windowOn("blobs:n=300", 3);
    QVERIFY(has(*window, 300));
    window->files().openFirst({LLOYD_SOURCE_DIR "/resources/data/iris.csv"});
    QVERIFY(has(*window, 150));
    const QLabel* remark = nullptr;
    for (const QLabel* label : window->findChildren<QLabel*>())
      if (label->text().contains("taken as the class")) remark = label;
    QVERIFY(remark && remark->text().contains("species"));
    QTRY_VERIFY2(remark->isVisible() && remark->height() >= remark->heightForWidth(remark->width()),
                 qPrintable(QString::number(remark->height())));
  }

  /// Where the first file cannot be read there is something to go on with, by mouse and by key.
  void aWindowWithoutPointsOffersSome() {
    QTemporaryDir folder;
    auto window = windowOn("drift:nonsense=1", 3);
    window->files().setRecent({LLOYD_SOURCE_DIR "/resources/data/quakes.csv"});
    auto* page = window->findChild<QWidget*>("startPage");
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 20000);
    QVERIFY(!window->messageBar().text().isEmpty());
    QPushButton* rings = nullptr;
    for (QPushButton* button : page->findChildren<QPushButton*>()) {
      QVERIFY(!button->accessibleName().isEmpty() && !button->toolTip().isEmpty());
      QVERIFY(button->focusPolicy() & Qt::TabFocus);
      if (button->text() == "rings") rings = button;
    }
    QVERIFY(rings);
    // Where the points have little room, what cannot be seen at once can be scrolled to.
    press(*window, ActionId::compare);
    window->resize(800, 600);
    QTest::qWait(100);
    QVERIFY2(rings->height() >= rings->sizeHint().height(), qPrintable(QString::number(rings->height())));
    QTest::keyClick(rings, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() != nullptr, 20000);
    QVERIFY(window->session().data()->source.starts_with("rings"));
    QVERIFY(!page->isVisible());
  }

  /// The next file is proposed beside the last one, by the name of the one that is open, with a suffix.
  void exportsAreProposedBesideTheFile() {
    QTemporaryDir folder;
    const QString path = written(folder, "my points.csv", "x,y\n1,2\n3,4\n5,6\n");
    auto window = windowOn("faithful.csv", 2);
    window->files().openFirst({path});
    QVERIFY(has(*window, 3));
    for (const ActionId id : {ActionId::exportLabels, ActionId::exportCentroids, ActionId::screenshot}) {
      press(*window, id);
      auto* dialog = window->findChild<QFileDialog*>();
      QVERIFY(dialog);
      const QString proposed = dialog->selectedFiles().value(0);
      QVERIFY2(proposed.startsWith(folder.filePath("my points-")), qPrintable(proposed));
      QVERIFY2(QFileInfo(proposed).suffix().size() == 3, qPrintable(proposed));
      delete dialog;
    }
    press(*window, ActionId::exportLabels);
    auto* dialog = window->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->selectNameFilter("NumPy array (*.npy)");
    Q_EMIT dialog->filterSelected("NumPy array (*.npy)");
    QCOMPARE(dialog->selectedFiles().value(0), folder.filePath("my points-labels.npy"));
    delete dialog;
  }

  void exportsBelongToTheFile() {
    QTemporaryDir folder;
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    ResultExporter exporter(window->session());
    QSignalSpy said(&exporter, &ResultExporter::said);
    const QString path = folder.filePath("labels.csv");
    exporter.labels(path);
    QVERIFY(said.wait(20000));
    QVERIFY(!said.front()[1].toBool());
    QFile labels(path);
    QVERIFY(labels.open(QIODevice::ReadOnly));
    QCOMPARE(labels.readAll().count('\n'), 1 + 272); // the header and every row
    // The window's own knows what its clusters are called; a run begins from such a file.
    window->selecting().clusters().setName(1, "long");
    ResultExporter& own = window->files().exporter();
    QSignalSpy ownSaid(&own, &ResultExporter::said);
    const QString named = folder.filePath("centroids.csv");
    own.centroids(named);
    QVERIFY(ownSaid.wait(20000));
    QFile centroids(named);
    QVERIFY(centroids.open(QIODevice::ReadOnly));
    const QByteArrayList rows = centroids.readAll().split('\n');
    QVERIFY2(rows[0].endsWith(",size,name"), rows[0]);
    const std::vector<std::uint32_t> sizes = window->session().last()->sizes;
    QVERIFY2(rows[1].endsWith(',' + QByteArray::number(sizes[0]) + ','), rows[1]);
    QVERIFY2(rows[2].endsWith(',' + QByteArray::number(sizes[1]) + ",long"), rows[2]);
    window->files().beginFrom(named);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().init.kind, InitKind::given, 20000);
    QCOMPARE(window->session().settings().init.given.size(), std::size_t{4});
    exporter.centroids("/nowhere/centroids.csv");
    QVERIFY(said.wait(20000));
    QVERIFY(said.back()[1].toBool());
  }

  void aPhotographHasItsPosterisedPicture() {
    auto window = windowOn("china.jpg", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() && window->session().last()->iteration > 2, 30000);
    press(*window, ActionId::play);
    QVERIFY(settles(*window));
    const QImage picture = window->viewport()->grabFramebuffer();
    // The sky at the upper edge of the photograph, in the upper right corner of the view.
    const QColor sky = picture.pixelColor(picture.width() - 40, 30);
    QVERIFY2(sky.lightness() > 150, qPrintable(sky.name()));
  }

  void aShotHasExactlyItsSize() {
    QTemporaryDir folder;
    ScreenshotOptions options;
    options.window.settings.backend = BackendRequest::cpu;
    options.window.settings.k = 3;
    options.window.request = file(LLOYD_SOURCE_DIR "/resources/data/iris.csv");
    options.quiet = true;
    options.frames = 3;
    for (const bool viewOnly : {false, true}) {
      options.viewOnly = viewOnly;
      options.size = viewOnly ? QSize(321, 200) : QSize(801, 555);
      options.out = folder.filePath("shot.png");
      QCOMPARE(runShot(options), 0);
      const QImage picture(options.out);
      QCOMPARE(picture.size(), options.size);
      QVERIFY(inked(picture, UiTheme::darkTheme().view) > 200);
    }
    options.out = "/nowhere/shot.png";
    QCOMPARE(runShot(options), 2);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowData>(argc, argv); }
#include "tst_window_data.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/theme.hpp"
#include "app/ui/window/message_bar.hpp"
#include "app/ui/window/screenshot_run.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
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

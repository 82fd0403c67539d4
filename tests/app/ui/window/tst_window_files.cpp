// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette.hpp"
#include "app/ui/view/cluster_colours.hpp"
#include "app/ui/window/bands.hpp"
#include "tests/app/ui/window/window_fixture.hpp"
#include "tests/support/packed_files.hpp"

#include <QComboBox>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lloyd;
using namespace lloyd::test;

/// Archives, packed files and pictures, as a person opens them in the window.
class TestWindowFiles : public QObject {
  Q_OBJECT

  static bool write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
  }
  static bool has(MainWindow& window, std::size_t n) {
    return QTest::qWaitFor([&] { return window.session().data() && window.session().data()->n == n; }, 20000);
  }

private slots:
  void anArchiveAsksForOneOfItsFiles();
  void aPackedTableIsATable();
  void pixelsGetPlaces();
  void whatCannotBeOpenedChangesNothing_data();
  void whatCannotBeOpenedChangesNothing();
};

void TestWindowFiles::whatCannotBeOpenedChangesNothing_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("a word among numbers") << QByteArray("a,b\n1,2\n3,x\n4,5\n6,7\n");
  QTest::newRow("ragged") << QByteArray("a,b\n1,2\n3\n4,5\n");
}

/// The run goes on from where it is, with a centroid that a person has moved, and the reason stays to be
/// read.
void TestWindowFiles::whatCannotBeOpenedChangesNothing() {
  QFETCH(QByteArray, text);
  QTemporaryDir folder;
  const QString path = folder.filePath("bad.csv");
  QVERIFY(write(path, text));
  auto window = windowOn("faithful.csv", 3);
  QVERIFY(converges(*window));
  Session& session = window->session();
  session.moveCentroid(1, std::vector<float>(session.last()->centroids.begin(),
                                             session.last()->centroids.begin() + session.data()->d));
  QTRY_VERIFY(session.byHand());
  QVERIFY(converges(*window));
  const auto points = session.data();
  const auto before = session.last();
  QSignalSpy seeded(&session, &Session::seeded);
  QSignalSpy ended(&session, &Session::loadEnded);
  window->files().openFirst({path});
  QVERIFY(ended.wait(20000));
  QTest::qWait(300);
  QVERIFY(window->messageBar().isVisible());
  QVERIFY2(window->messageBar().text().contains("bad.csv"), qPrintable(window->messageBar().text()));
  QCOMPARE(seeded.size(), qsizetype{0});
  QVERIFY(session.data() == points && session.byHand() && session.converged());
  QCOMPARE(session.last()->centroids, before->centroids);
  // Points that can be opened are played, as ever.
  window->files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/iris.csv")});
  QVERIFY(has(*window, 150));
  QVERIFY(converges(*window) && session.last()->iteration > 0);
}

void TestWindowFiles::anArchiveAsksForOneOfItsFiles() {
  QTemporaryDir folder;
  const QString path = folder.filePath("two.npz");
  QVERIFY(write(path, zipOf({{"points.npy", npyOf(3, 2, {1, 2, 3, 4, 5, 6})},
                             {"others.npy", npyOf(4, 2, {1, 2, 3, 4, 5, 6, 7, 8})}})));
  auto window = windowOn("faithful.csv", 2);
  QVERIFY(converges(*window));
  window->files().openFirst({path});
  QInputDialog* dialog = nullptr;
  QTRY_VERIFY((dialog = window->findChild<QInputDialog*>("memberDialog")) != nullptr && dialog->isVisible());
  QCOMPARE(dialog->comboBoxItems(), (QStringList{"points", "others"}));
  QVERIFY(dialog->labelText().contains("two.npz"));
  QCOMPARE(window->session().data()->n, std::size_t{272}); // until one is chosen
  // By the keyboard alone.
  auto* list = dialog->findChild<QListView*>();
  QVERIFY(list != nullptr);
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Down);
  QTest::keyClick(dialog, Qt::Key_Return);
  QVERIFY(has(*window, 4));
  QVERIFY2(window->windowTitle().contains("two.npz:others"), qPrintable(window->windowTitle()));
  // What was chosen is known by its name, without another question.
  QTRY_COMPARE(window->files().recent().value(0), path + ":others");
  window->files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/iris.csv")});
  QVERIFY(has(*window, 150));
  window->files().openFirst({path + ":others"});
  QVERIFY(has(*window, 4));
  // Nobody has to choose.
  window->files().openFirst({path});
  QTRY_VERIFY((dialog = window->findChild<QInputDialog*>("memberDialog")) != nullptr && dialog->isVisible());
  QTest::keyClick(dialog, Qt::Key_Escape);
  QTRY_VERIFY(window->findChild<QInputDialog*>("memberDialog") == nullptr);
  QCOMPARE(window->session().data()->n, std::size_t{4});
}

void TestWindowFiles::aPackedTableIsATable() {
  QTemporaryDir folder;
  const QString path = folder.filePath("t.csv.gz");
  QVERIFY(write(path, gzipOf("x,y\n1,2\n3,4\n5,7\n")));
  const QString single = folder.filePath("t.zip");
  QVERIFY(write(single, zipOf({{"t.csv", "x,y\n1,2\n3,4\n5,7\n9,9\n"}})));
  auto window = windowOn("faithful.csv", 2);
  QVERIFY(converges(*window));
  window->files().openFirst({path});
  QVERIFY(has(*window, 3));
  window->files().openFirst({single});
  QVERIFY(has(*window, 4));
  // A damaged one is a sentence, and the points stay.
  const QString damaged = folder.filePath("damaged.zip");
  QVERIFY(write(damaged, zipOf({{"t.csv", "x,y\n1,2\n"}}).first(40)));
  window->files().openFirst({damaged});
  QTRY_VERIFY2(window->messageBar().text().contains("the ZIP archive is damaged or cut short"),
               qPrintable(window->messageBar().text()));
  QCOMPARE(window->session().data()->n, std::size_t{4});
}

void TestWindowFiles::pixelsGetPlaces() {
  auto window = windowOn("china.jpg", 6);
  QTRY_VERIFY_WITH_TIMEOUT(window->session().last() != nullptr, 30000);
  auto* pixels = window->findChild<QComboBox*>("pixels");
  QVERIFY(pixels != nullptr && pixels->isVisible());
  QCOMPARE(pixels->currentData().toInt(), static_cast<int>(ImageColumns::rgb));
  pixels->setFocus();
  QTest::keyClick(pixels, Qt::Key_Down);
  QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->d == 5 && window->session().last(), 30000);
  QCOMPARE(window->session().data()->columns, (std::vector<std::string>{"x", "y", "red", "green", "blue"}));
  QCOMPARE(pixels->currentData().toInt(), static_cast<int>(ImageColumns::xyrgb));
  // A cluster has the mean colour of its pixels, whose place is no colour.
  IterationPtr last;
  QTRY_VERIFY_WITH_TIMEOUT((last = window->session().last()) && last->centroids.size() == 30, 30000);
  const Rgb colour = colourOfCentroid(last->centroids.data() + 5, *window->session().data());
  QCOMPARE(static_cast<long>(colour.r), std::lround(last->centroids[7]));
  QCOMPARE(static_cast<long>(colour.b), std::lround(last->centroids[9]));
  QVERIFY(window->findChild<QComboBox*>("colours")->currentText() == "mean colour");
  // Of a table there are no pixels; the next image is read like the one before.
  window->files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/faithful.csv")});
  QVERIFY(has(*window, 272));
  QTRY_VERIFY(!pixels->isVisible());
  window->files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/china.jpg")});
  QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->d == 5, 30000);
}

int main(int argc, char** argv) { return runWindowTest<TestWindowFiles>(argc, argv); }

#include "tst_window_files.moc"

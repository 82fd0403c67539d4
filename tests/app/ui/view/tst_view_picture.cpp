// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/columns/colour_legend.hpp"
#include "app/ui/take_away/clustering_export.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPainter>
#include <QSet>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cstdlib>

using namespace lloyd;
using namespace lloyd::test;

/// The view as a picture to take away: at its own size, from tiles, and with nothing behind it.
class TestViewPicture : public QObject {
  Q_OBJECT

  static PictureWish wish(int scale, bool transparent = false, int mostTile = 2048) {
    PictureWish wish;
    wish.scale = scale;
    wish.transparent = transparent;
    wish.mostTile = mostTile;
    return wish;
  }

  static QImage over(const QImage& picture, QColor ground) {
    QImage whole(picture.size(), QImage::Format_RGB32);
    whole.fill(ground);
    QPainter painter(&whole);
    painter.drawImage(0, 0, picture);
    return whole;
  }

  /// The crowds are of more points than a frame without a GPU has.
  static void addData() {
    QTest::addColumn<QString>("data");
    QTest::newRow("few in a plane") << "faithful.csv";
    QTest::newRow("a line") << "uniform:n=400,d=1";
    QTest::newRow("a crowd in a plane") << "blobs:n=70000,d=2,k=4";
    QTest::newRow("few in space") << "blobs:n=500,d=3,k=4";
    QTest::newRow("a crowd in space") << "blobs:n=70000,d=3,k=4";
  }

  static std::unique_ptr<MainWindow> shown(const QString& data) {
    auto window = windowOn(data.toStdString(), 4);
    window->resize(700, 560);
    return converges(*window) && settles(*window) ? std::move(window) : nullptr;
  }

private slots:
  /// Though a screen without a GPU is drawn in slices: every point is in the picture, as large as there.
  void asLargeAsTheViewItIsTheView_data() { addData(); }
  void asLargeAsTheViewItIsTheView() {
    QFETCH(QString, data);
    auto window = shown(data);
    QVERIFY(window);
    const QImage screen = window->viewport()->grabFramebuffer();
    const QImage picture = pictureOf(*window->viewport(), wish(1));
    const double off = meanDifference(screen, picture); // words are smoothed in another way
    QVERIFY2(off < 0.6, qPrintable(QString::number(off)));
  }

  void everythingGrowsInProportion_data() { addData(); }
  void everythingGrowsInProportion() {
    QFETCH(QString, data);
    auto window = shown(data);
    QVERIFY(window);
    const QImage small = pictureOf(*window->viewport(), wish(1));
    const QImage large = pictureOf(*window->viewport(), wish(3));
    QCOMPARE(large.size(), small.size() * 3);
    const QImage shrunk = large.scaled(small.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const double off =
        meanDifference(small, shrunk); // the edge of a disc is as soft in both, and so narrower
    QVERIFY2(off < 3.5, qPrintable(QString::number(off)));
    // Not the small picture with larger pixels.
    const QImage blown = small.scaled(large.size(), Qt::IgnoreAspectRatio, Qt::FastTransformation);
    QVERIFY(difference(blown, large) > 0.002);
  }

  void tilesFitTogether_data() { addData(); }
  void tilesFitTogether() {
    QFETCH(QString, data);
    auto window = shown(data);
    QVERIFY(window);
    const QImage whole = pictureOf(*window->viewport(), wish(2, false, 8192));
    const QImage tiled = pictureOf(*window->viewport(), wish(2, false, 400));
    // A place is rounded to a part of a pixel; in another tile that may go the other way.
    const double off = meanDifference(whole, tiled);
    QVERIFY2(off < 0.05, qPrintable(QString::number(off)));
    QVERIFY(difference(whole, tiled) < 0.01);
  }

  void nothingIsBehindATransparentOne_data() { addData(); }
  void nothingIsBehindATransparentOne() {
    QFETCH(QString, data);
    auto window = shown(data);
    QVERIFY(window);
    const QImage opaque = pictureOf(*window->viewport(), wish(1));
    const QImage clear = pictureOf(*window->viewport(), wish(1, true));
    int solid = 0;
    int nothing = 0;
    for (int y = 0; y < clear.height(); ++y)
      for (int x = 0; x < clear.width(); ++x) {
        solid += qAlpha(clear.pixel(x, y)) > 200;
        nothing += qAlpha(clear.pixel(x, y)) == 0;
      }
    QVERIFY2(nothing > clear.width() * clear.height() / 3, qPrintable(QString::number(nothing)));
    QVERIFY2(solid > 500, qPrintable(QString::number(solid)));
    // The words have no box: there is nothing just beside them.
    const QRect edge(9, 10, 3, 14);
    int boxed = 0;
    for (int y = edge.top(); y <= edge.bottom(); ++y)
      for (int x = edge.left(); x <= edge.right(); ++x)
        boxed += qAlpha(clear.pixel(x, y)) != 0;
    QVERIFY2(boxed < edge.width() * edge.height() / 2, qPrintable(QString::number(boxed)));
    // All else is the same; the words are in the grey of the axes.
    const Rgb ground = backgroundOf(Theme::dark);
    const double off = meanDifference(opaque, over(clear, {ground.r, ground.g, ground.b}));
    QVERIFY2(off < 0.9, qPrintable(QString::number(off)));
  }

  void theViewIsDrawnAsBeforeAfterwards() {
    auto window = shown("blobs:n=70000,d=2,k=4");
    QVERIFY(window);
    const QImage before = window->viewport()->grabFramebuffer();
    QVERIFY(!pictureOf(*window->viewport(), wish(2)).isNull());
    QVERIFY(settles(*window));
    QCOMPARE(difference(before, window->viewport()->grabFramebuffer()), 0.0);
  }

  void aPictureThatIsTooLargeIsRefused() {
    QVERIFY(ViewPicture::whyNot({4000, 2000}, 8).isEmpty());
    const QString why = ViewPicture::whyNot({4001, 2000}, 8);
    QVERIFY2(why.contains("32008 x 16000") && why.contains("32000"), qPrintable(why));
  }

  /// Colours that the panel explains are explained in the picture itself, which has no panel.
  void coloursOfAColumnHaveTheirKey() {
    auto window = shown("iris.csv");
    QVERIFY(window);
    const QImage plain = pictureOf(*window->viewport(), wish(1));
    auto* colours = window->findChild<QComboBox*>("colours");
    QVERIFY(colours);
    const int species = colours->findText("by species");
    QVERIFY(species >= 0);
    colours->setCurrentIndex(species);
    Q_EMIT colours->activated(species);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->groups() != nullptr, 20000);
    QVERIFY(settles(*window));
    const auto* legend = window->findChild<ColourLegend*>();
    QVERIFY(legend);
    // Classes get the colours of their clusters when a thread has found those.
    std::vector<Rgb> given;
    QImage picture;
    do {
      given = legend->key().colours;
      picture = pictureOf(*window->viewport(), wish(1));
    } while (given != legend->key().colours);
    QCOMPARE(given.size(), std::size_t{3});
    const QImage screen = window->viewport()->grabFramebuffer();
    const QRect corner(picture.width() - 110, 8, 102, 70);
    const auto squares = [&](const QImage& of) {
      QSet<QRgb> seen;
      for (const Rgb colour : given)
        for (int y = corner.top(); y < corner.bottom(); ++y)
          for (int x = corner.left(); x < corner.right(); ++x)
            if (of.pixel(x, y) == qRgb(colour.r, colour.g, colour.b)) seen.insert(of.pixel(x, y));
      return seen.size();
    };
    QCOMPARE(squares(picture), 3);
    QVERIFY(squares(screen) < 3);
    QVERIFY(squares(plain) < 3);
  }

  void theMenuAsksAndWrites() {
    QTemporaryDir folder;
    auto window = shown("faithful.csv");
    QVERIFY(window);
    press(*window, ActionId::exportPicture);
    auto* dialog = window->findChild<PictureDialog*>();
    QVERIFY(dialog);
    dialog->findChild<QSpinBox*>("pictureScale")->setValue(2);
    dialog->findChild<QCheckBox*>("pictureTransparent")->setChecked(true);
    QCOMPARE(dialog->wish().scale, 2);
    QVERIFY(dialog->wish().transparent);
    dialog->accept();
    auto* files = window->findChild<QFileDialog*>();
    QVERIFY(files);
    QVERIFY(files->selectedFiles().value(0).endsWith("faithful-points.png"));
    delete files;
    auto* exporter = window->findChild<ViewExport*>();
    QVERIFY(exporter);
    QSignalSpy said(exporter, &ViewExport::message);
    const QString path = folder.filePath("points.png");
    window->session().restart();
    window->session().play();
    exporter->write(wish(2, true), path);
    QVERIFY(said.wait(20000));
    QVERIFY2(!said.front()[1].toBool(), qPrintable(said.front()[0].toString()));
    const QImage picture(path);
    QCOMPARE(picture.size(), window->viewport()->size() * window->viewport()->devicePixelRatioF() * 2);
    QVERIFY(picture.hasAlphaChannel());
    // The run that played goes on, and one that has converged is not begun again.
    QVERIFY(converges(*window));
    const int iterations = window->session().last()->iteration;
    window->session().moveCentroid(0, {2, 60});
    QVERIFY(QTest::qWaitFor(
        [&] { return window->session().converged() && window->session().last()->iteration > iterations; },
        20000));
    const IterationPtr before = window->session().last();
    exporter->write(wish(1, false), folder.filePath("again.png"));
    QVERIFY(said.wait(20000));
    QTest::qWait(300);
    QVERIFY(window->session().converged());
    QCOMPARE(window->session().last()->iteration, before->iteration);
    QVERIFY(window->session().last()->centroids == before->centroids);
  }

  /// A report of any clustering; the recoloured picture and its palette of photographs alone.
  void theClusteringIsExportedFromTheMenu() {
    QTemporaryDir folder;
    auto window = shown("faithful.csv");
    QVERIFY(window);
    auto* report = window->findChild<QAction*>("exportReport");
    auto* photograph = window->findChild<QAction*>("exportPhotograph");
    auto* palette = window->findChild<QAction*>("exportPalette");
    QVERIFY(report && photograph && palette);
    QVERIFY(report->isEnabled() && !photograph->isEnabled() && !palette->isEnabled());
    auto* exporter = window->findChild<ClusteringExport*>();
    QVERIFY(exporter);
    QSignalSpy said(exporter, &ClusteringExport::message);
    exporter->report(folder.filePath("report.html"));
    QVERIFY(said.wait(20000));
    QVERIFY2(!said.front()[1].toBool(), qPrintable(said.front()[0].toString()));
    QFile page(folder.filePath("report.html"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    QVERIFY(text.contains("lloydscope run ") && text.contains("--k 4"));
    window->files().openFirst({LLOYD_SOURCE_DIR "/resources/data/china.jpg"});
    QTRY_VERIFY_WITH_TIMEOUT(photograph->isEnabled() && palette->isEnabled(), 20000);
    said.clear();
    exporter->palette(folder.filePath("china.gpl"));
    QVERIFY(said.wait(20000));
    QVERIFY2(!said.front()[1].toBool(), qPrintable(said.front()[0].toString()));
    QVERIFY(QFile::exists(folder.filePath("china.gpl")));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestViewPicture>(argc, argv); }
#include "tst_view_picture.moc"

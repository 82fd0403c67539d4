// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/recoloured.hpp"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

/// A photograph in its centroids' colours, and their palette.
class TestRecoloured : public QObject {
  Q_OBJECT

  /// Three pixels across and two down; deep: with 16 bits a channel.
  static PointSet photograph(bool deep = false, bool places = false) {
    PointSet points;
    points.n = 6;
    points.d = places ? 5 : 3;
    points.values.assign(6 * static_cast<std::size_t>(points.d), 0);
    points.scales.resize(static_cast<std::size_t>(points.d));
    points.source = "folder/sea.jpg";
    points.colours = true;
    points.white = deep ? 65535 : 255;
    points.imageWidth = 3;
    points.imageHeight = 2;
    return points;
  }

  static QByteArray written(tl::expected<AtomicFile, std::string> file, const QString& path) {
    if (!file || !file->commit()) return {};
    QFile read(path);
    return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
  }

  static inline const std::vector<float> kCentroids{10.4F, 20.6F, 300, 1, 2, 3};

private slots:
  void everyPixelHasItsCentroidsColour() {
    const std::vector<Label> labels{0, 1, 0, 1, 1, -1};
    const QImage picture = recoloured(photograph(), labels, kCentroids);
    QCOMPARE(picture.size(), QSize(3, 2));
    QCOMPARE(picture.pixel(0, 0), qRgb(10, 21, 255)); // rounded, and no brighter than white
    QCOMPARE(picture.pixel(1, 0), qRgb(1, 2, 3));
    QCOMPARE(picture.pixel(0, 1), qRgb(1, 2, 3));
    QCOMPARE(picture.pixel(2, 1), qRgb(128, 128, 128));
  }

  void coloursAreTheFilesAndNotTheScaledOnes() {
    PointSet points = photograph(true, true);
    points.scales[2] = {.offset = 65535, .factor = 2};
    points.scales[4] = {.offset = 100, .factor = 257};
    const std::vector<float> centroid{7, 8, 0, 257 * 40, 1};
    QCOMPARE(channelsOf(centroid.data(), points), (Channels{255, 40, 1}));
  }

  void whatIsNoPhotographGivesNone() {
    PointSet some = photograph();
    some.n = 5; // a pixel is missing
    QVERIFY(!isPhotograph(some));
    QVERIFY(recoloured(some, std::vector<Label>(5, 0), kCentroids).isNull());
    QVERIFY(recoloured(photograph(), std::vector<Label>(5, 0), kCentroids).isNull());
    QTemporaryDir folder;
    const QString path = folder.filePath("a.png");
    QVERIFY(!recolouredFile(path.toStdString(), photograph(), {}, kCentroids).has_value());
    QVERIFY(!QFile::exists(path));
  }

  void thePictureIsReadBack() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.PNG");
    QVERIFY(whyNotPhotographName(path.toStdString()).empty());
    QVERIFY(!whyNotPhotographName("a.jpg").empty());
    const std::vector<Label> labels{0, 1, 0, 1, 1, 0};
    written(recolouredFile(path.toStdString(), photograph(), labels, kCentroids), path);
    const QImage read(path, "PNG");
    QCOMPARE(read.size(), QSize(3, 2));
    QCOMPARE(read.pixel(1, 1), qRgb(1, 2, 3));
  }

  void palettesBeginWithWhatMostPixelsHave() {
    QTemporaryDir folder;
    const std::vector<std::uint32_t> sizes{2, 4};
    const auto palette = [&](const char* name) {
      const QString path = folder.filePath(name);
      return written(paletteFile(path.toStdString(), photograph(), kCentroids, sizes), path);
    };
    QCOMPARE(palette("p.gpl"), QByteArray("GIMP Palette\nName: sea.jpg in 2 colours\nColumns: 8\n#\n"
                                          "  1   2   3\tcluster 1\n 10  21 255\tcluster 0\n"));
    QCOMPARE(palette("p.csv"), QByteArray("cluster,pixels,red,green,blue,hex\n1,4,1,2,3,#010203\n"
                                          "0,2,10,21,255,#0a15ff\n"));
    QCOMPARE(palette("p.hex"), QByteArray("010203\n0a15ff\n"));
    QVERIFY(palette("p.txt").isEmpty());
    QVERIFY(whyNotPaletteName("p.txt").find("p.txt") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TestRecoloured)
#include "tst_recoloured.moc"

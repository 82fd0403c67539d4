// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/table/table.hpp"
#include "tests/app/data/data_support.hpp"

#include <QBuffer>
#include <QImage>

using namespace lloyd;
using namespace lloyd::test;

/// The data that ships with the program, and images of every format.
class TestSamples : public QObject {
  Q_OBJECT
private slots:
  void faithful() {
    const auto points = readPoints(sampleFile("faithful.csv"));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 272U);
    QCOMPARE(points->columns, (std::vector<std::string>{"eruptions", "waiting"}));
    QCOMPARE(row(*points, 0), (std::vector<float>{3.6F, 79}));
    QVERIFY(points->remarks.empty());
  }
  void quakes() {
    const auto points = readPoints(sampleFile("quakes.csv"));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 1000U);
    QCOMPARE(points->d, 5);
    QCOMPARE(row(*points, 0), (std::vector<float>{-20.42F, 181.62F, 562, 4.8F, 41}));
    const auto places = readPoints(sampleFile("quakes.csv"), {.columns = {"lat", "long", "depth"}});
    REQUIRE_POINTS(places);
    QCOMPARE(places->d, 3);
  }
  void irisWithoutItsSpecies() {
    const auto points = readPoints(sampleFile("iris.csv"));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 150U);
    QCOMPARE(points->d, 4);
    QCOMPARE(points->remarks,
             (std::vector<std::string>{"column \"species\" is taken as the class, not as a feature: it holds "
                                       "3 different texts in 150 rows"}));
    QCOMPARE(classNames(*points), (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
    QCOMPARE(classOf(*points, 0), 0);
    QCOMPARE(classOf(*points, 149), 2);
  }
  void chinaAsColours() {
    const auto points = readPoints(sampleFile("china.jpg"));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 640U * 427U);
    QVERIFY(points->colours);
    QCOMPARE(points->imageWidth, 640);
    QCOMPARE(points->imageHeight, 427);
    const QImage image(QString::fromStdString(sampleFile("china.jpg")));
    for (const int y : {0, 100, 426}) {
      for (const int x : {0, 321, 639}) {
        const QColor colour = image.pixelColor(x, y);
        const std::vector<float> expected{static_cast<float>(colour.red()),
                                          static_cast<float>(colour.green()),
                                          static_cast<float>(colour.blue())};
        QCOMPARE(row(*points, static_cast<std::size_t>(y) * 640 + static_cast<std::size_t>(x)), expected);
      }
    }
  }
  void imageFormats_data() {
    QTest::addColumn<QByteArray>("format");
    for (const char* format : {"png", "bmp", "ppm"})
      QTest::newRow(format) << QByteArray(format);
  }
  void imageFormats() {
    QFETCH(QByteArray, format);
    QImage image(3, 2, QImage::Format_RGB888);
    for (int i = 0; i < 6; ++i)
      image.setPixelColor(i % 3, i / 3, QColor(i, 100 + i, 250 - i));
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QVERIFY(image.save(&buffer, format.constData()));
    const auto points = readPoints(scratch_.write("image." + format, buffer.data()));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 6U);
    QCOMPARE(row(*points, 4), (std::vector<float>{4, 104, 246}));
    // The bytes decide, not the name.
    const auto unnamed = readPoints(scratch_.write("image", buffer.data()));
    REQUIRE_POINTS(unnamed);
  }
  void filesMadeElsewhere() {
    const auto ppm = readPoints(dataFile("odd/two_by_one.ppm"));
    REQUIRE_POINTS(ppm);
    QCOMPARE(row(*ppm, 0), (std::vector<float>{255, 0, 10}));
    const auto bmp = readPoints(dataFile("odd/four_by_four.bmp"));
    REQUIRE_POINTS(bmp);
    QCOMPARE(row(*bmp, 12), (std::vector<float>{2, 1, 0})); // a BMP begins at the bottom, blue first
  }
  void transparencyIsSaid() {
    QImage image(2, 1, QImage::Format_ARGB32);
    image.setPixel(0, 0, qRgba(10, 20, 30, 0));
    image.setPixel(1, 0, qRgba(40, 50, 60, 255));
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QVERIFY(image.save(&buffer, "png"));
    const auto points = readPoints(scratch_.write("clear.png", buffer.data()));
    REQUIRE_POINTS(points);
    QCOMPARE(row(*points, 0), (std::vector<float>{10, 20, 30}));
    QCOMPARE(points->remarks.size(), 1U);
  }
  void someColours() {
    const auto points = readPoints(sampleFile("china.jpg"), {.columns = {"blue", "0"}});
    REQUIRE_POINTS(points);
    QCOMPARE(points->columns, (std::vector<std::string>{"blue", "red"}));
    QVERIFY(!points->colours);
  }
  void cancelledImage() {
    std::atomic<bool> stop{true};
    ReadControl control;
    control.cancel = &stop;
    const auto points = readPoints(sampleFile("china.jpg"), {}, control);
    QVERIFY(!points);
    QVERIFY(points.error().cancelled);
  }

private:
  Scratch scratch_;
};

QTEST_GUILESS_MAIN(TestSamples)
#include "tst_samples.moc"

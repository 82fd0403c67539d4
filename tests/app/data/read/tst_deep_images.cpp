// SPDX-License-Identifier: GPL-3.0-or-later
// Images of 16 bits a colour, TIFF and WebP, and a pixel's place as columns.
#include "tests/app/data/data_support.hpp"

#include <QBuffer>
#include <QImage>
#include <QtEndian>

#include <unistd.h>

using namespace lloyd;
using namespace lloyd::test;

namespace {

QByteArray saved(const QImage& image, const char* format, int quality = 100) {
  QBuffer buffer;
  if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, format, quality)) return {};
  return buffer.data();
}

/// 3 x 2 pixels, each of another colour of 16 bits.
QImage deepImage() {
  QImage image(3, 2, QImage::Format_RGBX64);
  for (int i = 0; i < 6; ++i)
    image.setPixelColor(i % 3, i / 3,
                        QColor::fromRgba64(static_cast<quint16>(0x0102 + i),
                                           static_cast<quint16>(0x8003 + 7 * i),
                                           static_cast<quint16>(0xFFFF - i)));
  return image;
}
std::vector<float> deepPixel(int i) {
  return {static_cast<float>(0x0102 + i), static_cast<float>(0x8003 + 7 * i), static_cast<float>(0xFFFF - i)};
}

QImage plainImage() {
  QImage image(3, 2, QImage::Format_RGB888);
  for (int i = 0; i < 6; ++i)
    image.setPixelColor(i % 3, i / 3, QColor(i, 100 + i, 250 - i));
  return image;
}

/// A TIFF file of one strip, whose numbers a test may falsify.
struct Tiff {
  quint32 width = 2;
  quint32 height = 2;
  quint16 bits = 8;
  quint16 compression = 1;
  quint16 photometric = 2;
  quint16 samples = 3;
  quint32 rowsPerStrip = 2;
  quint32 stripOffset = 0; ///< 0: right
  quint32 stripBytes = 0;  ///< 0: right
  quint32 firstDirectory = 8;
  quint32 nextDirectory = 0;
  QByteArray pixels = QByteArray(12, '\x40');

  [[nodiscard]] QByteArray bytes() const {
    const auto small = [](quint32 value, int size) {
      QByteArray item(4, '\0');
      qToLittleEndian(value, item.data());
      return item.first(size);
    };
    const quint32 bitsAt = 8 + 2 + 9 * 12 + 4;
    const quint32 pixelsAt = bitsAt + 6;
    QByteArray file = QByteArray("II*\0", 4) + small(firstDirectory, 4) + small(9, 2);
    const auto entry = [&](quint32 tag, quint32 type, quint32 count, quint32 value) {
      file += small(tag, 2) + small(type, 2) + small(count, 4) + small(value, 4);
    };
    entry(256, 4, 1, width);
    entry(257, 4, 1, height);
    entry(258, 3, 3, bitsAt);
    entry(259, 3, 1, compression);
    entry(262, 3, 1, photometric);
    entry(273, 4, 1, stripOffset != 0 ? stripOffset : pixelsAt);
    entry(277, 3, 1, samples);
    entry(278, 4, 1, rowsPerStrip);
    entry(279, 4, 1, stripBytes != 0 ? stripBytes : static_cast<quint32>(pixels.size()));
    return file + small(nextDirectory, 4) + small(bits, 2) + small(bits, 2) + small(bits, 2) + pixels;
  }
};

/// What is written to standard error while it lives.
class ErrorOutput {
public:
  ErrorOutput() : kept_(::dup(STDERR_FILENO)) {
    const bool opened = file_.open(QIODevice::ReadWrite | QIODevice::Truncate);
    if (opened) ::dup2(file_.handle(), STDERR_FILENO);
  }
  ~ErrorOutput() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }
  ErrorOutput(const ErrorOutput&) = delete;
  ErrorOutput& operator=(const ErrorOutput&) = delete;
  [[nodiscard]] QByteArray text() {
    file_.seek(0);
    return file_.readAll();
  }

private:
  QTemporaryDir folder_;
  QFile file_{folder_.filePath(QStringLiteral("errors"))};
  int kept_;
};

} // namespace

class TestDeepImages : public QObject {
  Q_OBJECT
private slots:
  void sixteenBitsStay_data();
  void sixteenBitsStay();
  void otherFormats_data();
  void otherFormats();
  void greyOfSixteenBits();
  void placesAreColumns();
  void placesOfAnImageOnly();
  void theFirstOfSeveralPictures();
  void hostile_data();
  void hostile();
  void aCutAnywhereIsRefused_data();
  void aCutAnywhereIsRefused();

private:
  Scratch scratch_;
};

void TestDeepImages::sixteenBitsStay_data() {
  QTest::addColumn<QByteArray>("format");
  QTest::newRow("png") << QByteArray("png");
  QTest::newRow("tiff") << QByteArray("tiff");
}

void TestDeepImages::sixteenBitsStay() {
  QFETCH(QByteArray, format);
  const QByteArray bytes = saved(deepImage(), format);
  QVERIFY(!bytes.isEmpty());
  const auto points = readPoints(scratch_.write("deep." + format, bytes));
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 6U);
  for (int i = 0; i < 6; ++i)
    QCOMPARE(row(*points, static_cast<std::size_t>(i)), deepPixel(i));
  QVERIFY(points->colours);
  QCOMPARE(points->white, 65535.0F);
  QCOMPARE(points->remarks,
           (std::vector<std::string>{"the image has 16 bits a colour: red, green and blue go to 65,535"}));
}

void TestDeepImages::otherFormats_data() {
  QTest::addColumn<QByteArray>("format");
  for (const char* format : {"tiff", "tif", "webp"})
    QTest::newRow(format) << QByteArray(format);
}

void TestDeepImages::otherFormats() {
  QFETCH(QByteArray, format);
  const QByteArray bytes = saved(plainImage(), format); // WebP of quality 100 loses nothing
  QVERIFY(!bytes.isEmpty());
  for (const QByteArray& name : {"image." + format, QByteArray("image")}) {
    const auto points = readPoints(scratch_.write(name, bytes));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 6U);
    QCOMPARE(row(*points, 4), (std::vector<float>{4, 104, 246}));
    QCOMPARE(points->white, 255.0F);
    QVERIFY(points->remarks.empty());
  }
}

void TestDeepImages::greyOfSixteenBits() {
  QImage image(1, 1, QImage::Format_Grayscale16);
  image.fill(0);
  *reinterpret_cast<quint16*>(image.bits()) = 0x1234;
  for (const QByteArray format : {"png", "tiff"}) {
    const auto points = readPoints(scratch_.write("grey." + format, saved(image, format)));
    REQUIRE_POINTS(points);
    QCOMPARE(row(*points, 0), (std::vector<float>{0x1234, 0x1234, 0x1234}));
  }
}

void TestDeepImages::placesAreColumns() {
  const std::string path = scratch_.write("places.png", saved(plainImage(), "png"));
  const auto points = readPoints(path, {.image = ImageColumns::xyrgb});
  REQUIRE_POINTS(points);
  QCOMPARE(points->columns, (std::vector<std::string>{"x", "y", "red", "green", "blue"}));
  QCOMPARE(row(*points, 0), (std::vector<float>{0, 0, 0, 100, 250}));
  QCOMPARE(row(*points, 5), (std::vector<float>{2, 1, 5, 105, 245}));
  QVERIFY(points->colours);
  QCOMPARE(points->imageWidth, 3);
  const auto some = readPoints(path, {.columns = {"y", "green"}, .image = ImageColumns::xyrgb});
  REQUIRE_POINTS(some);
  QCOMPARE(row(*some, 4), (std::vector<float>{1, 104}));
  QVERIFY(!some->colours);
  QVERIFY(!readPoints(path, {.columns = {"y"}}));
}

void TestDeepImages::placesOfAnImageOnly() {
  const auto points = readPoints(sampleFile("faithful.csv"), {.image = ImageColumns::xyrgb});
  REQUIRE_POINTS(points);
  QCOMPARE(points->d, 2);
}

void TestDeepImages::theFirstOfSeveralPictures() {
  Tiff two;
  two.nextDirectory = 8 + 2 + 9 * 12 + 4 + 6 + 12;
  const QByteArray first = two.bytes();
  const auto points = readPoints(scratch_.write("two.tiff", first + Tiff().bytes().sliced(8)));
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 3), (std::vector<float>{64, 64, 64}));
  QCOMPARE(points->remarks.size(), 1U);
  QCOMPARE(points->remarks.front(), std::string("the first of 2 pictures in the file is used"));
}

void TestDeepImages::hostile_data() {
  QTest::addColumn<QByteArray>("bytes");
  const auto file = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes; };
  const auto tiff = [&](const char* name, const auto& change) {
    Tiff one;
    change(one);
    file(name, one.bytes());
  };
  tiff("wide.tiff", [](Tiff& t) { t.width = 0x7FFFFFFF; });
  tiff("huge.tiff", [](Tiff& t) { t.width = t.height = 100000; });
  tiff("no width.tiff", [](Tiff& t) { t.width = 0; });
  tiff("no rows.tiff", [](Tiff& t) { t.height = 0; });
  tiff("strip outside.tiff", [](Tiff& t) { t.stripOffset = 0x7FFFFFF0; });
  tiff("strip too long.tiff", [](Tiff& t) { t.stripBytes = 0x7FFFFFF0, t.height = t.rowsPerStrip = 4000; });
  tiff("bits.tiff", [](Tiff& t) { t.bits = 3; });
  tiff("directory outside.tiff", [](Tiff& t) { t.firstDirectory = 0x7FFFFFFF; });
  tiff("directory is the header.tiff", [](Tiff& t) { t.firstDirectory = 0; });
  tiff("unknown compression.tiff", [](Tiff& t) { t.compression = 4711; });
  tiff("no LZW.tiff", [](Tiff& t) { t.compression = 5; });
  tiff("no deflate.tiff", [](Tiff& t) { t.compression = 8; });
  file("large kind.tiff", QByteArray("II+\0\x08\0\0\0", 8) + QByteArray(40, '\0'));
  file("magic.tiff", QByteArray("II,\0", 4) + Tiff().bytes().sliced(4));
  file("floats.tiff", saved(deepImage().convertToFormat(QImage::Format_RGBX32FPx4), "tiff"));

  const QByteArray webp = saved(plainImage(), "webp");
  const auto changed = [&](qsizetype at, const QByteArray& by) {
    return QByteArray(webp).replace(at, by.size(), by);
  };
  file("longer.webp", changed(4, "\xff\xff\xff\x7f"));
  file("shorter.webp", changed(4, QByteArray("\x04\0\0\0", 4)));
  file("magic.webp", changed(8, "WAVE"));
  file("chunk.webp", changed(12, "JUNK"));
  file("chunk size.webp", changed(16, "\xff\xff\xff\x7f"));
  file("no chunk size.webp", changed(16, QByteArray(4, '\0')));
  file("signature.webp", changed(20, QByteArray(1, '\0')));
  file("huge.webp", changed(21, "\xff\xff\xff\x0f"));
  file("noise.webp", changed(25, QByteArray(webp.size() - 25, '\xa5')));
  file("only the header.webp", QByteArray(webp).first(12));

  const QByteArray png = saved(deepImage(), "png");
  const auto damaged = [&](qsizetype at, const QByteArray& by) {
    return QByteArray(png).replace(at, by.size(), by);
  };
  file("wide.png", damaged(16, "\x7f\xff\xff\xff"));
  file("depth.png", damaged(24, "\x20"));
  file("colours.png", damaged(25, "\x05"));
  file("data.png", damaged(png.indexOf("IDAT") + 6, "!!!!"));
  file("a table.png", "x,y\n1,2\n");
}

void TestDeepImages::hostile() {
  QFETCH(QByteArray, bytes);
  QVERIFY(!bytes.isEmpty());
  const std::string path = scratch_.write(QTest::currentDataTag(), bytes);
  ErrorOutput errors;
  const auto points = readPoints(path);
  const QByteArray said = errors.text();
  QVERIFY2(!points, "the file was read");
  QVERIFY(!points.error().message.empty());
  QVERIFY2(points.error().message.find('\n') == std::string::npos, points.error().message.c_str());
  QVERIFY2(said.isEmpty(), said.constData());
}

void TestDeepImages::aCutAnywhereIsRefused_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::newRow("cut.tiff") << saved(deepImage(), "tiff");
  QTest::newRow("cut directory first.tiff") << Tiff().bytes();
  QTest::newRow("cut.webp") << saved(plainImage(), "webp");
  QTest::newRow("cut.png") << saved(deepImage(), "png");
}

void TestDeepImages::aCutAnywhereIsRefused() {
  QFETCH(QByteArray, bytes);
  REQUIRE_POINTS(readPoints(scratch_.write(QTest::currentDataTag(), bytes)));
  for (qsizetype size = 1; size < bytes.size(); ++size) {
    ErrorOutput errors;
    const auto points = readPoints(scratch_.write(QTest::currentDataTag(), bytes.first(size)));
    QVERIFY2(!points, qPrintable(QStringLiteral("%1 of %2 bytes were read").arg(size).arg(bytes.size())));
    const QByteArray said = errors.text();
    QVERIFY2(said.isEmpty(), said.constData());
  }
}

QTEST_GUILESS_MAIN(TestDeepImages)
#include "tst_deep_images.moc"

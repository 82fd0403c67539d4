// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/data/data_support.hpp"

#include <QRegularExpression>
#include <QtEndian>

#include <zlib.h>

#include <atomic>

using namespace lloyd;
using namespace lloyd::test;

class TestImageReader : public QObject {
  Q_OBJECT
private slots:
  void manyChunksAreOneWalk();
  void aCutAnywhereIsSeen();
  void aPartThatIsDamagedIsNamed();
  void aPictureThatIsNoLongerWantedIsLeftInSilence();

private:
  [[nodiscard]] std::string refusal(const QByteArray& bytes) const {
    const auto points = readPoints(scratch_.write("picture.png", bytes));
    return points ? std::string() : points.error().sentence();
  }
  Scratch scratch_;
};

namespace {

QByteArray bigEndian(quint32 value) {
  QByteArray bytes(4, '\0');
  qToBigEndian(value, bytes.data());
  return bytes;
}

QByteArray chunk(const char* name, const QByteArray& data = {}) {
  const QByteArray sum = name + data;
  return bigEndian(static_cast<quint32>(data.size())) + sum +
         bigEndian(static_cast<quint32>(
             crc32_z(0, reinterpret_cast<const Bytef*>(sum.data()), static_cast<z_size_t>(sum.size()))));
}

/// No picture, but nothing that a walk over its chunks could find.
QByteArray png(int chunks) {
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", QByteArray(13, '\0')) + chunk("tEXt").repeated(chunks) +
         chunk("IEND");
}

} // namespace

/// Were the rest of the file copied for each chunk, these would be 10^13 bytes, and the test would run into
/// its limit.
void TestImageReader::manyChunksAreOneWalk() {
  const std::string sentence = refusal(png(1'000'000));
  QVERIFY2(!sentence.empty() && sentence.find("cut short: its last chunk") == std::string::npos,
           sentence.c_str());
}

void TestImageReader::aCutAnywhereIsSeen() {
  const QByteArray whole = png(2);
  for (qsizetype size = 8; size < whole.size() - 4; ++size)
    QVERIFY2(refusal(whole.first(size)).find("cut short") != std::string::npos,
             QByteArray::number(size).constData());
}

/// libpng would say so on standard error, beside the one sentence.
void TestImageReader::aPartThatIsDamagedIsNamed() {
  QByteArray bytes = png(2);
  bytes[bytes.size() - 20] = 'x'; // in the name of the second text
  const std::string sentence = refusal(bytes);
  QVERIFY2(sentence.ends_with("the part at byte 45 does not have its check sum"), sentence.c_str());
  QVERIFY(refusal(png(0).replace("IHDR", "JHDR")).ends_with("it does not begin with its header"));
}

/// Decoders take the file that ends for one that is damaged.
void TestImageReader::aPictureThatIsNoLongerWantedIsLeftInSilence() {
  QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
  for (int reports = 1; reports < 40; ++reports) {
    std::atomic<bool> cancel = false;
    int left = reports;
    const ReadControl control{.progress = [&](std::uint64_t, double) { cancel = --left <= 0; },
                              .cancel = &cancel};
    const auto points = readPoints(LLOYD_SOURCE_DIR "/resources/data/china.jpg", {}, control);
    QVERIFY(points || points.error().cancelled);
  }
}

QTEST_APPLESS_MAIN(TestImageReader)
#include "tst_image_reader.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/data/data_support.hpp"

using namespace lloyd;
using namespace lloyd::test;

class TestImageReader : public QObject {
  Q_OBJECT
private slots:
  void manyChunksAreOneWalk();
  void aCutAnywhereIsSeen();

private:
  [[nodiscard]] std::string refusal(const QByteArray& bytes) const {
    const auto points = readPoints(scratch_.write("picture.png", bytes));
    return points ? std::string() : points.error().sentence();
  }
  Scratch scratch_;
};

namespace {

QByteArray chunk(const char* name) { return QByteArray(4, '\0') + name + QByteArray(4, '\0'); }

QByteArray png(int chunks) { return "\x89PNG\r\n\x1a\n" + chunk("tEXt").repeated(chunks) + chunk("IEND"); }

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

QTEST_APPLESS_MAIN(TestImageReader)
#include "tst_image_reader.moc"

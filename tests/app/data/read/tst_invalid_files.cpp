// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/data/data_support.hpp"

#include <sys/stat.h>
#include <unistd.h>

using namespace lloyd;
using namespace lloyd::test;

/// Every bad file in tests/fixtures/invalid, with the words and the place that a person must be told.
class TestInvalidFiles : public QObject {
  Q_OBJECT
private slots:
  void files_data();
  void files();
  void everyFileIsListed();
  void notFiles();
  void filesBeyondFourGigabytes();

private:
  QStringList listed_;
};

void TestInvalidFiles::files_data() {
  QTest::addColumn<QString>("words");
  QTest::addColumn<qulonglong>("line");
  QTest::addColumn<qulonglong>("column");
  listed_.clear();
  const auto file = [this](const char* name, const char* words, qulonglong line = 0, qulonglong column = 0) {
    QTest::newRow(name) << QString::fromUtf8(words) << line << column;
    listed_ << name;
  };
  file("mixed_column.csv", "expected a number, found \"abc\"", 2, 3);
  file("mixed_late.csv", "expected a number, found \"abc\"", 3, 1);
  file("text_before_numbers.csv", "expected a number, found \"abc\"", 2, 1);
  file("ragged_short.csv", "this row has 1 field, but 2 were expected, as in line 1", 3, 2);
  file("ragged_long.csv", "this row has more fields, but 2 were expected, as in line 1", 2, 5);
  file("ragged_single.csv", "this row has more fields, but 1 was expected, as in line 1", 2, 3);
  file("noise.dat", "it holds bytes that are no text, the first of them here", 1, 4);
  file("embedded_nul.csv", "a NUL character", 2, 3);
  file("empty.csv", "the file is empty");
  file("blank_lines.csv", "no rows in it");
  file("header_only.csv", "a header, but no row of numbers");
  file("only_text.csv", "no column holds numbers");
  file("no_finite_row.csv", "no points are left");
  file("open_quote.csv", "the quote that opens here is never closed", 2, 3);
  file("after_quote.csv", "expected a comma after the closing quote of \"2\"", 2, 3);
  file("hexadecimal.csv", "expected a number, found \"0x1p3\"", 2, 3);
  file("number_then_letters.csv", "expected a number, found \"1.5abc\"", 3, 3);
  file("two_decimal_marks.csv", "\"1.5\" has a decimal point, but numbers before it have a decimal comma", 3,
       1);
  file("utf16.csv", "UTF-16; save it as UTF-8");
  file("spreadsheet.xlsx", "the ZIP archive is damaged or cut short: its directory is missing");
  file("compressed.csv.gz", "the gzip data are damaged or cut short");
  file("cloud.ply", "the header has no element vertex");
  file("document.pdf", "PDF document");
  file("program", "it is a program");
  file("not_an_image.png", "it is no png image");
  file("not_an_array.npy", "it is no NPY file");
  file("truncated.jpg", "the JPEG file is cut short");
  file("truncated.png", "the PNG file is cut short: its last chunk is missing");
  file("truncated.bmp", "the BMP file is cut short: its header promises 102 bytes, and it has 80");
  file("truncated.ppm", "damaged or cut short");
  file("promises_pixels.png", "the header promises 7000 x 7000 pixels");
  file("truncated.npy", "promises 100 x 3 values of 4 bytes, but 400 bytes follow it");
  file("more_than_promised.npy", "promises 2 x 2 values of 4 bytes, but 20 bytes follow it");
  file("huge_rows.npy", "promises 9223372036854775808 x 2 values of 8 bytes, but 64 bytes follow it");
  file("huge_product.npy", "promises 4294967296 x 4294967296 values");
  file("more_than_64_bits.npy", "a length is no whole number of 64 bits");
  file("float16.npy", "float16 values; expected float32, float64 or integers");
  file("complex.npy", "complex numbers; expected");
  file("objects.npy", "Python objects; expected");
  file("text.npy", "text; expected");
  file("booleans.npy", "true and false; expected");
  file("structures.npy", "structures; expected");
  file("three_dimensions.npy", "the array has 3 dimensions; expected 1 (values) or 2");
  file("scalar.npy", "the array has 0 dimensions");
  file("no_rows.npy", "the array has no values in it");
  file("no_shape.npy", "a key is missing");
  file("version9.npy", "NPY version 9 is not known");
  file("header_past_end.npy", "the NPY header is said to end at byte 2147483659, but the file has 14");
  file("signature_only.npy", "the NPY header is cut short");
}

void TestInvalidFiles::files() {
  QFETCH(QString, words);
  QFETCH(qulonglong, line);
  QFETCH(qulonglong, column);
  const auto points = readPoints(dataFile(std::string("invalid/") + QTest::currentDataTag()));
  QVERIFY2(!points, "the file was read");
  const QString message = QString::fromStdString(points.error().message);
  QVERIFY2(message.contains(words), qPrintable(message));
  QVERIFY2(!message.contains('\n'), "a message is one line");
  QCOMPARE(points.error().line, line);
  QCOMPARE(points.error().column, column);
  QVERIFY(!points.error().cancelled);
  const QString sentence = QString::fromStdString(points.error().sentence());
  QVERIFY(sentence.contains(QTest::currentDataTag()));
  if (line != 0) QVERIFY(sentence.contains(QString(":%1:%2: ").arg(line).arg(column)));
}

void TestInvalidFiles::everyFileIsListed() {
  QStringList present = QDir(QString::fromStdString(dataFile("invalid"))).entryList(QDir::Files);
  present.sort();
  listed_.sort();
  QCOMPARE(listed_, present);
}

void TestInvalidFiles::notFiles() {
  const Scratch scratch;
  const auto message = [](const std::string& path) {
    const auto points = readPoints(path);
    return points ? std::string("it was read") : points.error().message;
  };
  QCOMPARE(message(scratch.path("absent.csv")), std::string("there is no such file"));
  QCOMPARE(message(dataFile("invalid")), std::string("it is a folder; name a file in it"));
  QCOMPARE(message("/dev/null"), std::string("it is a device, not a file"));
  QCOMPARE(message(dataFile("odd/tabs.tsv/x")), std::string("a part of the path is not a folder"));
  QVERIFY(!readPoints(""));
  const std::string pipe = scratch.path("pipe.csv");
  QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
  QVERIFY(message(pipe).starts_with("it is a pipe"));
  const std::string locked = scratch.write("locked.csv", "1,2\n");
  QCOMPARE(::chmod(locked.c_str(), 0), 0);
  if (::geteuid() == 0) QSKIP("root may read everything");
  QCOMPARE(message(locked), std::string("permission to read it is missing"));
}

/// Most of each is a hole, which takes no room on the disk.
void TestInvalidFiles::filesBeyondFourGigabytes() {
  const Scratch scratch;
  constexpr qint64 bytes = qint64{5} << 30;
  const auto grown = [&](const char* name, const QByteArray& head) {
    const std::string path = scratch.write(name, head);
    return QFile::resize(QString::fromStdString(path), bytes) ? readPoints(path) : readPoints("");
  };
  QByteArray header("{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }");
  header.append(QByteArray(117 - header.size(), ' ') + '\n');
  const auto array = grown("large.npy", QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header);
  QVERIFY(!array);
  QVERIFY2(array.error().message.find("promises 4 x 2 values of 8 bytes, but 5,368,708,992 bytes") !=
               std::string::npos,
           array.error().message.c_str());
  const auto table = grown("large.csv", "x,y\n1,2\n3,4\n");
  QVERIFY(!table);
  QVERIFY2(table.error().line == 4 && table.error().message.find("longer than 64 MiB") != std::string::npos,
           table.error().sentence().c_str());
}

QTEST_GUILESS_MAIN(TestInvalidFiles)
#include "tst_invalid_files.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/lzf.hpp"
#include "tests/app/data/data_support.hpp"

#include <QtEndian>

#include <bit>
#include <cmath>
#include <limits>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr double hole = std::numeric_limits<double>::quiet_NaN();

/// Values as the bytes of a file.
class Bytes {
public:
  explicit Bytes(bool bigEndian = false) : big_(bigEndian) {}
  template <class T>
  Bytes& add(std::initializer_list<double> values) {
    for (const double value : values) {
      auto one = static_cast<T>(value);
      QByteArray item(reinterpret_cast<const char*>(&one), sizeof(T));
      if (big_ != (std::endian::native == std::endian::big)) std::reverse(item.begin(), item.end());
      bytes_ += item;
    }
    return *this;
  }
  Bytes& word(quint32 value) {
    QByteArray item(4, '\0');
    qToLittleEndian(value, item.data());
    bytes_ += item;
    return *this;
  }
  operator QByteArray() const { return bytes_; }

private:
  bool big_;
  QByteArray bytes_;
};

QByteArray plyHead(const char* format, int points, const char* properties) {
  return QByteArray("ply\nformat ") + format + " 1.0\ncomment made by a test\nelement vertex " +
         QByteArray::number(points) + "\n" + properties + "end_header\n";
}
constexpr const char* xyz = "property float x\nproperty float y\nproperty float z\n";
constexpr const char* coloured =
    "property double x\nproperty double y\nproperty double z\nproperty float nx\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\n";

QByteArray pcdHead(const char* fields, const char* sizes, const char* types, const char* counts, int points,
                   const char* data) {
  return QByteArray("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS ") + fields + "\nSIZE " +
         sizes + "\nTYPE " + types + "\nCOUNT " + counts + "\nWIDTH " + QByteArray::number(points) +
         "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " + QByteArray::number(points) + "\nDATA " + data +
         "\n";
}
QByteArray pcdXyz(int points, const char* data) {
  return pcdHead("x y z", "4 4 4", "F F F", "1 1 1", points, data);
}

/// As LZF: runs of bytes as they are, and after each a copy of what was four bytes before, where it is.
QByteArray lzfOf(const QByteArray& bytes) {
  QByteArray packed;
  qsizetype at = 0;
  while (at < bytes.size()) {
    qsizetype copies = 0;
    while (at >= 4 && at + copies < bytes.size() && copies < 264 &&
           bytes[at + copies] == bytes[at + copies - 4])
      ++copies;
    if (copies < 3) {
      packed += '\0';
      packed += bytes[at++];
      continue;
    }
    const auto length = static_cast<unsigned>(copies - 2);
    packed += static_cast<char>(std::min(length, 7U) << 5);
    if (length >= 7) packed += static_cast<char>(length - 7);
    packed += '\x03'; // four bytes back
    at += copies;
  }
  return packed;
}

QByteArray pcdPacked(int points, const QByteArray& bytes) {
  const QByteArray packed = lzfOf(bytes);
  return pcdXyz(points, "binary_compressed") +
         QByteArray(
             Bytes().word(static_cast<quint32>(packed.size())).word(static_cast<quint32>(bytes.size()))) +
         packed;
}

} // namespace

class TestPointClouds : public QObject {
  Q_OBJECT
private slots:
  void plyAsText();
  void plyAsBytes_data();
  void plyAsBytes();
  void otherElementsArePassedOver();
  void pcdAsText();
  void pcdAsBytes();
  void pcdPackedByField();
  void fieldsOfSeveralValues();
  void missingPointsAreDropped();
  void digitsStay_data();
  void digitsStay();
  void manyPoints();
  void lzfStaysWithinItsBytes();
  void hostile_data();
  void hostile();

private:
  Scratch scratch_;
};

void TestPointClouds::plyAsText() {
  const std::string path =
      scratch_.write("text.ply", plyHead("ascii", 2, coloured) + "1 2.5 -3 0 255 128 0\r\n4 5 6e1 1 0 1 2\n");
  const auto points = readPoints(path);
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 2U);
  QCOMPARE(points->columns, (std::vector<std::string>{"x", "y", "z"}));
  QCOMPARE(row(*points, 0), (std::vector<float>{1, 2.5F, -3}));
  QCOMPARE(row(*points, 1), (std::vector<float>{4, 5, 60}));
  QCOMPARE(points->remarks,
           (std::vector<std::string>{"only x, y and z are used; left out: nx, red, green, blue"}));
  QVERIFY(!points->colours);
  const auto colours = readPoints(path, {.columns = {"x", "red", "green", "blue"}});
  REQUIRE_POINTS(colours);
  QCOMPARE(row(*colours, 0), (std::vector<float>{1, 255, 128, 0}));
  QVERIFY(colours->colours);
  QCOMPARE(colours->white, 255.0F);
  QVERIFY(colours->remarks.empty());
  QVERIFY(!readPoints(path, {.columns = {"green", "red", "blue"}})->colours);
}

void TestPointClouds::plyAsBytes_data() {
  QTest::addColumn<bool>("big");
  QTest::newRow("little_endian") << false;
  QTest::newRow("big_endian") << true;
}

void TestPointClouds::plyAsBytes() {
  QFETCH(bool, big);
  Bytes bytes(big);
  bytes.add<double>({1, 2.5, -3}).add<float>({0}).add<quint8>({255, 128, 0});
  bytes.add<double>({4, 5, 60}).add<float>({1}).add<quint8>({0, 1, 2});
  const std::string path =
      scratch_.write("bytes.ply", plyHead(big ? "binary_big_endian" : "binary_little_endian", 2, coloured) +
                                      QByteArray(bytes));
  const auto points = readPoints(path, {.columns = {"x", "y", "z", "red", "green", "blue"}});
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 0), (std::vector<float>{1, 2.5F, -3, 255, 128, 0}));
  QCOMPARE(row(*points, 1), (std::vector<float>{4, 5, 60, 0, 1, 2}));
  QVERIFY(points->colours);
  // Every type has its size.
  Bytes every(big);
  every.add<qint8>({-1}).add<quint8>({200}).add<qint16>({-300}).add<quint16>({60000});
  every.add<qint32>({-70000}).add<quint32>({4e9}).add<float>({0.5}).add<double>({0.25});
  const auto types = readPoints(
      scratch_.write("types.ply",
                     plyHead(big ? "binary_big_endian" : "binary_little_endian", 1,
                             "property int8 a\nproperty uint8 b\nproperty short c\nproperty ushort d\n"
                             "property int32 e\nproperty uint f\nproperty float32 g\nproperty float64 h\n") +
                         QByteArray(every)),
      {.columns = {"0", "1", "2", "3", "4", "5", "6", "7"}});
  REQUIRE_POINTS(types);
  QCOMPARE(row(*types, 0), (std::vector<float>{-1, 200, -300, 60000, -70000, 4e9F, 0.5F, 0.25F}));
}

void TestPointClouds::otherElementsArePassedOver() {
  const QByteArray head =
      "ply\nformat ascii 1.0\nelement camera 1\nproperty list uchar int seen\nelement vertex 1\n" +
      QByteArray(xyz) + "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
  const auto text = readPoints(scratch_.write("faces.ply", head + "2 7 8\n1 2 3\n3 0 0 0\n3 0 0 0\n"));
  REQUIRE_POINTS(text);
  QCOMPARE(text->n, 1U);
  QCOMPARE(row(*text, 0), (std::vector<float>{1, 2, 3}));
  const QByteArray binary =
      "ply\nformat binary_little_endian 1.0\nelement camera 2\nproperty short id\nelement vertex 1\n" +
      QByteArray(xyz) + "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
      QByteArray(Bytes().add<qint16>({1, 2}).add<float>({1, 2, 3}).add<quint8>({1}).add<qint32>({0}));
  const auto bytes = readPoints(scratch_.write("faces2.ply", binary));
  REQUIRE_POINTS(bytes);
  QCOMPARE(row(*bytes, 0), (std::vector<float>{1, 2, 3}));
}

void TestPointClouds::pcdAsText() {
  // A colour as the whole number, and as the float that has its bytes.
  const QByteArray asFloat =
      QByteArray::number(static_cast<double>(std::bit_cast<float>(0x00102030U)), 'g', 9);
  const std::string path =
      scratch_.write("text.pcd", pcdHead("x y z rgb", "4 4 4 4", "F F F F", "1 1 1 1", 2, "ascii") +
                                     "1 2 3 4210752\n4 5 6 " + asFloat + "\n");
  const auto points = readPoints(path);
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 1), (std::vector<float>{4, 5, 6}));
  QCOMPARE(points->remarks,
           (std::vector<std::string>{"only x, y and z are used; left out: red, green, blue"}));
  const auto colours = readPoints(path, {.columns = {"red", "green", "blue"}});
  REQUIRE_POINTS(colours);
  QCOMPARE(row(*colours, 0), (std::vector<float>{0x40, 0x40, 0x40}));
  QCOMPARE(row(*colours, 1), (std::vector<float>{0x10, 0x20, 0x30}));
  QVERIFY(colours->colours);
}

void TestPointClouds::pcdAsBytes() {
  const QByteArray bytes = pcdHead("x y z _ rgba", "4 4 4 1 4", "F F F U U", "1 1 1 4 1", 2, "binary") +
                           QByteArray(Bytes().add<float>({1, 2, 3}).word(7).word(0xFF102030U)) +
                           QByteArray(Bytes().add<float>({4, 5, 6}).word(7).word(0x00FFFE01U));
  const auto points =
      readPoints(scratch_.write("bytes.pcd", bytes), {.columns = {"z", "red", "green", "blue"}});
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 0), (std::vector<float>{3, 0x10, 0x20, 0x30}));
  QCOMPARE(row(*points, 1), (std::vector<float>{6, 0xFF, 0xFE, 0x01}));
}

void TestPointClouds::pcdPackedByField() {
  const QByteArray fields =
      Bytes().add<float>({1, 1, 1, 1, 4}).add<float>({2, 2, 2, 2, 5}).add<float>({3, 9, 9, 9, 9});
  const auto points = readPoints(scratch_.write("packed.pcd", pcdPacked(5, fields)));
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 5U);
  QCOMPARE(row(*points, 0), (std::vector<float>{1, 2, 3}));
  QCOMPARE(row(*points, 4), (std::vector<float>{4, 5, 9}));
}

void TestPointClouds::fieldsOfSeveralValues() {
  const auto points = readPoints(
      scratch_.write("several.pcd",
                     pcdHead("x y z f", "4 4 4 2", "F F F I", "1 1 1 3", 1, "ascii") + "1 2 3 10 20 30\n"),
      {.columns = {"f 2", "f 0"}});
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 0), (std::vector<float>{30, 10}));
}

void TestPointClouds::missingPointsAreDropped() {
  const auto points = readPoints(
      scratch_.write("holes.pcd", pcdXyz(3, "binary") +
                                      QByteArray(Bytes().add<float>({1, 2, 3, hole, hole, hole, 4, 5, 6}))));
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 2U);
  QCOMPARE(points->dropped, (std::vector<std::uint64_t>{1}));
  const auto text = readPoints(scratch_.write("holes.ply", plyHead("ascii", 2, xyz) + "nan 1 2\n1 2 3\n"));
  REQUIRE_POINTS(text);
  QCOMPARE(text->dropped, (std::vector<std::uint64_t>{0}));
}

void TestPointClouds::digitsStay_data() {
  QTest::addColumn<QByteArray>("bytes");
  // Metres of a map, to the centimetre and less.
  const std::initializer_list<double> map{500000.01, 5400000.25, 7,          500000.02, 5400000.26,
                                          8,         500000.03,  5400000.27, 9};
  const char* const wide = "property double x\nproperty double y\nproperty float z\n";
  Bytes ply;
  const double* at = map.begin();
  for (int i = 0; i < 3; ++i, at += 3)
    ply.add<double>({at[0], at[1]}).add<float>({at[2]});
  QTest::newRow("bytes.ply") << plyHead("binary_little_endian", 3, wide) + QByteArray(ply);
  QTest::newRow("text.ply") << plyHead("ascii", 3, wide) +
                                   "500000.01 5400000.25 7\n500000.02 5400000.26 8\n500000.03 5400000.27 9\n";
  const QByteArray fields = Bytes()
                                .add<double>({500000.01, 500000.02, 500000.03})
                                .add<double>({5400000.25, 5400000.26, 5400000.27})
                                .add<double>({7, 8, 9});
  const QByteArray packed = lzfOf(fields);
  QTest::newRow("packed.pcd") << pcdHead("x y z", "8 8 8", "F F F", "1 1 1", 3, "binary_compressed") +
                                     QByteArray(Bytes().word(static_cast<quint32>(packed.size())).word(72)) +
                                     packed;
}

void TestPointClouds::digitsStay() {
  QFETCH(QByteArray, bytes);
  const auto points = readPoints(scratch_.write(QTest::currentDataTag(), bytes));
  REQUIRE_POINTS(points);
  QVERIFY(points->shifted());
  for (std::size_t i = 0; i < 3; ++i) {
    const double off = 0.01 * static_cast<double>(i);
    QVERIFY(std::abs(points->scaleOf(0).inFile(static_cast<double>(points->row(0)[i])) - (500000.01 + off)) <
            1e-6);
    QVERIFY(std::abs(points->scaleOf(1).inFile(static_cast<double>(points->row(1)[i])) - (5400000.25 + off)) <
            1e-6);
    QCOMPARE(points->scaleOf(2).inFile(static_cast<double>(points->row(2)[i])), 7.0 + static_cast<double>(i));
  }
}

/// More than one piece of a file, read by several threads.
void TestPointClouds::manyPoints() {
  constexpr int n = 100000;
  Bytes bytes;
  for (int i = 0; i < n; ++i)
    bytes.add<float>({static_cast<double>(i), static_cast<double>(2 * i), static_cast<double>(i % 7)});
  const auto points =
      readPoints(scratch_.write("many.ply", plyHead("binary_little_endian", n, xyz) + QByteArray(bytes)));
  REQUIRE_POINTS(points);
  for (std::size_t i = 0; i < n; ++i)
    if (points->row(0)[i] != static_cast<float>(i) || points->row(1)[i] != static_cast<float>(2 * i) ||
        points->row(2)[i] != static_cast<float>(i % 7))
      QFAIL("a value is not where it was");
}

/// Every byte changed in every way, at the end of a page that nothing follows, would end the program under a
/// sanitizer; here what is refused is refused and what is read is within its bytes.
void TestPointClouds::lzfStaysWithinItsBytes() {
  const QByteArray packed = lzfOf(Bytes().add<float>({1, 1, 1, 1, 2, 2, 2, 3, 4, 5}));
  std::vector<char> to(40);
  QVERIFY(unpackLzf({packed.constData(), static_cast<std::size_t>(packed.size())}, to));
  QVERIFY(!unpackLzf({packed.constData(), static_cast<std::size_t>(packed.size())}, std::span(to).first(39)));
  int refused = 0;
  for (qsizetype at = 0; at < packed.size(); ++at)
    for (int value = 0; value < 256; ++value) {
      std::vector<char> changed(packed.begin(), packed.end());
      changed[static_cast<std::size_t>(at)] = static_cast<char>(value);
      refused += unpackLzf(changed, to) ? 0 : 1;
    }
  QVERIFY(refused > 0);
}

void TestPointClouds::hostile_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("words");
  QTest::addColumn<qulonglong>("line");
  const auto file = [](const char* name, const QByteArray& bytes, const char* words, qulonglong line = 0) {
    QTest::newRow(name) << bytes << QString::fromLatin1(words) << line;
  };
  const QByteArray good = plyHead("ascii", 2, xyz) + "1 2 3\n4 5 6\n";
  const QByteArray little = plyHead("binary_little_endian", 2, xyz);
  file("magic.ply", "plx\n", "it is no PLY file, though it is called one");
  file("no end.ply", good.first(60), "the PLY header is cut short: end_header is missing");
  file("format.ply", "ply\nformat binary 1.0\n", "expected the format ascii, binary_little_endian", 2);
  file("version.ply", "ply\nformat ascii 2.0\n", "expected version 1.0 of PLY, found \"2.0\"", 2);
  file("no format.ply", "ply\nelement vertex 1\nproperty float x\nend_header\n1\n",
       "does not say its format");
  file("no vertices.ply", "ply\nformat ascii 1.0\nelement face 0\nend_header\n", "no element vertex");
  file("no points.ply", plyHead("ascii", 0, xyz), "there are no points in it");
  file("no z.ply", plyHead("ascii", 1, "property float x\nproperty float y\n") + "1 2\n",
       "its points have no \"z\"; expected x, y and z, or columns chosen from x, y");
  file("twice.ply",
       plyHead("ascii", 1, "property int x\nproperty int y\nproperty int z\nproperty int x\n") + "1 2 3 4\n",
       "several columns are called \"x\"");
  file("type.ply", plyHead("ascii", 1, "property half x\n"),
       "expected a type such as float, double, uchar or int, found \"half\"", 5);
  file("list.ply", plyHead("ascii", 1, "property list uchar float x\n") + "1 2\n",
       "is a list; expected one number");
  file("property first.ply", "ply\nformat ascii 1.0\nproperty float x\n",
       "a property before the first element", 3);
  file("unknown.ply", "ply\nformat ascii 1.0\nelephant\n", "found \"elephant\"", 3);
  file("count.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", "expected a count, found \"-1\"", 3);
  file("count 2.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", "expected a count", 3);
  file("huge text.ply", QByteArray(good).replace("vertex 2", "vertex 9223372036854775807"),
       "the header promises 9,223,372,036,854,775,807 points, but 12 bytes follow it");
  file("huge.ply", QByteArray(little).replace("vertex 2", "vertex 9223372036854775807") + QByteArray(24, 'x'),
       "promises 9,223,372,036,854,775,807 points of 12 bytes, but 24 bytes follow it");
  file("short.ply", little + QByteArray(23, 'x'), "promises 2 points of 12 bytes, but 23 bytes follow it");
  file("long.ply", little + QByteArray(25, 'x'), "promises 2 points of 12 bytes, but 25 bytes follow it");
  file("short text.ply", plyHead("ascii", 3, xyz) + "1.00 2.00 3.00\n4 5 6\n",
       "the header promises 3 points, but the file ends after 2 points");
  file("long text.ply", good + "7 8 9\n", "there are more lines than the header promises", 11);
  file("word.ply", plyHead("ascii", 2, xyz) + "1 2 3\n4 five 6\n",
       "expected a number for \"y\", found \"five\"", 10);
  file("few.ply", plyHead("ascii", 2, xyz) + "1 2 3\n4 5   \n", "this line has 2 values, but 3 were expected",
       10);
  file("more.ply", plyHead("ascii", 2, xyz) + "1 2 3\n4 5 6 7\n",
       "this line has more values, but 3 were expected", 10);
  file("nan.ply", plyHead("ascii", 1, xyz) + "nan inf 1\n", "no points are left");
  file("before.ply",
       "ply\nformat binary_little_endian 1.0\nelement a 4611686018427387904\nproperty int x\nelement vertex "
       "1\n" +
           QByteArray(xyz) + "end_header\n" + QByteArray(12, 'x'),
       "the PLY header promises 4,611,686,018,427,387,904 lines of \"a\"");
  file("list before.ply",
       "ply\nformat binary_little_endian 1.0\nelement a 1\nproperty list int int l\nelement vertex 1\n" +
           QByteArray(xyz) + "end_header\n" + QByteArray(20, 'x'),
       "lists (\"l\") stand before the vertices");
  file("endless.ply", "ply\nformat ascii 1.0\ncomment " + QByteArray(2 << 20, 'a'),
       "this line is longer than 1 MiB", 3);

  const QByteArray cloud = pcdXyz(2, "ascii") + "1 2 3\n4 5 6\n";
  file("magic.pcd", "point cloud", "expected a line of a PCD header");
  file("no data.pcd", cloud.first(cloud.indexOf("DATA")),
       "the PCD header is cut short: its line DATA is missing");
  file("no fields.pcd", "# .PCD v0.7\nPOINTS 1\nDATA ascii\n1\n", "the PCD header names no FIELDS");
  file("sizes.pcd", pcdHead("x y z", "4 4", "F F F", "1 1 1", 1, "ascii"),
       "SIZE has 2 values, but there are 3 fields", 4);
  file("size.pcd", pcdHead("x y z", "4 4 3", "F F F", "1 1 1", 1, "ascii") + "1 2 3\n",
       "\"z\" are said to have 3 bytes; expected 4 or 8");
  file("type.pcd", pcdHead("x y z", "4 4 4", "F F X", "1 1 1", 1, "ascii"),
       "expected the type F, I or U, found \"X\"", 5);
  file("counts.pcd", pcdHead("x y z", "4 4 4", "F F F", "1 1 4294967295", 1, "binary"),
       "\"z\" is said to have 4,294,967,295 values");
  file("none.pcd", pcdHead("x y z", "4 4 4", "F F F", "1 1 0", 1, "binary"),
       "\"z\" is said to have 0 values");
  file("product.pcd", QByteArray(cloud).replace("WIDTH 2", "WIDTH 3"),
       "WIDTH 3 times HEIGHT 1 is not POINTS 2");
  file("overflow.pcd", QByteArray(cloud).replace("WIDTH 2\nHEIGHT 1", "WIDTH 4294967296\nHEIGHT 4294967296"),
       "the PCD header contradicts itself");
  file("data.pcd", pcdXyz(1, "zipped"), "found \"zipped\"", 10 + 1);
  file("no z.pcd", pcdHead("x y i", "4 4 4", "F F F", "1 1 1", 1, "ascii") + "1 2 3\n",
       "its points have no \"z\"");
  file("short.pcd", pcdXyz(2, "binary") + QByteArray(20, 'x'),
       "promises 2 points of 12 bytes, but 20 bytes follow it");
  file("huge.pcd",
       QByteArray(pcdXyz(2, "binary"))
               .replace("WIDTH 2", "WIDTH 4611686018427387904")
               .replace("POINTS 2", "POINTS 4611686018427387904") +
           QByteArray(24, 'x'),
       "promises 4,611,686,018,427,387,904 points of 12 bytes, but 24 bytes follow it");
  file("word.pcd", pcdXyz(1, "ascii") + "1 2 drei\n", "expected a number for \"z\", found \"drei\"", 12);
  file("nan.pcd", pcdXyz(1, "ascii") + "nan nan nan\n", "no points are left");
  const QByteArray values =
      Bytes().add<float>({1, 1, 1, 1, 4}).add<float>({2, 2, 2, 2, 5}).add<float>({3, 9, 9, 9, 9});
  const QByteArray packed = pcdPacked(5, values);
  const qsizetype sizes = pcdXyz(5, "binary_compressed").size();
  file("cut.pcd", packed.first(packed.size() - 1), "the PCD file is cut short");
  file("no sizes.pcd", packed.first(sizes + 7), "promises 5 points of 12 bytes, but 7 bytes follow it");
  file("other size.pcd", QByteArray(packed).replace(sizes + 4, 4, QByteArray("\x40\0\0\0", 4)),
       "the PCD file contradicts itself");
  file("damaged.pcd", QByteArray(packed).replace(sizes + 8, 1, "\xff"),
       "the packed data of the PCD file are damaged");
  file("bomb.pcd",
       QByteArray(pcdXyz(2, "binary_compressed"))
               .replace("WIDTH 2", "WIDTH 300000000")
               .replace("POINTS 2", "POINTS 300000000") +
           QByteArray(Bytes().word(4).word(3600000000U)) + "abcd",
       "promises 3,600,000,000 bytes, which 4 packed bytes cannot hold");
}

void TestPointClouds::hostile() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, words);
  QFETCH(qulonglong, line);
  const auto points = readPoints(scratch_.write(QTest::currentDataTag(), bytes));
  QVERIFY2(!points, "the file was read");
  const QString message = QString::fromStdString(points.error().message);
  QVERIFY2(message.contains(words), qPrintable(message));
  QVERIFY2(!message.contains('\n'), "a message is one line");
  if (line != 0) QCOMPARE(points.error().line, line);
}

QTEST_GUILESS_MAIN(TestPointClouds)
#include "tst_point_clouds.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy.hpp"
#include "app/data/write/write_results.hpp"
#include "tests/app/data/data_support.hpp"

#include <QtEndian>

#include <cstring>
#include <limits>
#include <type_traits>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// An NPY file of any version; the dictionary is padded as NumPy does.
QByteArray npy(const QByteArray& type, const char* order, const char* shape, const QByteArray& values,
               char version = 1) {
  QByteArray text = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  const int prefix = version == 1 ? 10 : 12;
  text += QByteArray(63 - (prefix + text.size()) % 64, ' ') + '\n';
  QByteArray bytes = QByteArray("\x93NUMPY") + version + '\0';
  const auto length = qToLittleEndian(static_cast<quint32>(text.size()));
  bytes += QByteArray(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return bytes + text + values;
}

template <typename T>
QByteArray packed(std::initializer_list<T> values, bool big = false) {
  QByteArray bytes;
  for (const T value : values) {
    QByteArray item(reinterpret_cast<const char*>(&value), sizeof(T));
    if (big) std::reverse(item.begin(), item.end());
    bytes += item;
  }
  return bytes;
}

template <typename T>
void addType(const char* code) {
  // Of the largest type not its largest value, between which and 1 no distance is known in single precision.
  const T high = std::is_same_v<T, quint64> ? static_cast<T>(-6) / 4096 : static_cast<T>(-6);
  const std::initializer_list<T> values{1, 2, 3, 4, 5, high};
  const float last = static_cast<float>(high);
  for (const bool big : {false, true}) {
    const QByteArray type = (sizeof(T) == 1 ? "|" : big ? ">" : "<") + QByteArray(code);
    QTest::newRow(type + (big ? " big" : " little"))
        << npy(type, "False", "(3, 2)", packed(values, big)) << last;
  }
}

} // namespace

class TestNpy : public QObject {
  Q_OBJECT
private slots:
  void types_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<float>("last");
    addType<float>("f4");
    addType<double>("f8");
    addType<qint8>("i1");
    addType<quint8>("u1");
    addType<qint16>("i2");
    addType<quint16>("u2");
    addType<qint32>("i4");
    addType<quint32>("u4");
    addType<qint64>("i8");
    addType<quint64>("u8");
  }
  void types() {
    QFETCH(QByteArray, bytes);
    QFETCH(float, last);
    const auto points = readPoints(scratch_.write("types.npy", bytes));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 3U);
    QCOMPARE(row(*points, 0), (std::vector<float>{1, 2}));
    QCOMPARE(row(*points, 2), (std::vector<float>{5, last}));
  }
  /// Whole numbers that double precision has no word for come as the nearest that it has, and that is said.
  void digitsThatAreLostAreSaid() {
    const qint64 large = qint64{1} << 60;
    const auto far = readPoints(
        scratch_.write("far.npy", npy("<i8", "False", "(3, 2)",
                                      packed<qint64>({large, 100, large + 1, 200, large + 1024, 300}))));
    REQUIRE_POINTS(far);
    QCOMPARE(far->remarks.size(), std::size_t{1});
    QVERIFY(far->remarks[0].find("column 0") != std::string::npos);
    QVERIFY(far->remarks[0].find("column 1") == std::string::npos);
    const auto near = readPoints(
        scratch_.write("near.npy", npy("<i8", "False", "(3, 1)",
                                       packed<qint64>({large / 256, large / 256 + 1, large / 256 + 2}))));
    REQUIRE_POINTS(near);
    QVERIFY(near->remarks.empty());
    QCOMPARE(row(*near, 2)[0] - row(*near, 0)[0], 2.0F);
  }
  void aTypeOfUnknownByteOrderIsRefused() {
    const auto points =
        readPoints(scratch_.write("caret.npy", npy("^i4", "False", "(2, 1)", packed<qint32>({1, 2}))));
    QVERIFY(!points);
    QVERIFY(QString::fromStdString(points.error().sentence()).contains("values of type \"^i4\""));
  }
  void fortranOrder() {
    const QByteArray bytes = npy("<f4", "True", "(3, 2)", packed<float>({1, 3, 5, 2, 4, 6}));
    const auto points = readPoints(scratch_.write("fortran.npy", bytes));
    REQUIRE_POINTS(points);
    QCOMPARE(row(*points, 0), (std::vector<float>{1, 2}));
    QCOMPARE(row(*points, 2), (std::vector<float>{5, 6}));
  }
  void versionsAndOneDimension() {
    for (const char version : {'\1', '\2', '\3'}) {
      const auto points = readPoints(
          scratch_.write("v.npy", npy("<f8", "False", "(3,)", packed<double>({1, 2, 3}), version)));
      REQUIRE_POINTS(points);
      QCOMPARE(points->d, 1);
      QCOMPARE(points->values, (std::vector<float>{1, 2, 3}));
    }
  }
  void anyNameWillDo() {
    const auto points =
        readPoints(scratch_.write("array.dat", npy("<f4", "False", "(1, 2)", packed<float>({1, 2}))));
    REQUIRE_POINTS(points);
    QCOMPARE(points->d, 2);
  }
  void columns() {
    const QByteArray c = npy("<f4", "False", "(2, 3)", packed<float>({1, 2, 3, 4, 5, 6}));
    const QByteArray fortran = npy("<f4", "True", "(2, 3)", packed<float>({1, 4, 2, 5, 3, 6}));
    for (const QByteArray& bytes : {c, fortran}) {
      const auto points = readPoints(scratch_.write("columns.npy", bytes), {.columns = {"2", "0"}});
      REQUIRE_POINTS(points);
      QCOMPARE(points->columns, (std::vector<std::string>{"column 2", "column 0"}));
      QCOMPARE(row(*points, 1), (std::vector<float>{6, 4}));
    }
  }
  /// Long files are read in pieces, on several threads, and every value must land in its own place.
  void piecesLandInTheirPlaces() {
    constexpr std::size_t rows = 123457;
    QByteArray c(qsizetype{2 * rows * sizeof(double)}, '\0');
    QByteArray fortran(c.size(), '\0');
    auto* const byRow = reinterpret_cast<double*>(c.data());
    auto* const byColumn = reinterpret_cast<double*>(fortran.data());
    std::vector<float> expected(2 * rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const auto value = static_cast<double>(2 * i + j);
        byRow[2 * i + j] = byColumn[j * rows + i] = value;
        expected[(1 - j) * rows + i] = static_cast<float>(value);
      }
    for (const QByteArray& bytes :
         {npy("<f8", "False", "(123457, 2)", c), npy("<f8", "True", "(123457, 2)", fortran)}) {
      const auto points = readPoints(scratch_.write("pieces.npy", bytes), {.columns = {"1", "0"}});
      REQUIRE_POINTS(points);
      QVERIFY(points->values == expected);
    }
  }
  void nonFiniteRowsAreDropped() {
    const double inf = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const QByteArray bytes = npy("<f8", "False", "(4, 2)", packed<double>({1, 2, nan, 1, 3, 1e300, 5, -inf}));
    const auto points = readPoints(scratch_.write("holes.npy", bytes));
    REQUIRE_POINTS(points);
    QCOMPARE(points->n, 1U);
    QCOMPARE(points->dropped, (std::vector<std::uint64_t>{1, 2, 3}));
    QVERIFY(points->remarks.front().ends_with(
        "a value is missing or not a finite number, or outside the range of single precision, which ends at "
        "3.40e38"));
    const auto infinite =
        readPoints(scratch_.write("inf.npy", npy("<f8", "False", "(2,)", packed<double>({1, inf}))));
    REQUIRE_POINTS(infinite);
    QVERIFY(infinite->remarks.front().ends_with("a value is missing or not a finite number"));
  }
  void cancel() {
    const QByteArray bytes = npy("|u1", "False", "(4000000,)", QByteArray(4000000, 1));
    std::atomic<bool> stop{false};
    ReadControl control;
    control.cancel = &stop;
    control.progress = [&](std::uint64_t, double) { stop = true; };
    const auto points = readPoints(scratch_.write("long.npy", bytes), {}, control);
    QVERIFY(!points && points.error().cancelled);
  }
  void roundTrip() {
    const std::vector<float> centroids{0.1F, -3e38F, 1.4e-45F, 16777217.0F, 0.30000001F, -0.0F};
    for (const char* name : {"centroids.npy", "centroids.csv"}) {
      const auto written =
          writeCentroids(scratch_.path(name), centroids, std::vector<std::string>{"x", "y", "z"});
      QVERIFY2(written.has_value(), written ? "" : written.error().c_str());
      const auto matrix = readMatrix(scratch_.path(name));
      REQUIRE_POINTS(matrix);
      QCOMPARE(matrix->rows, 2U);
      QCOMPARE(matrix->columns, 3U);
      const std::vector<float> found(matrix->values.begin(), matrix->values.end());
      QCOMPARE(std::memcmp(found.data(), centroids.data(), sizeof(float) * centroids.size()), 0);
    }
  }
  /// The bytes that numpy.save writes for the same array, up to the padding of the shape.
  void headerAsNumPyWritesIt() {
    const std::array<std::uint64_t, 1> shape{3};
    const std::string bytes = npyHeaderBytes("<i4", shape);
    QCOMPARE(bytes.size() % 64, 0U);
    QVERIFY(bytes.find("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }") == 10);
    QCOMPARE(bytes.back(), '\n');
  }

private:
  Scratch scratch_;
};

QTEST_GUILESS_MAIN(TestNpy)
#include "tst_npy.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a file that is mapped are those of the file that is read, and take no memory to speak of.
#include "app/data/input/wording.hpp"
#include "app/data/read/mapped_npy.hpp"
#include "app/data/read/npy.hpp"
#include "gpu/core/contract/error.hpp"
#include "tests/app/data/data_support.hpp"

#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// Bytes of this process that are in memory now.
std::size_t residentBytes() {
  QFile file(QStringLiteral("/proc/self/status"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QByteArray all = file.readAll();
  return all.mid(all.indexOf("VmRSS:") + 6).trimmed().split(' ').front().toULongLong() * 1024;
}

template <class T>
QByteArray valuesOf(std::size_t count) {
  QByteArray bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<T>(i * 7919 % 101);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  return bytes;
}

} // namespace

class TestMappedNpy : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string write(const char* type, std::array<std::uint64_t, 2> shape, const QByteArray& values,
                    bool fortran = false) const {
    std::string head = npyHeaderBytes(type, shape);
    if (fortran) head.replace(head.find("False"), 5, "True ");
    QFile file(folder_.filePath(QStringLiteral("points.npy")));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(QByteArray::fromStdString(head) + values);
    return file.fileName().toStdString();
  }

private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void pointsAreThoseOfTheFile_data() {
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("values");
    QTest::addColumn<bool>("fortran");
    constexpr std::size_t count = std::size_t{3} * 50001;
    for (const bool fortran : {false, true}) {
      QTest::addRow("float32, %d", fortran) << QByteArray("<f4") << valuesOf<float>(count) << fortran;
      QTest::addRow("float64, %d", fortran) << QByteArray("<f8") << valuesOf<double>(count) << fortran;
      QTest::addRow("int16, %d", fortran) << QByteArray("<i2") << valuesOf<qint16>(count) << fortran;
    }
  }
  void pointsAreThoseOfTheFile() {
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, values);
    QFETCH(bool, fortran);
    const std::string path = write(type.constData(), {50001, 3}, values, fortran);
    for (const std::vector<std::string>& columns :
         {std::vector<std::string>{}, std::vector<std::string>{"2", "0"}}) {
      const PointSet whole = readNpy(InputFile(path), columns, {});
      const MappedNpy mapped(path, columns, {});
      QCOMPARE(mapped.size(), whole.n);
      QCOMPARE(mapped.dimensions(), whole.d);
      QVERIFY(mapped.box() == boxOf(whole));
      QVERIFY(!mapped.inMemory());
      QCOMPARE(npyPointBytes(path, columns), pointBytes(whole.n, whole.d));
      const PointSet& told = *mapped.description();
      QCOMPARE(told.n, whole.n);
      QCOMPARE(told.inputRows, whole.inputRows);
      QCOMPARE(told.columns, whole.columns);
      QVERIFY(told.scales == whole.scales);
      QVERIFY(told.values.empty());
      constexpr std::pair<std::size_t, std::size_t> pieces[] = {
          {0, 50001}, {0, 1}, {50000, 1}, {123, 40000}, {7, 0}};
      for (const auto& [first, count] : pieces) {
        const std::size_t stride = count + 5;
        std::vector<float> rows(stride * static_cast<std::size_t>(whole.d));
        mapped.read(first, count, rows.data(), stride);
        for (int j = 0; j < whole.d; ++j)
          QVERIFY(std::equal(whole.row(j) + first, whole.row(j) + first + count,
                             rows.data() + static_cast<std::size_t>(j) * stride));
      }
    }
  }

  void otherFilesAreNone() {
    QFile file(folder_.filePath(QStringLiteral("points.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("1,2\n3,4\n");
    file.close();
    QCOMPARE(npyPointBytes(file.fileName().toStdString(), {}), 0.0);
  }

  void aRowThatIsNotFiniteIsRefusedByItsNumber() {
    QByteArray values = valuesOf<float>(60000);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const int row : {23456, 20003})
      values.replace((qsizetype{row} * 2 + 1) * 4, 4, QByteArray(reinterpret_cast<const char*>(&nan), 4));
    const std::string path = write("<f4", {30000, 2}, values);
    try {
      const MappedNpy mapped(path, {}, {});
      QFAIL("it was taken");
    } catch (const ReadFailure& wrong) {
      QVERIFY2(std::string_view(wrong.what()).starts_with("row 20003 "), wrong.what());
    }
  }

  void aSpreadThatDistancesCannotHoldIsRefused() {
    const std::array<float, 2> far{0, 3e30f};
    const std::string path =
        write("<f4", {2, 1}, QByteArray(reinterpret_cast<const char*>(far.data()), sizeof(far)));
    QVERIFY_EXCEPTION_THROWN(MappedNpy(path, {}, {}), ReadFailure);
  }

  void aFileThatShrinksIsRefused() {
    const std::string path = write("<f4", {50000, 2}, valuesOf<float>(100000));
    const MappedNpy mapped(path, {}, {});
    QFile file(QString::fromStdString(path));
    QVERIFY(file.resize(1000));
    std::vector<float> rows(2000);
    try {
      mapped.read(40000, 1000, rows.data(), 1000);
      QFAIL("it was read");
    } catch (const RequestError& wrong) {
      QVERIFY(std::string_view(wrong.what()).find("became shorter") != std::string_view::npos);
    }
  }

  void cancellingEndsTheFirstLook() {
    const std::string path = write("<f4", {50000, 2}, valuesOf<float>(100000));
    const std::atomic<bool> cancel = true;
    ReadControl control;
    control.cancel = &cancel;
    QVERIFY_EXCEPTION_THROWN(MappedNpy(path, {}, control), ReadFailure);
  }

  void memoryStaysSmall() {
#ifdef __SANITIZE_ADDRESS__
    QSKIP("AddressSanitizer's own memory grows with every page that is looked at");
#endif
    constexpr std::size_t rows = std::size_t{12} << 20; // 96 MiB
    {
      QFile file(folder_.filePath(QStringLiteral("points.npy")));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray::fromStdString(npyHeaderBytes("<f4", std::array<std::uint64_t, 2>{rows, 2})));
      const QByteArray some = valuesOf<float>(std::size_t{2} << 20);
      for (std::size_t done = 0; done < rows; done += std::size_t{1} << 20)
        QVERIFY(file.write(some) == some.size());
    }
    constexpr std::size_t batch = std::size_t{1} << 18;
    std::vector<float> values(2 * batch, 1.0f);
    const std::size_t before = residentBytes();
    QVERIFY(before > 0);
    std::size_t most = 0;
    const MappedNpy mapped(folder_.filePath(QStringLiteral("points.npy")).toStdString(), {}, {});
    for (std::size_t first = 0; first < rows; first += batch) {
      mapped.read(first, batch, values.data(), batch);
      most = std::max(most, residentBytes());
    }
    QVERIFY2(most < before + (std::size_t{24} << 20),
             qPrintable(QStringLiteral("%1 bytes more").arg(most - before)));
  }
};

QTEST_GUILESS_MAIN(TestMappedNpy)
#include "tst_mapped_npy.moc"

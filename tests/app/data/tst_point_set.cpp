// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"
#include "app/data/read/npy.hpp"
#include "tests/app/data/data_support.hpp"

#include <array>
#include <cmath>
#include <numeric>

using namespace lloyd;
using namespace lloyd::test;

class TestPointSet : public QObject {
  Q_OBJECT
private slots:
  void rowsAndPoints_data() {
    QTest::addColumn<QList<qulonglong>>("dropped");
    QTest::newRow("none") << QList<qulonglong>{};
    QTest::newRow("first") << QList<qulonglong>{0};
    QTest::newRow("last") << QList<qulonglong>{9};
    QTest::newRow("runs") << QList<qulonglong>{0, 1, 4, 5, 6, 9};
    QTest::newRow("every other") << QList<qulonglong>{1, 3, 5, 7, 9};
  }
  void rowsAndPoints() {
    QFETCH(QList<qulonglong>, dropped);
    PointSet points;
    points.dropped.assign(dropped.begin(), dropped.end());
    points.inputRows = 10;
    points.n = 10 - points.dropped.size();
    std::size_t next = 0;
    for (std::uint64_t r = 0; r < 10; ++r) {
      if (dropped.contains(r)) continue;
      QCOMPARE(points.inputRow(next), r);
      ++next;
    }
    QCOMPARE(next, points.n);
  }
  void scalesAreUndone_data() {
    QTest::addColumn<Scale>("how");
    for (const Scale scale : {Scale::standard, Scale::minmax, Scale::none})
      QTest::newRow(name(scale).data()) << scale;
  }
  void scalesAreUndone() {
    QFETCH(Scale, how);
    const auto raw = readPoints(sampleFile("quakes.csv"));
    const auto scaled = readPoints(sampleFile("quakes.csv"), {.scale = how});
    REQUIRE_POINTS(raw);
    REQUIRE_POINTS(scaled);
    for (int j = 0; j < raw->d; ++j) {
      const std::span column(scaled->row(j), scaled->n);
      const double mean = std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(scaled->n);
      double squares = 0;
      for (const float x : column)
        squares += (x - mean) * (x - mean);
      if (how == Scale::standard) {
        QVERIFY(std::abs(mean) < 1e-6);
        QVERIFY(std::abs(squares / static_cast<double>(scaled->n) - 1) < 1e-5);
      }
      if (how == Scale::minmax) {
        QCOMPARE(*std::min_element(column.begin(), column.end()), 0.0F);
        QCOMPARE(*std::max_element(column.begin(), column.end()), 1.0F);
      }
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{17}, std::size_t{999}}) {
      const auto back = toFileUnits(row(*scaled, i), scaled->scales);
      const std::vector<float> point = row(*raw, i);
      const auto there = fromFileUnits(std::vector<double>(point.begin(), point.end()), scaled->scales);
      for (std::size_t j = 0; j < back.size(); ++j) {
        const double factor = scaled->scales[j].factor;
        QVERIFY(std::abs(back[j] - static_cast<double>(point[j])) <=
                1e-6 * std::max(factor, std::abs(back[j])));
        QCOMPARE(there[j], row(*scaled, i)[j]);
      }
    }
  }
  void constantColumnsKeepTheirFactor() {
    const Scratch scratch;
    const auto points = readPoints(scratch.write("flat.csv", "5,1\n5,3\n"), {.scale = Scale::standard});
    REQUIRE_POINTS(points);
    QVERIFY(points->scales[0] == (ColumnScale{5, 1}));
    QCOMPARE(row(*points, 0), (std::vector<float>{0, -1}));
    QCOMPARE(toFileUnits(std::vector<float>{0, 0}, points->scales), (std::vector<double>{5, 2}));
  }
  void spreadsThatDistancesCannotHoldAreRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("too wide") << QByteArray("x,y\n-3e38,1\n3e38,2\n")
                              << "column \"x\" spread over 6e+38, but distances in single precision";
    QTest::newRow("squares overflow") << QByteArray("0\n2e19\n") << "spread over 2e+19";
    QTest::newRow("squares vanish") << QByteArray("1e-25\n2e-25\n") << "spread over 1e-25";
    QTest::newRow("just held") << QByteArray("0\n9e17\n") << "";
    QTest::newRow("small, but held") << QByteArray("0\n1e-15\n") << "";
    QTest::newRow("no spread at all") << QByteArray("1e-25\n1e-25\n") << "";
  }
  void spreadsThatDistancesCannotHoldAreRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const Scratch scratch;
    const std::string path = scratch.write("spread.csv", text);
    const auto points = readPoints(path);
    if (said.isEmpty()) {
      REQUIRE_POINTS(points);
      return;
    }
    QVERIFY(!points);
    const QString sentence = QString::fromStdString(points.error().sentence());
    QVERIFY2(sentence.contains(said) && sentence.endsWith("set --scale to standard"), qPrintable(sentence));
    const auto inWindow = readPoints(path, {.scaleControl = std::string(scaleInWindow)});
    QVERIFY(QString::fromStdString(inWindow.error().sentence()).endsWith("set Scaling to standard"));
    REQUIRE_POINTS(readPoints(path, {.scale = Scale::standard}));
  }
  void whatSinglePrecisionWouldRoundAwayIsKept_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("kept");
    QTest::newRow("seconds since 1970") << QByteArray("1700000000\n1700000999\n1700000500\n") << true;
    QTest::newRow("neighbours") << QByteArray("1700000001\n1700000002\n") << true;
    QTest::newRow("a million and some") << QByteArray("1000000.25\n1000010.57\n") << true;
    QTest::newRow("a million and a thousandth") << QByteArray("1000000.001\n999999.9994\n1e6\n") << true;
    QTest::newRow("metres with centimetres") << QByteArray("500000.01\n512345.67\n487654.32\n") << true;
    QTest::newRow("constant") << QByteArray("1000000.01\n1000000.01\n") << true;
    QTest::newRow("whole numbers") << QByteArray("1000000\n1000001\n") << false;
    QTest::newRow("near 0") << QByteArray("0.001\n0.002\n") << false;
    QTest::newRow("both sides of 0") << QByteArray("-123456.789\n123456.789\n") << false;
    QTest::newRow("a small constant") << QByteArray("0.3\n0.3\n") << false;
  }
  /// What is stored is the float32 of the file, or of the difference from a shift; back in the units of the
  /// file it is right to the last digit.
  void whatSinglePrecisionWouldRoundAwayIsKept() {
    QFETCH(QByteArray, text);
    QFETCH(bool, kept);
    const Scratch scratch;
    const auto points = readPoints(scratch.write("far.csv", text));
    REQUIRE_POINTS(points);
    QVERIFY(points->remarks.empty());
    QCOMPARE(points->shifted(), kept);
    const QByteArrayList lines = text.trimmed().split('\n');
    for (std::size_t i = 0; i < points->n; ++i) {
      const double file = lines[static_cast<qsizetype>(i)].toDouble();
      const double found = points->scales[0].inFile(static_cast<double>(points->row(0)[i]));
      if (kept)
        QVERIFY2(std::abs(found - file) < 0.5 * std::pow(10.0, -points->decimals[0]),
                 lines[static_cast<qsizetype>(i)]);
      else
        QCOMPARE(points->row(0)[i], static_cast<float>(file));
    }
    const auto scaled = readPoints(scratch.path("far.csv"), {.scale = Scale::standard});
    REQUIRE_POINTS(scaled);
    for (std::size_t i = 0; i < points->n && kept; ++i) {
      const double found = scaled->scales[0].inFile(static_cast<double>(scaled->row(0)[i]));
      QVERIFY(std::abs(found - lines[static_cast<qsizetype>(i)].toDouble()) <
              0.5 * std::pow(10.0, -points->decimals[0]));
    }
  }
  /// An array of single precision says no more than that.
  void coarseStepsOfAnArrayAreSaid() {
    const Scratch scratch;
    const std::array<float, 3> values{1.7e9F, 1.7e9F + 1000, 1.7e9F + 500};
    const std::array<std::uint64_t, 1> shape{3};
    const QByteArray bytes = QByteArray::fromStdString(npyHeaderBytes("<f4", shape)) +
                             QByteArray(reinterpret_cast<const char*>(values.data()), sizeof(values));
    const auto points = readPoints(scratch.write("far.npy", bytes));
    REQUIRE_POINTS(points);
    QVERIFY(!points->shifted());
    QCOMPARE(points->remarks.size(), 1U);
    QVERIFY(QString::fromStdString(points->remarks.front()).contains("where single precision has steps of"));
  }
  void extremesStayFinite() {
    const Scratch scratch;
    const auto points = readPoints(scratch.write("far.csv", "-3e38\n3e38\n0\n"), {.scale = Scale::minmax});
    REQUIRE_POINTS(points);
    QCOMPARE(points->values, (std::vector<float>{0, 1, 0.5F}));
  }
};

QTEST_GUILESS_MAIN(TestPointSet)
#include "tst_point_set.moc"

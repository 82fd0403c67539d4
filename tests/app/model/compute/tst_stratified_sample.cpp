// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"
#include "app/data/write/write_results.hpp"
#include "app/model/compute/load_points.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

/// The points that the SIMT simulator is given of too many.
class TestSubset : public QObject {
  Q_OBJECT

  static SharedPointSet points(const char* spec) {
    const auto loaded = loadPoints(generator(spec), {}, nullptr);
    return loaded ? *loaded : nullptr;
  }

private slots:
  void pointsAreThoseOfTheirRows() {
    const SharedPointSet all = points("blobs:n=10000,d=3,k=4");
    QVERIFY(all);
    const SharedPointSet some = spreadSubset(*all, 999, "999 of 10,000");
    QCOMPARE(some->n, std::size_t(999));
    QCOMPARE(some->values.size(), std::size_t(3 * 999));
    QVERIFY(std::is_sorted(some->rows.begin(), some->rows.end()));
    for (std::size_t i = 0; i < some->n; ++i) {
      const auto row = static_cast<std::size_t>(some->inputRow(i));
      for (int j = 0; j < 3; ++j)
        QCOMPARE(some->row(j)[i], all->row(j)[row]);
    }
    QCOMPARE(some->inputRows, std::size_t(10000));
    QCOMPARE(some->remarks.back(), std::string("999 of 10,000"));
  }

  void itIsSpreadAndAlwaysTheSame() {
    const SharedPointSet all = points("uniform:n=100000,d=1");
    const SharedPointSet some = spreadSubset(*all, 1000, "");
    for (std::size_t i = 0; i < 1000; ++i)
      QVERIFY(some->rows[i] >= 100 * i && some->rows[i] < 100 * (i + 1));
    QCOMPARE(spreadSubset(*all, 1000, "")->rows, some->rows);
  }

  void whatRepeatsInTheOrderIsNotMistakenForTheWhole() {
    PointSet striped;
    striped.n = 64000;
    striped.d = 1;
    for (std::size_t i = 0; i < striped.n; ++i)
      striped.values.push_back(static_cast<float>(i % 16));
    striped.inputRows = striped.n;
    const SharedPointSet some = spreadSubset(striped, 4000, "");
    for (int stripe = 0; stripe < 16; ++stripe) {
      const auto found = std::count(some->values.begin(), some->values.end(), static_cast<float>(stripe));
      QVERIFY2(found > 180 && found < 320, qPrintable(QString::number(found)));
    }
  }

  void rowsThatWereDroppedStayCounted() {
    PointSet all;
    all.n = 6;
    all.d = 1;
    all.values = {0, 1, 2, 3, 4, 5};
    all.inputRows = 8;
    all.dropped = {0, 3};
    const SharedPointSet some = spreadSubset(all, 3, "");
    QCOMPARE(some->dropped, all.dropped);
    for (std::size_t i = 0; i < some->n; ++i)
      QCOMPARE(some->inputRow(i), all.inputRow(static_cast<std::size_t>(some->values[i])));
    const std::vector<std::int32_t> labels = labelsByInputRow(*some, std::vector<Label>{7, 8, 9});
    QCOMPARE(labels.size(), std::size_t(8));
    QCOMPARE(std::count(labels.begin(), labels.end(), -1), std::ptrdiff_t(5));
    QCOMPARE(labels[static_cast<std::size_t>(some->inputRow(1))], 8);
  }

  void movingPointsKeepTheirComponents() {
    const SharedPointSet all = points("drift:n=5000,d=2,k=4");
    const SharedPointSet some = spreadSubset(*all, 500, "");
    QVERIFY(some->drift);
    QCOMPARE(some->drift->component.size(), std::size_t(500));
    QCOMPARE(some->drift->shifts(3, 2), all->drift->shifts(3, 2));
    for (std::size_t i = 0; i < 500; ++i)
      QCOMPARE(some->drift->component[i], all->drift->component[static_cast<std::size_t>(some->rows[i])]);
  }
};

QTEST_GUILESS_MAIN(TestSubset)
#include "tst_stratified_sample.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <map>

using namespace lloyd;
using namespace lloyd::test;

/// The fused variants as wholes, on every device that has them: labels to the last bit, counts, changes,
/// sums.
class TestFused : public QObject {
  Q_OBJECT

  std::map<Backend, Found> devices_;

  const Found& deviceOf(Backend backend) {
    const auto known = devices_.find(backend);
    return known != devices_.end() ? known->second
                                   : devices_.emplace(backend, findDevice(backend)).first->second;
  }

  static void everyVariant(const QStringList& kinds) {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("kind");
    for (const char* id : {"fused.v1", "fused.v2", "fused.v3"})
      for (const Backend backend : {Backend::simt, Backend::cuda})
        for (std::size_t kind = 0; kind < pointKindNames.size(); ++kind)
          if (kinds.contains(QLatin1String(pointKindNames[kind])) &&
              Registry::instance().find(id)->runsOn(backend))
            QTest::addRow("%s on %s, %s", id, name(backend).data(), pointKindNames[kind])
                << QString::fromLatin1(id) << static_cast<int>(backend) << static_cast<int>(kind);
  }
  /// Sums of a lattice have no rounding.
  static double allowed(const HostProblem& host, int kind, double boxExtent = 0) {
    return static_cast<PointKind>(kind) == PointKind::lattice ? 0 : allowedOf(host, boxExtent);
  }
  static QString describe(const Problem& problem) {
    return QStringLiteral("n %1, d %2, k %3: ").arg(problem.n).arg(problem.d).arg(problem.k);
  }

private slots:
  void labelsCountsAndSumsAreRight_data() {
    everyVariant(
        {"uniform", "sorted", "one cluster", "nine in ten", "equal centroids", "offset", "line", "lattice"});
  }
  void labelsCountsAndSumsAreRight() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found& found = deviceOf(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    // Each size with every dimension, each number of clusters with every way of adding.
    const std::array<std::pair<std::size_t, int>, 9> sizes{
        {{1, 3}, {2, 16}, {3, 1}, {4, 57}, {5, 256}, {127, 31}, {1023, 2}, {515, 57}, {4099, 16}}};
    for (std::size_t at = 0; at < sizes.size(); ++at) {
      const int d = 1 + static_cast<int>((at + static_cast<std::size_t>(kind)) % 3);
      const Problem problem{sizes[at].first, d, sizes[at].second};
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), problem);
      FusedBench bench(*found.device, host, variant);
      // The smallest blocks leave the most to the last of them, and more points to a thread.
      Tuning tuning;
      tuning.set("block", id == QStringLiteral("fused.v1") ? (at % 2 == 0 ? 64 : 128) : 128);
      const auto& items = variant.parameter("items")->values;
      tuning.set("items", items[at % 3 == 0 ? 1 : 0]);
      const std::string defect = defectOf(host, bench.run(tuning), allowed(host, kind));
      QVERIFY2(defect.empty(), qPrintable(describe(problem) + QString::fromStdString(defect)));
    }
  }

  void twoBytesALabel_data() { everyVariant({"uniform", "equal centroids", "lattice"}); }
  /// More clusters than a byte can name. fused.v2 and fused.v3 say that they take no more.
  void twoBytesALabel() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found& found = deviceOf(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    for (const Problem& problem : {Problem{3, 2, 257}, Problem{1023, 3, 257}, Problem{518, 1, 700}}) {
      const auto reason = variant.whyNot(Stage::fused, problem, found.device->info(), {});
      QCOMPARE(reason.has_value(), id != QStringLiteral("fused.v1"));
      if (reason) continue;
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), problem);
      if (problem.k == 700 && kind == 0)
        QVERIFY(*std::max_element(host.labels.begin(), host.labels.end()) > 255);
      FusedBench bench(*found.device, host, variant);
      const std::string defect = defectOf(host, bench.run(), allowed(host, kind));
      QVERIFY2(defect.empty(), qPrintable(describe(problem) + QString::fromStdString(defect)));
    }
  }

  void theMostClustersThereIsRoomFor_data() { everyVariant({"uniform"}); }
  /// Up to the last cluster for which a variant says that it can run, its launch finds room.
  void theMostClustersThereIsRoomFor() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found& found = deviceOf(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    for (const int d : {1, 2, 3}) {
      const auto takes = [&](int k) {
        return !variant.whyNot(Stage::fused, {5, d, k}, found.device->info(), {});
      };
      int most = 1;
      int tooMany = 65536;
      while (tooMany - most > 1) {
        const int k = most + (tooMany - most) / 2;
        (takes(k) ? most : tooMany) = k;
      }
      QVERIFY(most >= 256);
      for (int k = most; k > most - 6; --k) {
        QVERIFY(takes(k));
        const HostProblem host = makeProblem(PointKind::uniform, {5, d, k});
        FusedBench bench(*found.device, host, variant);
        const std::string defect = defectOf(host, bench.run(), allowedOf(host));
        QVERIFY2(defect.empty(), qPrintable(describe(host.problem) + QString::fromStdString(defect)));
      }
    }
  }

  void theBoxNeedNotBeTight_data() { everyVariant({"uniform", "lattice"}); }
  /// A box around all the places that points ever move to is wider than the points are now.
  void theBoxNeedNotBeTight() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found& found = deviceOf(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    for (const int k : {5, 60}) {
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), {777, 2, k});
      FusedBench bench(*found.device, host, variant);
      bench.setBox({.low = {-64, -16, 0}, .high = {64, 192, 0}});
      const std::string defect = defectOf(host, bench.run(), allowed(host, kind, 208));
      QVERIFY2(defect.empty(), qPrintable(describe(host.problem) + QString::fromStdString(defect)));
    }
  }

  void farPointsCostTheOthersLittle_data() { everyVariant({"uniform"}); }
  /// Two points at a million make the box. A slot for each thread adds deviations, and loses nothing by that;
  /// a table adds distances from the middle of the box, which are rounded twice: to a float, and down to an
  /// integer of which the box has 2^29 or more at either side of its middle. Tiles add integers of 50 bits.
  void farPointsCostTheOthersLittle() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found& found = deviceOf(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = *Registry::instance().find(id.toStdString());
    for (const int k : {5, 60}) {
      HostProblem host = makeProblem(PointKind::uniform, {2001, 2, k});
      constexpr float far = 1e6f;
      for (std::size_t j = 0; j < 2; ++j)
        host.points[j * host.problem.n] = host.centroids[host.centroids.size() - 2 + j] = far;
      relabel(host);
      FusedBench bench(*found.device, host, variant);
      Tuning tuning;
      tuning.set("block", 128); // few clusters have slots, 60 have a table
      const double half = 0.5 * static_cast<double>(far);
      const double mayBeOff = variant.info.tileSize ? half * 0x1p-48
                              : k == 5              ? 1e-6 * 10
                                                    : half * (0x1p-24 + 0x1p-28);
      const std::string defect = defectOf(host, bench.run(tuning), mayBeOff);
      QVERIFY2(defect.empty(), qPrintable(describe(host.problem) + QString::fromStdString(defect)));
    }
  }
};

QTEST_GUILESS_MAIN(TestFused)
#include "tst_fused.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// The arguments with the old labels copied to where the new ones go, and read there.
FusedArgs inPlace(Device& device, FusedArgs args) {
  device.copy(args.labels.data, args.oldLabels.data, args.problem.n * bytesOf(args.labels.width));
  args.oldLabels = args.labels;
  return args;
}

/// Sizes that leave a tail of points, of vectors and of chunks; both ways of adding; labels of either width.
const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{{1, 2, 1},    {5, 1, 3},      {515, 2, 16},   {1023, 3, 57},
                                        {4099, 2, 5}, {3001, 3, 60},  {2050, 2, 300}, {5, 8, 3},
                                        {515, 8, 16}, {1023, 16, 60}, {4099, 5, 5},   {2050, 12, 33}};
  return all;
}

} // namespace

/// Labels that are written where the old ones are read: every result is what it is with labels of their own.
class TestFusedInPlace : public QObject {
  Q_OBJECT

private slots:
  void nothingDiffers_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("kind");
    for (const Variant* variant : Registry::instance().all())
      for (const Backend backend : {Backend::cpu, Backend::simt, Backend::cuda})
        for (const PointKind kind : {PointKind::uniform, PointKind::lattice, PointKind::equalCentroids}) {
          if (!variant->on(backend).has(Stage::fused)) continue;
          const QString id = QString::fromStdString(variant->id());
          const QString where = QString::fromLatin1(name(backend).data());
          const QString what = QString::fromLatin1(pointKindNames[static_cast<std::size_t>(kind)]);
          QTest::newRow(qPrintable(id + " on " + where + ", " + what))
              << id << static_cast<int>(backend) << static_cast<int>(kind);
        }
  }
  void nothingDiffers() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    QFETCH(int, kind);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = variantOf(id);
    std::size_t ran = 0;
    for (const Problem& problem : problems()) {
      if (variant.whyNot(Stage::fused, problem, found.device->info(), {})) continue;
      const HostProblem host = makeProblem(static_cast<PointKind>(kind), problem);
      FusedBench bench(*found.device, host, variant);
      const FusedResult right = bench.run();
      run(*found.device, variant, inPlace(*found.device, bench.args()));
      const QByteArray where =
          QStringLiteral("n %1, d %2, k %3").arg(problem.n).arg(problem.d).arg(problem.k).toUtf8();
      QVERIFY2(bench.result() == right, where.constData());
      QVERIFY2(right.changed > 0 || problem.n < 10 || problem.k == 1, where.constData());
      // Once more: now no label is new.
      FusedArgs again = bench.args();
      makeOld(*found.device, again, right);
      run(*found.device, variant, again);
      const FusedResult second = bench.result();
      QCOMPARE(second.changed, 0u);
      QVERIFY2(second.labels == right.labels && second.sums == right.sums, where.constData());
      ++ran;
    }
    QVERIFY(ran > 4);
  }

  void noRacesInAnyOrder_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("order");
    const QStringList orders{"forward", "reverse", "seeded"};
    for (const QString& id : {QStringLiteral("fused.v1"), QStringLiteral("fused.v2")})
      for (qsizetype order = 0; order < orders.size(); ++order)
        QTest::newRow(qPrintable(id + ", " + orders[order])) << id << static_cast<int>(order);
  }
  /// Many cells with three candidates and more, so that points wait for their labels.
  void noRacesInAnyOrder() {
    QFETCH(QString, id);
    QFETCH(int, order);
    const auto device = simt::createSimtDevice();
    device->setSchedule({.order = static_cast<simt::Schedule::Order>(order), .seed = 7});
    const Variant& variant = variantOf(id);
    for (const int d : {1, 2, 3}) {
      const HostProblem host = makeProblem(PointKind::uniform, {2051, d, 60});
      FusedBench bench(*device, host, variant);
      const FusedResult right = bench.run();
      const FusedArgs args = inPlace(*device, bench.args());
      device->startRecording();
      run(*device, variant, args);
      const simt::Trace trace = device->stopRecording();
      QVERIFY(trace.counters.requests > 0);
      QCOMPARE(trace.races, std::size_t{0});
      QVERIFY2(trace.faults.empty(), trace.faults.empty() ? "" : trace.faults.front().c_str());
      QVERIFY(bench.result() == right);
    }
  }

private:
  /// Makes the right labels the old ones, in place.
  static void makeOld(Device& device, FusedArgs& args, const FusedResult& right) {
    Buffer<Label> wide(device, right.labels.size());
    wide.upload(right.labels);
    device.convertLabels({args.problem.n, {wide.data()}, args.labels});
    args.oldLabels = args.labels;
  }
};

QTEST_GUILESS_MAIN(TestFusedInPlace)
#include "tst_fused_in_place.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;
using Order = simt::Schedule::Order;

namespace {

/// As much shared memory as leaves no room for a slot for each of 512 threads, but for one copy of a table,
/// for the points that wait and for some cells.
std::size_t tightShared(const Variant& variant, const Problem& problem) {
  const auto k = static_cast<std::size_t>(problem.k);
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t copy = k * (1 + 2 * d) * sizeof(int);
  const std::size_t totals = k * (d + 1) * sizeof(long long);
  const std::size_t besides = problem.centroidValues() * sizeof(float) + 48;
  const std::size_t waiting = std::size_t{512} / 32 * 64 * (d == 1 ? 8 : 16);
  const std::size_t cells = variant.id() == "fused.v2" ? waiting + 512 : 0;
  return totals + copy + besides + cells;
}

} // namespace

/// What must not show in sums: the order of blocks and threads, what ran before, and how many points a block
/// has.
class TestFusedOrder : public QObject {
  Q_OBJECT

private slots:
  void repeatedRunsGiveTheSameBits_data() { everyVariantOnEveryDevice(); }
  void repeatedRunsGiveTheSameBits() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = variantOf(id);
    for (const int k : {5, 60}) {
      const HostProblem host = someProblem(id, k);
      FusedBench bench(*found.device, host, variant);
      const FusedResult first = bench.run(smallBlocks(variant));
      const std::string defect = defectOf(host, first, allowedOf(host));
      QVERIFY2(defect.empty(), defect.c_str());
      // The simulator has one order unless it is told to change it; a card may have another one every time.
      for (int run = 0; run < (static_cast<Backend>(backend) == Backend::cuda ? 100 : 4); ++run)
        QVERIFY(bench.run(smallBlocks(variant)) == first);
    }
  }

  void everyScheduleGivesTheSameBits_data() { everyVariant(); }
  void everyScheduleGivesTheSameBits() {
    QFETCH(QString, id);
    QFETCH(int, k);
    const auto device = simt::createSimtDevice();
    const HostProblem host = someProblem(id, k);
    FusedBench bench(*device, host, variantOf(id));
    const FusedResult first = bench.run(smallBlocks(variantOf(id)));
    for (const simt::Schedule& schedule :
         {simt::Schedule{Order::forward}, simt::Schedule{Order::reverse}, simt::Schedule{Order::seeded, 3},
          simt::Schedule{Order::seeded, 4}, simt::Schedule{Order::seeded, 5}}) {
      device->setSchedule(schedule);
      QVERIFY(bench.run(smallBlocks(variantOf(id))) == first);
      device->startRecording(); // one block after the other
      const FusedResult recorded = bench.run(smallBlocks(variantOf(id)));
      const simt::Trace trace = device->stopRecording();
      QVERIFY(recorded == first);
      QVERIFY(trace.races == 0 && trace.faults.empty());
    }
  }

  void whatRanBetweenDoesNotShow_data() { everyVariantOnEveryDevice(); }
  void whatRanBetweenDoesNotShow() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const HostProblem host = someProblem(id, 5);
    FusedBench bench(*found.device, host, variantOf(id));
    const FusedResult first = bench.run();
    // More work memory, less of it, and cells of another box; by the same variant and by others.
    for (const char* other : {"fused.v3", "fused.v2", "fused.v1"})
      for (const Problem& problem : {Problem{700, 3, 200}, Problem{90, 1, 2}}) {
        const HostProblem between = makeProblem(PointKind::offset, problem);
        FusedBench otherBench(*found.device, between, variantOf(QString::fromLatin1(other)));
        const std::string defect = defectOf(between, otherBench.run(), allowedOf(between));
        QVERIFY2(defect.empty(), defect.c_str());
        QVERIFY(bench.run() == first);
      }
  }

  void aTableIsEmptiedOnTheWay_data() { everyVariantOnEveryDevice(); }

  /// Far more points of one block in one cluster than its table can take, as far from the middle of the box
  /// as they can be, with sums that have no rounding.
  void aTableIsEmptiedOnTheWay() {
    QFETCH(QString, id);
    QFETCH(int, backend);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const Variant& variant = variantOf(id);
    Tuning tuning;
    tuning.set("block", 512);
    if (variant.parameter("items")->allows(4)) tuning.set("items", 4);
    // On a card, several blocks share its one multiprocessor.
    const std::size_t n = static_cast<Backend>(backend) == Backend::cuda ? 2000003 : 140001;
    constexpr float far = 2047.875f; // of 2048: nearly all of an integer's bits
    // Two centroids, or three in one place, which leave every point of fused.v2 waiting.
    for (const int d : {1, 2, 3})
      for (const int k : {2, 3})
        for (const float end : {far, -far}) {
          HostProblem host{
              .problem = {n, d, k}, .points = {}, .centroids = {}, .oldLabels = {}, .labels = {}};
          host.points.assign(host.problem.pointValues(), end);
          for (std::size_t j = 0; j < host.d(); ++j)
            host.points[j * host.problem.n] = -end; // the other corner of the box
          host.labels.assign(host.problem.n, 0);
          host.oldLabels.assign(host.problem.n, 1);
          host.centroids.assign(host.problem.centroidValues(), end - 100);
          if (k == 2) {
            for (std::size_t j = 0; j < host.d(); ++j)
              host.centroids[host.d() + j] = -end;
            host.labels.front() = 1;
          }
          FusedBench bench(*found.device, host, variant);
          const FusedResult result = bench.runWith(tuning, [&](LaunchContext& context) {
            context.multiprocessors = 1;
            context.sharedBytesPerBlock = tightShared(variant, host.problem);
          });
          const std::string defect = defectOf(host, result, 0);
          QVERIFY2(defect.empty(), qPrintable(QStringLiteral("d %1, k %2, at %3: %4")
                                                  .arg(d)
                                                  .arg(k)
                                                  .arg(static_cast<double>(end))
                                                  .arg(QString::fromStdString(defect))));
        }
  }
};

QTEST_GUILESS_MAIN(TestFusedOrder)
#include "tst_fused_order.moc"

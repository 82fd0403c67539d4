// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/kernels/kernel.hpp"
#include "gpu/reference/verify.hpp"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>
#include <tuple>

using namespace lloyd;

namespace {

/// A correct classification of points begin .. end - 1, for the mistakes to be made around.
void classifyRange(const ClassifyArgs& args, std::size_t begin, std::size_t end, float start, bool orEqual) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  for (std::size_t i = begin; i < end; ++i) {
    float best = start;
    Label nearest = 0;
    for (Label cluster = 0; cluster < args.problem.k; ++cluster) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance = addSquare(distance, args.points.data[j * args.points.stride + i],
                             args.centroids[static_cast<std::size_t>(cluster) * d + j]);
      if (distance < best || (orEqual && distance <= best)) {
        best = distance;
        nearest = cluster;
      }
    }
    args.labels[i] = nearest;
    *args.changed += nearest != args.oldLabels[i] ? 1 : 0;
  }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

void classifyRight(const ClassifyArgs& args, LaunchContext&) {
  classifyRange(args, 0, args.problem.n, infinity, false);
}

void classifyOffByOne(const ClassifyArgs& args, LaunchContext& context) {
  classifyRight(args, context);
  if (args.problem.n > 100) args.labels[100] = (args.labels[100] + 1) % args.problem.k;
}

void classifySkippingTail(const ClassifyArgs& args, LaunchContext&) {
  classifyRange(args, 0, args.problem.n / 32 * 32, infinity, false);
}

void classifyPastTheEnd(const ClassifyArgs& args, LaunchContext& context) {
  classifyRight(args, context);
  args.labels[args.problem.n] = 0;
}

void classifyFromTenMillion(const ClassifyArgs& args, LaunchContext&) {
  classifyRange(args, 0, args.problem.n, 1e7f, false);
}

void classifyTiesUpwards(const ClassifyArgs& args, LaunchContext&) {
  classifyRange(args, 0, args.problem.n, infinity, true);
}

void classifyMiscounting(const ClassifyArgs& args, LaunchContext& context) {
  classifyRight(args, context);
  ++*args.changed;
}

/// As a kernel that is compiled for each dimension and number of items may be, wrong in one of them.
void classifyOneInstance(const ClassifyArgs& args, LaunchContext& context) {
  classifyRight(args, context);
  if (args.problem.d == 3 && args.tuning.items == 8) args.labels[0] = (args.labels[0] + 1) % args.problem.k;
}

std::set<std::tuple<int, int, int>> ran; ///< dimensions, threads in a block, items

void classifyNoting(const ClassifyArgs& args, LaunchContext& context) {
  ran.insert({args.problem.d, args.tuning.block, args.tuning.items});
  classifyRight(args, context);
}

/// A correct reduction with the sums of type T.
template <class T>
void reduceIn(const ReduceArgs& args) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  std::vector<T> sums(args.problem.centroidValues());
  for (std::size_t i = 0; i < args.problem.n; ++i) {
    const auto cluster = static_cast<std::size_t>(args.labels[i]);
    ++args.counts[cluster];
    for (std::size_t j = 0; j < d; ++j)
      sums[cluster * d + j] +=
          static_cast<T>(args.points.data[j * args.points.stride + i] - args.pivots[cluster * d + j]);
  }
  for (std::size_t at = 0; at < sums.size(); ++at)
    args.sums[at] += static_cast<double>(sums[at]);
}

void reduceRight(const ReduceArgs& args, LaunchContext&) { reduceIn<double>(args); }
void reduceStagnating(const ReduceArgs& args, LaunchContext&) { reduceIn<float>(args); }

void reduceNan(const ReduceArgs& args, LaunchContext&) {
  reduceIn<double>(args);
  if (args.problem.n > 0) args.sums[0] = std::numeric_limits<double>::quiet_NaN();
}

void reducePadding(const ReduceArgs& args, LaunchContext&) {
  reduceIn<double>(args);
  if (args.problem.n % 32 != 0) args.sums[0] += static_cast<double>(args.points.data[args.problem.n]);
}

void reduceLosingACount(const ReduceArgs& args, LaunchContext&) {
  reduceIn<double>(args);
  if (args.counts[0] > 1) --args.counts[0];
}

void updateToOrigin(const UpdateArgs& args, LaunchContext&) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  *args.outcome = {};
  for (std::size_t at = 0; at < args.problem.centroidValues(); ++at) {
    const std::uint32_t count = args.counts[at / d];
    const double before = args.oldCentroids[at];
    args.centroids[at] = count == 0 ? 0.0f : static_cast<float>(before + args.sums[at] / count);
  }
}

/// A right layout, but for the values from point 100 on when they are taken from one record too far.
void layOut(const LayoutArgs& args, std::size_t mistake) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  const std::size_t n = args.problem.n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      args.rows[j * args.stride + i] = args.records[(i >= 100 && i + mistake < n ? i + mistake : i) * d + j];
}

void layOutRight(const LayoutArgs& args, LaunchContext&) { layOut(args, 0); }
void layOutNextRecord(const LayoutArgs& args, LaunchContext&) { layOut(args, 1); }

void layOutPadding(const LayoutArgs& args, LaunchContext&) {
  layOut(args, 0);
  if (args.problem.n % 32 != 0) args.rows[args.problem.n] = 0;
}

void layOutNothing(const LayoutArgs&, LaunchContext&) {}

template <class Function>
void plant(std::string_view tag, Function Launchers::*stage, Function launch) {
  VariantInfo info;
  info.family = "planted";
  info.tag = tag;
  info.name = tag;
  info.changed = Changed::points;
  info.parameters = {{"block", {64, 256}, 64}, {"items", {4, 8}, 4}};
  Launchers launchers;
  launchers.*stage = launch;
  Registry::instance().add(info, Backend::cpu, launchers);
}

} // namespace

/// Verification is worth what it catches: each planted mistake must fail it, and the honest twins must not.
class TestNegative : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() {
    plant("right-classify", &Launchers::classify, classifyRight);
    plant("right-reduce", &Launchers::reduce, reduceRight);
    plant("right-layout", &Launchers::layout, layOutRight);
    plant("one-instance", &Launchers::classify, classifyOneInstance);
    plant("noting", &Launchers::classify, classifyNoting);
    plant("off-by-one", &Launchers::classify, classifyOffByOne);
    plant("skipped-tail", &Launchers::classify, classifySkippingTail);
    plant("past-the-end", &Launchers::classify, classifyPastTheEnd);
    plant("from-ten-million", &Launchers::classify, classifyFromTenMillion);
    plant("ties-upwards", &Launchers::classify, classifyTiesUpwards);
    plant("miscounting", &Launchers::classify, classifyMiscounting);
    plant("stagnating", &Launchers::reduce, reduceStagnating);
    plant("nan", &Launchers::reduce, reduceNan);
    plant("padding", &Launchers::reduce, reducePadding);
    plant("losing-a-count", &Launchers::reduce, reduceLosingACount);
    plant("to-origin", &Launchers::update, updateToOrigin);
    plant("next-record", &Launchers::layout, layOutNextRecord);
    plant("padded-row", &Launchers::layout, layOutPadding);
    plant("nothing-moved", &Launchers::layout, layOutNothing);
  }

  void honestTwinsPass() {
    const auto device = createCpuDevice();
    const auto results = verifyVariants(*device, {.patterns = {"planted.right-*"}});
    QCOMPARE(results.size(), std::size_t{3});
    for (const VerifyResult& result : results)
      QVERIFY2(result.ok(), result.firstFailure.c_str());
  }

  void everyMistakeIsCaught_data() {
    QTest::addColumn<QString>("tag");
    QTest::addColumn<QString>("text"); // what a person is told
    QTest::newRow("off by one") << "off-by-one"
                                << "point 100";
    QTest::newRow("one dimension with one value of a parameter") << "one-instance"
                                                                 << "d 3, k 17, block 64, items 8: point 0";
    QTest::newRow("skipped tail") << "skipped-tail"
                                  << "has no label: nothing was written there";
    QTest::newRow("past the end") << "past-the-end"
                                  << "past their end";
    QTest::newRow("finite start") << "from-ten-million"
                                  << "is nearer";
    QTest::newRow("ties upwards") << "ties-upwards"
                                  << "";
    QTest::newRow("miscounting") << "miscounting"
                                 << "change count";
    QTest::newRow("stagnating float sum") << "stagnating"
                                          << "mean deviation";
    QTest::newRow("NaN") << "nan"
                         << "nan";
    QTest::newRow("padding") << "padding"
                             << "nan";
    QTest::newRow("lost count") << "losing-a-count"
                                << "counts";
    QTest::newRow("empty cluster to the origin") << "to-origin"
                                                 << "";
    QTest::newRow("next record") << "next-record"
                                 << "point 100";
    QTest::newRow("padding of a row written") << "padded-row"
                                              << "was written past";
    QTest::newRow("nothing moved") << "nothing-moved"
                                   << "point 0";
  }

  void everyMistakeIsCaught() {
    QFETCH(QString, tag);
    QFETCH(QString, text);
    const auto device = createCpuDevice();
    const auto results = verifyVariants(*device, {.patterns = {"planted." + tag.toStdString()}});
    QCOMPARE(results.size(), std::size_t{1});
    QVERIFY(results.front().failed > 0);
    QVERIFY(!(results.front().worstError <= 1));
    QVERIFY2(QString::fromStdString(results.front().firstFailure).contains(text),
             results.front().firstFailure.c_str());
    // None of them is wrong without points alone, and such a case shows nothing.
    QVERIFY2(!QString::fromStdString(results.front().firstFailure).contains(", n 0,"),
             results.front().firstFailure.c_str());
  }

  void thoroughTriesAllValuesWithAll() {
    const auto device = createCpuDevice();
    std::atomic<bool> cancel = false;
    device->setCancel(&cancel);
    VerifyOptions options{.patterns = {"planted.noting"}};
    options.thorough = true;
    ran.clear();
    // The large cases behind them take the reference a while.
    const auto untilLarge = [&](const VerifyProgress& at) {
      cancel = at.caseName.find("d 64") != std::string_view::npos;
    };
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(verifyVariants(*device, options, untilLarge)), Cancelled);
    for (const int d : {1, 2, 3})
      for (const int block : {64, 256})
        for (const int items : {4, 8})
          QVERIFY2(ran.contains({d, block, items}),
                   qPrintable(QString("%1 %2 %3").arg(d).arg(block).arg(items)));
  }
};

QTEST_GUILESS_MAIN(TestNegative)
#include "tst_negative.moc"

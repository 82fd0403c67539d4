// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/device.hpp"

#include <QTest>

using namespace lloyd;

namespace {

std::optional<std::string> atMostTenClusters(const Variant&, const Problem& problem, const DeviceInfo&,
                                             const Tuning&) {
  if (problem.k <= 10) return std::nullopt;
  return "too many clusters";
}

Variant tunable() {
  Variant variant;
  variant.info.family = "classify";
  variant.info.tag = "v4";
  variant.info.parameters = {{.name = "block", .values = {64, 128, 2048}, .fallback = 128},
                             {.name = "arithmetic", .values = {0, 1}, .fallback = 0}};
  variant.info.canRun = atMostTenClusters;
  variant.launchers[static_cast<std::size_t>(Backend::cuda)].classify = [](const ClassifyArgs&,
                                                                           LaunchContext&) {};
  return variant;
}

DeviceInfo card() {
  DeviceInfo info;
  info.backend = Backend::cuda;
  info.name = "a card";
  info.threadsPerBlock = 1024;
  return info;
}

QString reason(const Problem& problem, const Tuning& tuning, Stage stage = Stage::classify) {
  return QString::fromStdString(tunable().whyNot(stage, problem, card(), tuning).value_or(""));
}

} // namespace

/// Tuning parameters of variants: what is allowed, what is filled in, and why a launch is refused.
class TestParameters : public QObject {
  Q_OBJECT

private slots:
  void rangesReadWell() {
    const Parameter block{.name = "block", .values = {32, 64, 128}, .fallback = 64};
    QCOMPARE(block.range(), std::string("32, 64, 128"));
    QVERIFY(block.allows(64));
    QVERIFY(!block.allows(65));
    const Parameter arithmetic{.name = "arithmetic", .values = {0, 1}, .fallback = 0};
    QCOMPARE(arithmetic.range(), std::string("multiply, pow"));
  }

  /// Others would be lost without a word.
  void aListThatIsFullTakesNoMore() {
    ShortList<int, 2> two{3, 4};
    QCOMPARE(two.back(), 4);
    QVERIFY_EXCEPTION_THROWN(two.push_back(5), std::length_error);
    QCOMPARE(two.size(), std::size_t{2});
    using Pair = ShortList<int, 2>;
    QVERIFY_EXCEPTION_THROWN((Pair{1, 2, 3}), std::length_error);
  }

  void everyKnobIsSetAndReadByName() {
    Tuning tuning;
    for (const auto& [name, value] :
         {std::pair{"block", 64}, {"items", 8}, {"vector", 4}, {"unroll", 2}, {"arithmetic", 1}}) {
      tuning.set(name, value);
      QCOMPARE(tuning.value(name), value);
    }
    const Tuning before = tuning;
    tuning.set("colour", 3);
    QVERIFY(tuning == before);
    QCOMPARE(tuning.value("colour"), 0);
  }

  void openKnobsGetTheVariantsOwnValues() {
    Tuning asked;
    asked.items = 4; // the variant has no such tuning parameter
    const Tuning full = tunable().complete(asked);
    QCOMPARE(full.block, 128);
    QCOMPARE(full.items, 0);
    asked.block = 64;
    QCOMPARE(tunable().complete(asked).block, 64);
  }

  void refusalsNameTheReason() {
    const Problem small{100, 2, 4};
    QVERIFY(reason(small, {}).isEmpty());
    Tuning tuning;
    tuning.block = 100;
    QCOMPARE(reason(small, tuning), "classify.v4: block 100 is not one of 64, 128, 2048");
    tuning.block = 2048;
    QVERIFY(reason(small, tuning).contains("1024"));
    QCOMPARE(reason({100, 2, 11}, {}), "too many clusters");
    QVERIFY(reason(small, {}, Stage::reduce).contains("no reduce stage"));
    DeviceInfo cpu = card();
    cpu.backend = Backend::cpu;
    QVERIFY(tunable().whyNot(Stage::classify, small, cpu, {})->find("needs a CUDA device") !=
            std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestParameters)
#include "tst_parameters.moc"

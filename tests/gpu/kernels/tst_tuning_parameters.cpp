// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/checks.hpp"
#include "tests/support/devices.hpp"

#include <QTest>

#include <vector>

using namespace lloyd;

namespace {

/// Every value of every tuning parameter with every value of every other.
std::vector<Tuning> allTunings(const Variant& variant) {
  std::vector<Tuning> tunings{variant.complete({})};
  for (const Parameter& parameter : variant.info.parameters) {
    std::vector<Tuning> crossed;
    for (const Tuning& tuning : tunings)
      for (const int value : parameter.values) {
        crossed.push_back(tuning);
        crossed.back().set(parameter.name, value);
      }
    tunings = std::move(crossed);
  }
  return tunings;
}

std::string describe(const Variant& variant, const Tuning& tuning) {
  std::string text = variant.id();
  for (const Parameter& parameter : variant.info.parameters)
    text.append(" ").append(parameter.name).append(" ").append(std::to_string(tuning.value(parameter.name)));
  return text;
}

} // namespace

/// A launch function picks one of many compiled kernels, and the shape that goes with it. verify tries the
/// tuning parameters one at a time; here they meet, on few points, and each pick must be a right one.
class TestTuningParameters : public QObject {
  Q_OBJECT

private slots:
  void everyCombinationClassifies_data() {
    QTest::addColumn<int>("d");
    QTest::addColumn<int>("k");
    // K with a kernel of its own and without, K that no group of clusters divides, fewer than a group.
    for (const int d : {1, 2, 3})
      for (const int k : {1, 3, 8, 10, 16, 17})
        QTest::addRow("d %d, k %d", d, k) << d << k;
  }

  void everyCombinationClassifies() {
    QFETCH(int, d);
    QFETCH(int, k);
    const test::Found found = test::findDevice(Backend::simt);
    if (!found.device) QSKIP(found.why.c_str());
    Device& device = *found.device;
    const PreparedCase prepared(device, {.problem = {777, d, k}});
    std::size_t ran = 0;
    for (const Variant* variant : Registry::instance().of(Stage::classify, Backend::simt)) {
      const std::size_t before = ran;
      for (const Tuning& tuning : allTunings(*variant)) {
        if (variant->whyNot(Stage::classify, prepared.problem, device.info(), tuning)) continue;
        ++ran;
        const auto result = checkStage(device, *variant, Stage::classify, tuning, prepared);
        QVERIFY2(result.ok(), (describe(*variant, tuning) + ": " + result.firstFailure).c_str());
      }
      const bool forMore = d == 1 && variant->whyNot(Stage::classify, prepared.problem, device.info(), {});
      QVERIFY2(ran > before || forMore, variant->id().c_str());
    }
    QVERIFY(ran > 0);
  }
};

QTEST_GUILESS_MAIN(TestTuningParameters)
#include "tst_tuning_parameters.moc"

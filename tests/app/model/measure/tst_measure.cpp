// SPDX-License-Identifier: GPL-3.0-or-later
// Races of real kernels. Nothing here depends on how fast this machine is.
#include "app/model/measure/measure_candidates.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/some_points.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lloyd;

namespace {

void labelAllZero(const ClassifyArgs& args, LaunchContext&) { std::fill_n(args.labels, args.problem.n, 0); }
void sumToNothing(const ReduceArgs& args, LaunchContext&) {
  std::fill_n(args.sums, args.problem.centroidValues(), std::numeric_limits<double>::quiet_NaN());
}

const Variant& planted(std::string_view tag, const Launchers& launchers) {
  VariantInfo info;
  info.family = "planted";
  info.tag = tag;
  info.name = tag;
  Registry& registry = Registry::instance();
  if (!registry.find("planted." + std::string(tag)))
    static_cast<void>(registry.add(info, Backend::cpu, launchers));
  return *registry.find("planted." + std::string(tag));
}

std::vector<Candidate> everything(Backend backend) {
  std::vector<Candidate> candidates;
  for (const Stage stage : {Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout})
    for (const Variant* variant : Registry::instance().of(stage, backend))
      candidates.push_back({variant, stage, variant->complete({})});
  return candidates;
}

constexpr RaceOptions hurried{.rounds = 6, .analyses = 1, .warmUpSeconds = 0.05, .sampleUs = 20};

} // namespace

class TestMeasure : public QObject {
  Q_OBJECT

private slots:
  void everyVariantIsMeasured_data() {
    QTest::addColumn<bool>("cold");
    QTest::newRow("hot") << false;
    QTest::newRow("cold") << true;
  }

  void everyVariantIsMeasured() {
    QFETCH(bool, cold);
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      const auto found = test::findDevice(backend);
      if (!found.device) continue;
      const PointSet points = test::somePoints(5000, 3);
      StageHarness bench(*found.device, points, 5, {}, 1);
      RaceOptions options = hurried;
      options.cache = cold ? CacheState::cold : CacheState::hot;
      const std::vector<Candidate> candidates = everything(backend);
      const RaceResult result = measure(bench, candidates, options);
      QVERIFY(result.finished);
      QCOMPARE(result.rows.size(), candidates.size());
      QCOMPARE(result.device.backend, backend);
      QVERIFY(result.conditions.clockMhz > 0);
      for (std::size_t i = 0; i < result.rows.size(); ++i) {
        const Measurement& row = result.rows[i];
        QVERIFY(sameCandidate(row.candidate, candidates[i]));
        if (!row.skipped.empty()) continue;
        QVERIFY2(row.verified, row.difference.c_str());
        QCOMPARE(row.us.size(), result.conditions.rounds);
        // One without a rival takes more, until its median is known.
        QVERIFY2(row.times.samples >= 6 && row.times.samples <= 12,
                 qPrintable(QString::number(row.times.samples)));
        QVERIFY(result.conditions.places.size() == result.conditions.rounds);
        QVERIFY(row.rank >= 1);
        QCOMPARE(row.ofLimit().has_value(), row.limitUs > 0);
        if (row.ofLimit()) QVERIFY(*row.ofLimit() > 0 && *row.ofLimit() <= 1);
        QVERIFY(row.limitUs <= row.times.median);
        if (cold) QCOMPARE(row.launches, std::size_t{1});
      }
    }
  }

  /// Such a limit would be the fastest candidate's own time.
  void aCopyThatIsMostlyItsLaunchSetsNoLimit() {
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
      const auto found = test::findDevice(backend);
      if (!found.device) continue;
      const PointSet one = test::somePoints(1, 1);
      StageHarness least(*found.device, one, 1, {}, 1);
      for (const Measurement& row : measure(least, everything(backend), hurried).rows)
        QVERIFY2(!row.ofLimit(), row.candidate.variant->id().c_str());
      const PointSet many = test::somePoints(backend == Backend::cpu ? 200'000 : 4'000'000, 3);
      StageHarness most(*found.device, many, 2, {}, 1);
      for (const Measurement& row : measure(most, everything(backend), hurried).rows)
        if (row.ran() && row.candidate.stage == Stage::classify)
          QVERIFY2(row.ofLimit(), row.candidate.variant->id().c_str());
        else if (row.candidate.stage == Stage::update)
          QVERIFY2(!row.ofLimit(), row.candidate.variant->id().c_str());
    }
  }

  void aWrongVariantIsTimedAndNeverRanked() {
    const auto device = test::findDevice(Backend::cpu).device;
    const PointSet points = test::somePoints(3000, 2);
    StageHarness bench(*device, points, 4, {}, 1);
    const Variant& labels = planted("labels", {.classify = labelAllZero});
    const Variant& sums = planted("sums", {.reduce = sumToNothing});
    const Variant& right = *Registry::instance().find("cpu.v2");
    const std::vector<Candidate> candidates{
        {&labels, Stage::classify, {}}, {&sums, Stage::reduce, {}}, {&right, Stage::classify, {}}};
    const RaceResult result = measure(bench, candidates, hurried);
    QVERIFY(!result.rows[0].verified);
    QVERIFY(result.rows[0].difference.find("of 3000 labels are wrong, inertia is") != std::string::npos);
    QCOMPARE(result.rows[0].rank, 0);
    QVERIFY(!result.rows[1].verified);
    QVERIFY(result.rows[1].difference.starts_with("the largest centroid error is nan"));
    QCOMPARE(result.rows[1].rank, 0);
    QCOMPARE(result.rows[2].rank, 1);
  }

  void aCancelledRaceKeepsWhatItHas() {
    const auto device = test::findDevice(Backend::cpu).device;
    const PointSet points = test::somePoints(3000, 2);
    StageHarness bench(*device, points, 4, {}, 1);
    const std::vector<Candidate> candidates = everything(Backend::cpu);
    const RaceResult result = measure(bench, candidates, hurried, [](const RaceProgress& progress) {
      if (progress.round == 2) throw Cancelled();
    });
    QVERIFY(!result.finished);
    for (const Measurement& row : result.rows)
      if (row.skipped.empty()) QCOMPARE(row.us.size(), std::size_t{2});
  }
};

QTEST_GUILESS_MAIN(TestMeasure)
#include "tst_measure.moc"

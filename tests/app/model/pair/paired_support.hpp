// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/paired_run.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/model/session/session_halves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lloyd {

inline constexpr std::size_t plantedEvery = 100;
inline constexpr std::size_t plantedAt = 7;

/// Right but for one point in a hundred.
inline void classifyWrongly(const ClassifyArgs& args, LaunchContext& context) {
  Registry::instance().find("cpu.v1")->on(Backend::cpu).classify(args, context);
  for (std::size_t i = plantedAt; i < args.problem.n; i += plantedEvery)
    args.labels[i] = (args.labels[i] + 1) % args.problem.k;
}

inline Selection apartBy(const char* classify, const char* reduce) {
  Selection selection;
  selection.classify = classify;
  selection.reduce = reduce;
  return selection;
}

inline SideChoice onePass() {
  SideChoice side;
  side.backend = BackendRequest::cpu;
  side.selection.fused = "cpu.v3";
  return side;
}

inline Settings scalar(int k) {
  Settings settings = cpuSettings(k);
  settings.selection = apartBy("cpu.v1", "cpu.v1");
  return settings;
}

inline int gapOf(const Session& a, const Session& b) {
  return std::abs(positionOf(*a.last()) - positionOf(*b.last()));
}

inline bool waitsForStep(PairedRun& run) {
  return QTest::qWaitFor([&] { return run.inStep(); }, 30000);
}

/// Both rest at the same state, and what they disagree in is known.
inline bool settles(PairedRun& run, const Session& a) {
  return QTest::qWaitFor(
      [&] {
        return run.inStep() && run.upToDate() && run.difference()->iteration == a.last()->iteration &&
               run.difference()->halfway == a.last()->halfway;
      },
      30000);
}

inline void startBoth(Session& a, PairedRun& run, const Settings& settings, const SideChoice& side,
                      const char* data) {
  begin(a, settings, generator(data));
  run.wantDifferences(true);
  run.setSide(side);
  run.setActive(true);
  QVERIFY(run.other());
  QVERIFY(waitsForStep(run));
}

/// "planted.wrong", for tests that need labels to differ.
inline void plantWrongVariant() {
  VariantInfo info;
  info.family = "planted";
  info.tag = "wrong";
  info.name = "one label in a hundred is the next cluster's";
  info.layout = Layout::aos;
  Launchers launchers;
  launchers.classify = classifyWrongly;
  QVERIFY(Registry::instance().add(info, Backend::cpu, launchers));
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// Races written by hand, for tests of what is said of races.
#pragma once
#include "app/model/measure/race_protocol.hpp"
#include "app/model/report/bench_report.hpp"
#include "gpu/core/contract/registry.hpp"

#include <cmath>
#include <limits>

namespace lloyd {

inline const Variant& variantCalled(const char* id) {
  const Variant* variant = Registry::instance().find(id);
  if (!variant) qFatal("there is no variant %s", id);
  return *variant;
}

/// Sixty samples around us that wander by the part spread, the same each time.
inline Measurement measured(const char* id, Stage stage, const Problem& problem, double us,
                            double spread = 0.004) {
  Measurement m;
  m.candidate = {&variantCalled(id), stage, variantCalled(id).complete({})};
  m.problem = problem;
  for (int i = 0; i < 60; ++i)
    m.us.push_back(us * (1 + spread * std::sin(i * 2.4) + spread / 2 * std::cos(i * 0.7)));
  m.times = summarise(m.us);
  m.verified = true;
  m.bytes = leastBytes(stage, problem, m.candidate.variant->labelWidth(problem.k));
  m.limitUs = us / 4;
  m.launches = 8;
  return m;
}

inline Measurement differing(const char* id, Stage stage, const Problem& problem, double us,
                             const char* difference) {
  Measurement m = measured(id, stage, problem, us);
  m.verified = false;
  m.difference = difference;
  return m;
}

inline Measurement skipped(const char* id, Stage stage, const Problem& problem, const char* reason) {
  Measurement m;
  m.candidate = {&variantCalled(id), stage, variantCalled(id).complete({})};
  m.problem = problem;
  m.skipped = reason;
  return m;
}

inline RaceResultPtr raced(std::vector<Measurement> rows) {
  auto race = std::make_shared<RaceResult>();
  race->rows = std::move(rows);
  race->conditions.rounds = 60;
  for (std::uint32_t round = 0; round < 60; ++round)
    race->conditions.places.push_back(round / 3);
  race->conditions.rampUp = 12;
  race->conditions.throttled = 3;
  race->conditions.clockMhz = 1980;
  race->conditions.load = {.processors = 4, .byOthers = 1.5, .stolen = 0.25, .switchedAway = 12};
  race->conditions.card = {.known = true, .otherProcesses = 2, .powerLimited = true, .heatLimited = false};
  race->conditions.seconds = 4.2;
  race->device.name = "Test device";
  race->device.backend = Backend::cuda;
  race->device.driver = "580.1";
  race->device.runtime = "13.0";
  race->source = "uniform:d=2";
  race->when = std::chrono::system_clock::from_time_t(1'750'000'000);
  race->finished = true;
  rankRows(race->rows, race->conditions);
  return race;
}

inline BenchReport reportOf(std::vector<RaceResultPtr> races) {
  BenchReport report;
  report.device = races.front()->device;
  report.source = races.front()->source;
  report.seed = 7;
  report.races = std::move(races);
  report.command = "lloydscope bench --n 2^16 --seed 7";
  return report;
}

/// One problem: three that are right, one that is wrong, one whose times are no numbers, one that was not
/// run.
inline RaceResultPtr mixedRace(const Problem& problem = {65536, 2, 16}) {
  Measurement nan = measured("classify.v4", Stage::classify, problem, 20);
  nan.us.assign(nan.us.size(), std::numeric_limits<double>::quiet_NaN());
  nan.times.median = std::numeric_limits<double>::quiet_NaN();
  Measurement resourceful = measured("classify.v2", Stage::classify, problem, 30);
  resourceful.resources =
      KernelResources{.registers = 40, .sharedBytes = 2048, .localBytes = 0, .occupancy = 0.75};
  return raced({measured("classify.v1", Stage::classify, problem, 60), resourceful,
                differing("classify.v3", Stage::classify, problem, 10, "label 7 is 3, but must be 2"), nan,
                skipped("classify.v7", Stage::classify, problem, "classify.v7 wants a larger block"),
                measured("reduce.v1", Stage::reduce, problem, 17)});
}

} // namespace lloyd

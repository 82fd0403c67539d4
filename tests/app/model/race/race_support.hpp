// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/race_protocol.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lloyd::test {

/// Variants that no backend runs, for races that are written down by hand.
inline Variant paperVariant(std::string_view family, std::string_view tag, Backend backend = Backend::cpu,
                            Stage stage = Stage::classify) {
  Variant variant;
  variant.info.family = family;
  variant.info.tag = tag;
  variant.info.name = tag;
  Launchers& launchers = variant.launchers[static_cast<std::size_t>(backend)];
  if (stage == Stage::classify) launchers.classify = [](const ClassifyArgs&, LaunchContext&) {};
  if (stage == Stage::reduce) launchers.reduce = [](const ReduceArgs&, LaunchContext&) {};
  return variant;
}

inline constexpr Problem paperProblem{.n = 1000, .d = 2, .k = 4};

/// Samples around a time: every seventh is 1 % off, upwards and downwards in turn, the rest within 0.1 %.
inline std::vector<double> samplesAround(double us, std::size_t rounds = 240) {
  std::vector<double> samples;
  for (std::size_t i = 0; i < rounds; ++i) {
    const double off = i % 7 == 0 ? (i % 2 == 0 ? 0.01 : -0.01) : 0.001 * std::sin(static_cast<double>(i));
    samples.push_back(us * (1 + off));
  }
  return samples;
}

inline Measurement measuredAs(const Variant& variant, Stage stage, std::vector<double> us) {
  Measurement m;
  m.candidate = {&variant, stage, {}};
  m.problem = paperProblem;
  m.bytes = 20000;
  std::vector<double> kept;
  std::copy_if(us.begin(), us.end(), std::back_inserter(kept), [](double one) { return std::isfinite(one); });
  m.times = summarise(kept);
  m.limitUs = m.times.median / 2;
  m.us = std::move(us);
  m.verified = true;
  return m;
}

inline std::shared_ptr<RaceResult> raceOf(std::vector<Measurement> rows) {
  auto race = std::make_shared<RaceResult>();
  race->rows = std::move(rows);
  race->conditions.rounds = race->rows.empty() ? 0 : race->rows.front().us.size();
  for (std::uint32_t round = 0; round < race->conditions.rounds; ++round)
    race->conditions.places.push_back(round / 3);
  race->device.name = "a test's card";
  race->source = "paper";
  race->finished = true;
  rankRows(race->rows, race->conditions);
  return race;
}

} // namespace lloyd::test

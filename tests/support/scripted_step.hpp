// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"
#include "tests/support/scripted_race.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace lloyd::test {

/// A race of a step's combinations, each around the time that timeOf gives it, with 1 % of noise that every
/// round shares and some of each one's own; the versions take what both ends take. places: rounds in a row
/// lie in one place of memory, three by three.
inline RaceResult scriptedRace(const VersionStep& step, const std::function<double(std::size_t)>& timeOf,
                               std::size_t rounds = 60) {
  RaceResult race;
  race.device.name = "a card";
  race.source = "uniform:n=1000,d=2";
  race.finished = true;
  race.conditions.rounds = rounds;
  race.conditions.seed = 7;
  for (std::size_t round = 0; round < rounds; ++round)
    race.conditions.places.push_back(static_cast<std::uint32_t>(round / 3));
  const Problem problem{1000, 2, 16};
  std::size_t series = 0;
  const auto add = [&](const Candidate& candidate, double us) {
    race.rows.push_back(rowOf(candidate, problem, wave(us, 0.01, rounds, series++), 1e3));
  };
  const std::vector<Candidate> candidates = candidatesOf(step);
  const std::size_t combinations = step.combinations.size();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i < combinations) {
      add(candidates[i], timeOf(i));
      continue;
    }
    const bool before = candidates[i].variant->id() == step.info.from;
    std::size_t parts = 0; // a version may have two stages that come to the step's
    for (const Candidate& other : candidates)
      parts += other.variant == candidates[i].variant ? 1 : 0;
    add(candidates[i], timeOf(before ? 0 : combinations - 1) / static_cast<double>(parts));
  }
  return race;
}

} // namespace lloyd::test

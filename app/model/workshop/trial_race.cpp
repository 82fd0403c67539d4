// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/trial_race.hpp"

#include "gpu/core/contract/error.hpp"

#include <array>

namespace lloyd {

std::optional<TrialRace> raceTwo(StageHarness& bench, const Candidate& own, const Candidate& rival,
                                 const RaceOptions& options, const std::atomic<bool>* cancel) {
  const std::array candidates{own, rival};
  const RaceResult race = measure(bench, candidates, options, [&](const RaceProgress&) {
    if (cancel && cancel->load()) throw Cancelled();
  });
  const Measurement& first = race.rows[0];
  const Measurement& second = race.rows[1];
  if (!first.comparable() || !second.comparable()) return std::nullopt;
  return TrialRace{first.times.median, second.times.median, compareRows(first, second, race.conditions)};
}

} // namespace lloyd

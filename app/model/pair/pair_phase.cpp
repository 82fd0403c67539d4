// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/pair_phase.hpp"

namespace lloyd {

PairPhase after(PairPhase phase, PairEvent event) {
  if (event == PairEvent::wanted) return PairPhase::due;
  if (event == PairEvent::dropped) return PairPhase::off;
  if (!follows(phase)) return phase;
  switch (event) {
  case PairEvent::failed:
    return PairPhase::failed;
  case PairEvent::outdated:
    return PairPhase::due;
  case PairEvent::seedAsked:
    return PairPhase::seeding;
  case PairEvent::stateGiven:
    return PairPhase::adopting;
  case PairEvent::restartOfA:
    return PairPhase::resting; // A's new run is what makes B due
  case PairEvent::interrupted:
  case PairEvent::resultOfB:
    return phase == PairPhase::stepping ? PairPhase::resting : phase;
  case PairEvent::stepAsked:
  case PairEvent::moved:
    return phase == PairPhase::resting ? PairPhase::stepping : phase;
  case PairEvent::joinedByB:
    return phase == PairPhase::adopting ? PairPhase::stepping : phase;
  case PairEvent::seededByB:
    if (phase == PairPhase::seeding) return PairPhase::stepping;
    // A state that is on its way overrides the new run. Without one, another device has lost what B had.
    return phase == PairPhase::adopting ? phase : PairPhase::due;
  case PairEvent::wanted:
  case PairEvent::dropped:
    break;
  }
  return phase;
}

PairMove moveTowards(int here, int there, bool canStepBack) {
  if (here == there) return PairMove::none;
  if (here > there) return canStepBack ? PairMove::stepBack : PairMove::adopt;
  const bool halfway = there % 2 != 0;
  return there - here == 1 && halfway ? PairMove::halfStep : PairMove::step;
}

} // namespace lloyd

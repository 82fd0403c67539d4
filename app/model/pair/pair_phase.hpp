// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

#include <cstdint>

namespace lloyd {

/// Where side B is on its way to what side A shows. Whether both show the same is no phase: it depends on
/// what A shows at the moment, and is asked for where it matters.
enum class PairPhase : std::uint8_t {
  off,      ///< no B is wanted
  failed,   ///< B stopped; A goes on alone
  due,      ///< B must take A's state over before it can follow
  seeding,  ///< B begins a run of its own seed
  adopting, ///< B takes A's state over
  stepping, ///< B computes what it was asked for: a step, a half, a step back, labels of moved centroids
  resting   ///< nothing is on its way to B
};

enum class PairEvent : std::uint8_t {
  wanted,      ///< a B is begun, the first or another after a failure
  dropped,     ///< no B is wanted
  failed,      ///< B cannot go on
  outdated,    ///< A has other points or another run, or B another seed
  interrupted, ///< a change of B's variants ends the step that is under way
  seedAsked,   ///< B is asked for a run of its own seed
  stateGiven,  ///< B is given A's state
  restartOfA,  ///< A is asked to begin again, because B cannot take its state up
  stepAsked,   ///< B is asked for a step, a half, or a step back
  moved,       ///< a centroid moves in B too
  seededByB,   ///< B's run has begun: no result of it is there
  joinedByB,   ///< B has taken the state over that it was given last; its result follows
  resultOfB    ///< B shows a result
};

/// The phase that an event leads to. Events that say nothing new in a phase leave it as it is.
[[nodiscard]] PairPhase after(PairPhase phase, PairEvent event);

/// Whether there is a B that follows A.
[[nodiscard]] constexpr bool follows(PairPhase phase) {
  return phase != PairPhase::off && phase != PairPhase::failed;
}

/// What brings B nearer to A.
enum class PairMove : std::uint8_t {
  none, ///< both are at the same place
  step,
  halfStep,
  stepBack,
  adopt ///< no step of B leads there
};

/// How many halves of iterations a state is away from the start of its run.
[[nodiscard]] inline int positionOf(const IterationResult& state) {
  return 2 * state.iteration - (state.halfway ? 1 : 0);
}

/// From one position to another. An odd position is halfway through an iteration, so only a half leads there.
[[nodiscard]] PairMove moveTowards(int here, int there, bool canStepBack);

} // namespace lloyd

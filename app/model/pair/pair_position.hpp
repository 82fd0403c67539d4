// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

namespace lloyd {

/// How many halves of iterations a state is away from the start of its run.
[[nodiscard]] inline int positionOf(const IterationResult& state) {
  return 2 * state.iteration - (state.halfway ? 1 : 0);
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

#include <cstdint>
#include <optional>

namespace lloyd {

/// What a finished iteration is remembered by: a run has many, so centroids and sizes are not kept.
struct IterationStats {
  explicit IterationStats(const IterationResult& result)
      : iteration(result.iteration), inertia(result.inertia.value_or(0)), changed(result.changed),
        shift(result.shift), hostBytes(result.hostBytes) {}

  int iteration;
  double inertia;
  std::optional<std::uint64_t> changed; ///< none where the variant has only a flag
  double shift;
  std::uint64_t hostBytes; ///< that crossed between host and device for it
};

} // namespace lloyd

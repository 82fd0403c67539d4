// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <cstddef>

namespace lloyd {

/// One variant at one stage with its tuning parameters.
struct Candidate {
  const Variant* variant = nullptr;
  Stage stage = Stage::classify;
  Tuning tuning; ///< complete: no tuning parameter is left open
};

/// The points of a problem as many as there are tiles of the candidate, which works on tiles.
[[nodiscard]] Problem ofTiles(const Candidate& candidate, const Problem& problem);
[[nodiscard]] bool passesOverTiles(const Candidate& candidate);

/// The bytes that a stage has to move whatever the kernel: its inputs read once and its outputs written once,
/// with labels as wide as the variant stores them, Variant::labelWidth().
[[nodiscard]] std::size_t leastBytes(Stage stage, const Problem& problem, LabelWidth width);
/// The same for a candidate; of one that works on tiles, what there is to move when no tile is mixed.
[[nodiscard]] std::size_t leastBytes(const Candidate& candidate, const Problem& problem);
/// The single-precision operations that a stage has to do, a multiply-add counted as two. Classify is every
/// distance; fused is one a point, because a variant may know without a distance who cannot be the nearest.
[[nodiscard]] double leastOperations(Stage stage, const Problem& problem);
/// The same for a candidate; of one that works on tiles, a tile counts as a point.
[[nodiscard]] double leastOperations(const Candidate& candidate, const Problem& problem);

} // namespace lloyd

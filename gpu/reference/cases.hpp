// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What the points of a case are like. Each but the first has broken some k-means program.
enum class CaseKind {
  uniform,   ///< points and centroids anywhere in a box of side 100
  settled,   ///< uniform, and the old labels are right already
  equal,     ///< all points in one place
  ties,      ///< small whole numbers: many points exactly between centroids, and two centroids in one place
  farAway,   ///< an eighth of the points at 1e7
  distant,   ///< all points so far from all centroids that a finite starting distance would win
  offset,    ///< unit spread at 1e4
  sorted,    ///< band after band, so that neighbours belong to one cluster
  ownCentres ///< the first k points are the centroids
};

/// A problem to be built, cheap to list.
struct CaseRecipe {
  CaseKind kind = CaseKind::uniform;
  Problem problem;
  bool everyParameter = false; ///< run with every value of a variant's parameters, not only with its own
  std::optional<Backend> only = std::nullopt; ///< too large for any other

  [[nodiscard]] std::string name() const; ///< "ties, n 1000, d 2, k 16"
};

/// pairwise sizes around those of warps and blocks, then the hostile kinds; thorough adds the large ones, in
/// which sizes up to 99991, dimensions up to 64 and clusters up to 1000 meet two by two as well.
[[nodiscard]] std::vector<CaseRecipe> verifyCases(bool thorough);

/// Why a case cannot be had with so many bytes free, as a sentence, or nothing.
[[nodiscard]] Reason memoryShortage(const CaseRecipe& recipe, std::size_t hostFree, std::size_t deviceFree);

/// Inputs of one case in host memory: the same bits on every machine.
struct CaseInputs {
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
  std::vector<Label>
      oldLabels; ///< [n], mostly wrong; of a settled case: -1, to be filled in with the right ones
};
[[nodiscard]] CaseInputs build(const CaseRecipe& recipe);

} // namespace lloyd

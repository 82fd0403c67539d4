// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/quality/agreement.hpp"
#include "gpu/core/data/problem.hpp"

#include <QString>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// How clusters agree with the class that a column of the points' table has.
struct ClassAgreement {
  std::string column;               ///< its name
  std::vector<std::string> classes; ///< names, by code
  Confusion confusion;              ///< points without a class are left out
  double adjustedRand = 0;
  double normalisedMutualInformation = 0;
};

/// Cells that a confusion table has at most: more say nothing to anybody.
inline constexpr std::size_t mostConfusionCells = std::size_t{1} << 22;

/// labels: 0 to k - 1, one a point. Nothing without a class, or where no point has one, or of a table beyond
/// mostConfusionCells. Any thread.
[[nodiscard]] std::optional<ClassAgreement> agreementWithClass(const PointSet& points,
                                                               std::span<const Label> labels, int k);

/// "species: adjusted Rand 0.7302, normalised mutual information 0.7582; 3 points have none"
[[nodiscard]] QString classText(const ClassAgreement& agreement);

} // namespace lloyd

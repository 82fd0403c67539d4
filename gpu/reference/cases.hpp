// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/variant.hpp"
#include "gpu/reference/reference.hpp"

#include <limits>
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

/// With which values of its parameters a variant runs a case.
enum class Tunings {
  usual, ///< its own
  each,  ///< every value of every parameter, in turn, beside the usual ones of the others
  all    ///< every value of every parameter with every one of the others
};

/// A problem to be built, cheap to list.
struct CaseRecipe {
  CaseKind kind = CaseKind::uniform;
  Problem problem;
  Tunings tunings = Tunings::usual;
  std::optional<Backend> only = std::nullopt; ///< too large for any other
  std::optional<Stage> stage = std::nullopt;  ///< for no other, which would take long and find nothing more

  [[nodiscard]] std::string name() const; ///< "ties, n 1000, d 2, k 16"
};

/// pairwise sizes around those of warps and blocks, then the hostile kinds, then every value of each
/// parameter in each of the dimensions that kernels are compiled for one by one; thorough adds all values
/// with all, and the large cases, in which sizes up to 99991, dimensions up to 64 and clusters up to 1000
/// meet two by two as well.
[[nodiscard]] std::vector<CaseRecipe> verifyCases(bool thorough);

/// Those of a variant for a recipe, the usual one first, which stands for the variant's own values: of a
/// schedule, which is host code and not compiled for each, every value in turn at most.
[[nodiscard]] std::vector<Tuning> tuningsOf(const Variant& variant, Tunings tunings);

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

/// One case with what the reference says of it, and its inputs on a device. The device must outlive it.
struct PreparedCase {
  PreparedCase(Device& device, const CaseRecipe& recipe)
      : problem(recipe.problem), exact(recipe.kind == CaseKind::ties), inputs(build(recipe)),
        centroidsAsDoubles(reference::asDoubles(inputs.centroids)),
        ranges(reference::ranges(problem, inputs.points, centroidsAsDoubles)),
        labels(reference::classify(problem, inputs.points, centroidsAsDoubles)),
        reduction(reference::reduce(problem, inputs.points, labels, centroidsAsDoubles)) {
    if (recipe.kind == CaseKind::settled) inputs.oldLabels = labels;
    const auto d = static_cast<std::size_t>(problem.d);
    const std::size_t n = problem.n;
    const std::size_t stride = rowStride(n);
    std::vector<float> padded(stride * d, std::numeric_limits<float>::quiet_NaN());
    std::vector<float> interleaved(n * d);
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        padded[j * stride + i] = inputs.points[j * n + i];
        interleaved[i * d + j] = inputs.points[j * n + i];
      }
    }
    rows = {device, padded};
    records = {device, interleaved};
    centroids = {device, inputs.centroids};
    oldLabels = {device, inputs.oldLabels};
    rightLabels = {device, labels};
  }

  [[nodiscard]] PointView points(Layout layout) const {
    return {layout == Layout::aos ? records.data() : rows.data(), rowStride(problem.n)};
  }

  Problem problem;
  bool exact; ///< float arithmetic has no rounding here, so even a tie has one right label
  CaseInputs inputs;
  std::vector<double> centroidsAsDoubles;
  std::vector<double> ranges;
  std::vector<Label> labels; ///< the reference's
  reference::Reduction reduction;

  Buffer<float> rows;    ///< structure of arrays; NaN in the padding, so that reading past n shows
  Buffer<float> records; ///< array of structures
  Buffer<float> centroids;
  Buffer<Label> oldLabels;
  Buffer<Label> rightLabels;
};

} // namespace lloyd

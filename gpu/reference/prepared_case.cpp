// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/prepared_case.hpp"

#include "gpu/reference/compare.hpp"

#include <limits>

namespace lloyd {

PreparedCase::PreparedCase(Device& device, const CaseRecipe& recipe)
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

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/prepared_case.hpp"

#include "gpu/reference/compare.hpp"

#include <limits>
#include <type_traits>

namespace lloyd {

PreparedCase::PreparedCase(Device& device, const CaseRecipe& recipe)
    : problem(recipe.problem), exact(recipe.kind == CaseKind::ties), inputs(build(recipe)),
      centroidsAsDoubles(reference::asDoubles(inputs.centroids)),
      ranges(reference::ranges(problem, inputs.points, centroidsAsDoubles)),
      labels(reference::classify(problem, inputs.points, centroidsAsDoubles).labels),
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
  const auto uploaded = [&device](auto& buffer, const auto& values) {
    buffer = std::remove_reference_t<decltype(buffer)>(device, values.size());
    buffer.upload(values);
  };
  uploaded(rows, padded);
  uploaded(records, interleaved);
  uploaded(centroids, inputs.centroids);
  uploaded(oldLabels, inputs.oldLabels);
  uploaded(rightLabels, labels);
}

} // namespace lloyd

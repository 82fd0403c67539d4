// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/reference/reference.hpp"

#include <vector>

namespace lloyd {

/// One case with what the reference says of it, and its inputs on a device. The device must outlive it.
struct PreparedCase {
  PreparedCase(Device& device, const CaseRecipe& recipe);

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

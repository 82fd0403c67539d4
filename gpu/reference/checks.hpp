// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/reference/compare.hpp"
#include "gpu/reference/reference.hpp"

#include <array>
#include <string_view>

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

/// Runs one stage of one variant alone and compares all it wrote. Throws DeviceError and Cancelled.
[[nodiscard]] reference::Comparison checkStage(Device& device, const Variant& variant, Stage stage,
                                               const Tuning& tuning, const PreparedCase& prepared);

/// The part of it for Stage::iterate: a schedule's iterations of every fused variant that the device has are
/// those of the same variant and update.v1 launched one by one, bit for bit, and the last one's are right.
[[nodiscard]] reference::Comparison checkIterate(Device& device, const Variant& schedule,
                                                 const PreparedCase& prepared);

/// What every device does besides variants.
struct OperationCheck {
  std::string_view id; ///< "operations.seed"
  Stage stage;
  std::size_t most; ///< points; more would take the reference too long
  reference::Comparison (*check)(Device&, const PreparedCase&);
};
[[nodiscard]] const std::array<OperationCheck, 4>& operationChecks();

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/cases.hpp"
#include "gpu/reference/reference.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace lloyd {

/// Runs one stage of one variant alone and compares all it wrote. Throws DeviceError and Cancelled.
[[nodiscard]] reference::Comparison checkStage(Device& device, const Variant& variant, Stage stage,
                                               const Tuning& tuning, const PreparedCase& prepared);

/// What every device does besides variants.
struct OperationCheck {
  std::string_view id; ///< "operations.seed"
  Stage stage;
  std::size_t most; ///< points; more would take the reference too long
  reference::Comparison (*check)(Device&, const PreparedCase&);
};
[[nodiscard]] const std::array<OperationCheck, 4>& operationChecks();

} // namespace lloyd

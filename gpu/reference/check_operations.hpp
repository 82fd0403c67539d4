// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/compare.hpp"
#include "gpu/reference/prepared_case.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace lloyd {

/// What every device does besides variants.
struct OperationCheck {
  std::string_view id; ///< "operations.seed"
  Stage stage;
  std::size_t most; ///< points; more would take the reference too long
  reference::Comparison (*check)(Device&, const PreparedCase&);
};
[[nodiscard]] const std::array<OperationCheck, 4>& operationChecks();

} // namespace lloyd

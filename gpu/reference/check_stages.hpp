// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/compare.hpp"
#include "gpu/reference/prepared_case.hpp"

namespace lloyd {

/// Runs one stage of one variant alone and compares all it wrote. Throws DeviceError and Cancelled.
[[nodiscard]] reference::Comparison checkStage(Device& device, const Variant& variant, Stage stage,
                                               const Tuning& tuning, const PreparedCase& prepared);

} // namespace lloyd

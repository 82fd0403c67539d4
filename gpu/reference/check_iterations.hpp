// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/compare.hpp"
#include "gpu/reference/prepared_case.hpp"

namespace lloyd {

/// The part of checkStage() for Stage::iterate: a schedule's iterations of every fused variant that the
/// device has are those of the same variant and update.v1 launched one by one, bit for bit, and the last
/// one's are right.
[[nodiscard]] reference::Comparison checkIterate(Device& device, const Variant& schedule,
                                                 const PreparedCase& prepared);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/cases.hpp"
#include "gpu/reference/reference.hpp"

namespace lloyd {

/// A schedule's iterations of every fused variant that the device has are those of the same variant and
/// update.v1 launched one by one, bit for bit, and the last one's are right.
[[nodiscard]] reference::Comparison checkIterate(Device& device, const Variant& schedule,
                                                 const PreparedCase& prepared);

/// Two iterations of two sets by a schedule, of a fused variant, are those of the same variant launched one
/// by one, bit for bit, and the last one's are right. Where no fused variant can run, one iteration of
/// classify and reduce is right.
[[nodiscard]] reference::Comparison checkSets(Device& device, const Variant& schedule, const Tuning& tuning,
                                              const PreparedCase& prepared);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/reference/cases.hpp"

#include <span>

namespace lloyd {

// Launches whose kernels do not run, for whoever wants to know what they call (CalledChoices). Of
// classification and reduction alone, which launch on arrays and nothing else. Throws DeviceError.

/// On each of the problems that the variant takes.
void describeLaunches(Device& device, const Variant& variant, std::span<const Problem> problems,
                      Tunings tunings);
/// Those of verifyVariants() with its usual options.
void describeVerification(Device& device, const Variant& variant);

} // namespace lloyd

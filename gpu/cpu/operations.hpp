// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::cpu {

// The operations that every device has, on all threads. Their results do not depend on how many threads there
// are. Each throws Cancelled within a few milliseconds of being asked to stop.
void inertia(const InertiaArgs& args, LaunchContext& context);
void seedStep(const SeedArgs& args, LaunchContext& context);
void advance(const AdvanceArgs& args, LaunchContext& context);
void interleave(const InterleaveArgs& args, LaunchContext& context);
void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context);

} // namespace lloyd::cpu

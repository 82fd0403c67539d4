// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstddef>
#include <cstdint>

/// Kernels that stand for those of an iteration in planted schedules.
namespace lloyd::test {

/// out[i] = 2 * in[i]
void launchDouble(LaunchContext& context, const float* in, float* out, std::size_t n);
/// Adds to changed [1], atomically, how many of values are above 0.
void launchCount(LaunchContext& context, const float* values, std::uint32_t* changed, std::size_t n);
/// The same, after one thread has stored 0 there.
void launchClearAndCount(LaunchContext& context, const float* values, std::uint32_t* changed, std::size_t n);
/// Reads one element behind the last.
void launchFaulty(LaunchContext& context, const float* values, float* out, std::size_t n);

} // namespace lloyd::test

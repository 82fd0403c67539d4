// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <string_view>

/// Kernels so small that what they ask for can be counted by hand.
namespace lloyd::test {

/// Sums 256 * blocks floats of in, or twice as many where the kernel adds two on loading, in blocks of 256;
/// each block's sum goes to out[block], or all to out[0]. name: "modulo", "strided", "sequential", "add on
/// load", "shuffles", "grid stride".
void launchSum(LaunchContext& context, std::string_view name, const float* in, float* out,
               std::size_t blocks);

/// One warp or block of the named kernel on in and out, of 4096 floats each.
void launchAccess(LaunchContext& context, std::string_view name, float* in, float* out);

} // namespace lloyd::test

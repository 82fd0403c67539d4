// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <string_view>

/// Kernels whose lanes meet in shared memory, some without care.
namespace lloyd::test {

/// Sums 256 floats a block by a tree; the barrier in the loop is there or not. The first barrier is.
void tree(LaunchContext& context, const float* in, float* out, std::size_t blocks, bool barrier);

/// One block of 64 threads of the named kernel; out: 64 floats.
void launchRace(LaunchContext& context, std::string_view name, float* out);

/// out, of blocks * threads + 2 zeros: [0] the floats' sum in the order in which lanes come by, [1 + i] which
/// thread came i-th,
/// counted over all blocks; the last one is a counter.
void inOrder(LaunchContext& context, const float* in, float* out, std::size_t blocks, int threads);

} // namespace lloyd::test

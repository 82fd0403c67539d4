// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

/// Kernels with one planted mistake each, and some that look like one and are right.
namespace lloyd::test {

/// The kernels' names: "divergent barrier".
[[nodiscard]] std::vector<std::string> faultyKernels();

/// Launches one of them with this many blocks of threads. room: device memory of 256 floats; threads, when
/// not 0, instead of the kernel's own.
void launchFaulty(LaunchContext& context, std::string_view name, float* room, std::size_t blocks = 1,
                  int threads = 0);

/// "tests/gpu/simt/exec/simt_fault_kernels.cpp:41", the line that ends in the comment `// here: name`.
[[nodiscard]] std::string placeOf(std::string_view name);

/// Objects that lanes of "waits with an object" hold and have given back.
extern std::atomic<int> objectsMade;
extern std::atomic<int> objectsGone;

} // namespace lloyd::test

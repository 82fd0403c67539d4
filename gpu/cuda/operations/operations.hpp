// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstdint>

namespace lloyd::cuda {

/// What every device must do and nobody compares, as kernels. The arguments mean what they mean in Device.
[[nodiscard]] const Operations& operations() noexcept;
/// cyclesAndNs [2], device memory: what the clock of one multiprocessor and the card's timer counted while
/// one thread waited for some tens of microseconds.
void countCycles(unsigned long long* cyclesAndNs, LaunchContext& context);
/// One word of device memory goes to pinned host memory by a kernel's hand. A copy engine takes some ten
/// microseconds to turn from a long copy up to a word down, and as many back, and the kernel behind waits.
void storeWord(std::uint32_t* to, const std::uint32_t* from, LaunchContext& context);

/// Throws DeviceError (absent) when this build holds no code for the calling thread's CUDA device.
void requireKernelImage();

} // namespace lloyd::cuda

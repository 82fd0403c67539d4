// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <memory>
#include <string>

namespace lloyd {

/// The processor as a device: memory is host memory, work runs on the calling thread and oneTBB's, and every
/// call is finished when it returns. It is always usable. LLOYD_MEMORY_LIMIT in the environment (bytes, read
/// here) makes it pretend to have less memory; an allocation beyond what is free throws DeviceError with
/// severity retrySmaller.
[[nodiscard]] std::unique_ptr<Device> createCpuDevice();

/// The processor's name as the system has it; "CPU" where it does not say.
[[nodiscard]] std::string processorName();

} // namespace lloyd

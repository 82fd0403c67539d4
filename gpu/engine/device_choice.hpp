// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// What --backend asks for.
enum class BackendChoice { automatic, cuda, cpu, simt };
[[nodiscard]] std::string_view name(BackendChoice choice);
/// The explicit wish for a backend.
[[nodiscard]] BackendChoice choiceOf(Backend backend);

/// A device, and why it is this one when a better was wished for.
struct ChosenDevice {
  std::unique_ptr<Device> device;
  std::string why; ///< empty when the first choice was available; otherwise the reason and the cure in one or
                   ///< two sentences
};

/// automatic: the first usable CUDA device, else the CPU with the reason; never the CPU executor. An explicit
/// wish that cannot be met throws RequestError (absent).
[[nodiscard]] ChosenDevice chooseDevice(BackendChoice choice);

/// Every device this machine has, usable or not, best first; the CPU is always there, and so is the CPU
/// executor, which comes last.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string cudaWhy; ///< when no CUDA device is usable: why
};
[[nodiscard]] DeviceList listDevices();

} // namespace lloyd

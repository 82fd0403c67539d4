// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/cuda/cuda_device.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// What --backend asks for.
enum class BackendRequest { automatic, cuda, cpu, simt };
[[nodiscard]] std::string_view name(BackendRequest choice);
/// The explicit request for a backend.
[[nodiscard]] BackendRequest requestOf(Backend backend);

/// A device, and why it is this one when a better was requested.
struct ChosenDevice {
  std::unique_ptr<Device> device;
  std::string why; ///< empty when the first choice was available; otherwise the reason and the cure in one or
                   ///< two sentences
};

/// automatic: the first usable CUDA device, else the CPU with the reason; never the SIMT simulator. An
/// explicit request that cannot be met throws RequestError (absent).
[[nodiscard]] ChosenDevice chooseDevice(BackendRequest choice);

/// Every device this machine has, usable or not, best first; the CPU is always there, and so is the CPU
/// simulator, which comes last.
struct DeviceList {
  std::vector<DeviceInfo> devices;
  std::string cudaWhy; ///< when no CUDA device is usable: why
};
[[nodiscard]] DeviceList listDevices();

/// Where CUDA devices come from. Both are called anew for each choice and each list, because GPUs come and
/// go.
struct CudaSource {
  std::function<CudaDevices()> list = listCudaDevices;
  std::function<std::unique_ptr<Device>(int index)> create = createCudaDevice;
};

/// chooseDevice() and listDevices() with another source than this machine's driver.
[[nodiscard]] ChosenDevice chooseDeviceFrom(const CudaSource& cuda, BackendRequest choice);
[[nodiscard]] DeviceList listDevicesFrom(const CudaSource& cuda);

} // namespace lloyd

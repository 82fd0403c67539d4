// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cuda/cuda_device.hpp"
#include "gpu/engine/device_choice.hpp"

#include <functional>
#include <memory>

namespace lloyd {

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

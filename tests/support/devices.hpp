// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/cuda/cuda_device.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <memory>
#include <string>

namespace lloyd::test {

/// A device of the wanted backend, or the reason why this machine or build has none.
struct Found {
  std::unique_ptr<Device> device;
  std::string why;
};

inline Found findDevice(Backend backend) {
  if (backend == Backend::cpu) return {createCpuDevice(), {}};
  if (backend == Backend::simt) return {simt::createSimtDevice(), {}};
  const CudaDevices list = listCudaDevices();
  for (const DeviceInfo& info : list.devices)
    if (info.usable) return {createCudaDevice(info.index), {}};
  return {nullptr, list.why.empty() ? "no CUDA device is usable" : list.why};
}

} // namespace lloyd::test

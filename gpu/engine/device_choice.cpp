// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/device_choice.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <array>

namespace lloyd {
namespace {

/// The first CUDA device that can be made, or null and the reason.
ChosenDevice firstCudaDevice(const CudaSource& cuda) {
  const CudaDevices list = cuda.list();
  std::string why = list.why;
  for (const DeviceInfo& info : list.devices) {
    if (!info.usable) {
      why = info.name + ": " + info.why;
      continue;
    }
    try {
      return {cuda.create(info.index), {}};
    } catch (const DeviceError& error) {
      why = info.name + ": " + std::string(error.meaning());
    }
  }
  return {nullptr, why};
}

} // namespace

std::string_view name(BackendRequest choice) {
  constexpr std::array<std::string_view, 4> names{"auto", "cuda", "cpu", "simt"};
  return names[static_cast<std::size_t>(choice)];
}

BackendRequest requestOf(Backend backend) {
  return backend == Backend::cuda   ? BackendRequest::cuda
         : backend == Backend::simt ? BackendRequest::simt
                                    : BackendRequest::cpu;
}

ChosenDevice chooseDevice(BackendRequest choice) { return chooseDeviceFrom({}, choice); }

ChosenDevice chooseDeviceFrom(const CudaSource& cuda, BackendRequest choice) {
  if (choice == BackendRequest::simt) return {simt::createSimtDevice(), {}};
  if (choice == BackendRequest::cpu) return {createCpuDevice(), {}};
  ChosenDevice chosen = firstCudaDevice(cuda);
  if (chosen.device) return chosen;
  if (choice == BackendRequest::cuda)
    throw RequestError(
        "no CUDA device can be used (" + chosen.why +
            "); --backend cpu runs here, and --backend simt runs CUDA variants thread by thread",
        RequestError::Kind::absent);
  return {createCpuDevice(), chosen.why};
}

DeviceList listDevices() { return listDevicesFrom({}); }

DeviceList listDevicesFrom(const CudaSource& cuda) {
  CudaDevices found = cuda.list();
  DeviceList list;
  list.devices = std::move(found.devices);
  bool usable = false;
  for (const DeviceInfo& info : list.devices) {
    usable = usable || info.usable;
    if (!info.usable) list.cudaWhy = info.why;
  }
  if (usable) list.cudaWhy.clear();
  if (list.devices.empty()) list.cudaWhy = found.why;
  list.devices.push_back(createCpuDevice()->info());
  list.devices.push_back(simt::createSimtDevice()->info());
  return list;
}

} // namespace lloyd

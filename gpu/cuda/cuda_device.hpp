// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Declares the CUDA device without a CUDA header, so that builds with and without CUDA see the same
// functions.
#include "gpu/core/contract/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// What this machine offers to CUDA.
struct CudaDevices {
  std::vector<DeviceInfo> devices; ///< in CUDA's order, unusable ones with their reason
  std::string why; ///< when devices holds no usable one: what is missing and the cure; else empty
};
/// Asks the driver; never throws for a missing one. Creates no context, so it takes milliseconds.
[[nodiscard]] CudaDevices listCudaDevices();

/// A CUDA device with one stream of its own, in which all of its work is ordered. May be created on one
/// thread and used on another. LLOYD_MEMORY_LIMIT in the environment (bytes, read here) makes it pretend to
/// have less memory. Throws DeviceError with severity absent when there is no such device or no kernel of
/// this build runs on it.
[[nodiscard]] std::unique_ptr<Device> createCudaDevice(int index = 0);

/// What sharing buffers with OpenGL needs of the device; createCudaDevice() returns one.
class CudaDevice : public Device {
public:
  /// cudaStream_t
  [[nodiscard]] virtual void* stream() const noexcept = 0;
  /// Makes this the calling thread's CUDA device. Throws at once when the device was lost.
  virtual void makeCurrent() = 0;
};

} // namespace lloyd

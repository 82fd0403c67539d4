// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA device of a build that was made without a CUDA compiler.
#include "gpu/core/contract/error.hpp"
#include "gpu/cuda/cuda_device.hpp"

namespace lloyd {
namespace {

constexpr const char* reason = "this program was built without CUDA; to compute on an NVIDIA GPU, install "
                               "the CUDA toolkit and build again";

} // namespace

CudaDevices listCudaDevices() { return {{}, reason}; }

std::unique_ptr<Device> createCudaDevice(int) {
  throw DeviceError(0, Severity::absent, "createCudaDevice", reason);
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_check.hpp"
#include "gpu/cuda/runtime/kernel_image.hpp"

namespace lloyd {
namespace {

/// Every file is built for the same cards, so what one kernel finds holds for all.
__global__ void probe() {}

} // namespace

void requireKernelImage() {
  cudaFuncAttributes attributes{};
  const cudaError_t code = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe));
  switch (code) {
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorUnsupportedPtxVersion:
    static_cast<void>(cudaGetLastError());
    throw DeviceError(static_cast<int>(code), Severity::absent, "cudaFuncGetAttributes",
                      "this program was built without code for this GPU; configure it with "
                      "-DCMAKE_CUDA_ARCHITECTURES=native and build again");
  default:
    checkCuda(code, "cudaFuncGetAttributes");
  }
}

} // namespace lloyd

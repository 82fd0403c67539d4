// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/cuda_check.hpp"

namespace lloyd {

void checkCuda(cudaError_t code, std::string_view call, CallKind kind, CallSite where) {
  if (code == cudaSuccess) return;
  const int number = static_cast<int>(cleared(code));
  throw DeviceError(number, severityOf(number, kind), call.substr(0, call.find('(')),
                    cudaGetErrorString(code), where);
}

} // namespace lloyd

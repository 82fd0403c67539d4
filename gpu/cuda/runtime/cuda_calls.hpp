// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/error.hpp"
#include "gpu/cuda/runtime/driver_answer.hpp"

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

/// Calls a function of the CUDA runtime. On failure its error is cleared, so that no later call reports it,
/// and DeviceError is thrown. LLOYD_CUDA_GRAPHICS is for calls that share buffers with OpenGL, whose failures
/// mean less.
#define LLOYD_CUDA(call) ::lloyd::checkCuda((call), #call)
#define LLOYD_CUDA_GRAPHICS(call) ::lloyd::checkCuda((call), #call, ::lloyd::CallKind::graphics)

namespace lloyd {

/// code, which no later call reports again: for calls whose failure is an answer, or nobody's business.
inline cudaError_t cleared(cudaError_t code) {
  static_cast<void>(cudaGetLastError());
  return code;
}

/// call: source text; what stands before its bracket is reported.
inline void checkCuda(cudaError_t code, std::string_view call, CallKind kind = CallKind::compute,
                      CallSite where = CallSite::current()) {
  if (code == cudaSuccess) return;
  const int number = static_cast<int>(cleared(code));
  throw DeviceError(number, severityOf(number, kind), call.substr(0, call.find('(')),
                    cuda::meaningOf(number, cudaGetErrorString(code)), where);
}

// Owners of what the CUDA runtime hands out. Closing ignores errors: the device may be lost or the driver may
// have gone at the end of the program, and then there is nothing left to give back. None of these may be
// static or thread_local.
template <auto close>
struct CloseHandle {
  template <class T>
  void operator()(T* handle) const noexcept {
    cleared(close(handle));
  }
};
template <class Handle, auto close>
using UniqueHandle = std::unique_ptr<std::remove_pointer_t<Handle>, CloseHandle<close>>;

using StreamHandle = UniqueHandle<cudaStream_t, cudaStreamDestroy>;
using EventHandle = UniqueHandle<cudaEvent_t, cudaEventDestroy>;
using PinnedHandle = UniqueHandle<void*, cudaFreeHost>;
using GraphicsHandle = UniqueHandle<cudaGraphicsResource_t, cudaGraphicsUnregisterResource>;
using GraphHandle = UniqueHandle<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = UniqueHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

} // namespace lloyd

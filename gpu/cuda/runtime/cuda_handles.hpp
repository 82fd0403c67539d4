// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Owners of what the CUDA runtime hands out. Closing ignores errors: the device may be lost or the driver may
// have gone at the end of the program, and then there is nothing left to give back. None of these may be
// static or thread_local.
#include "gpu/cuda/runtime/cuda_check.hpp"

#include <memory>
#include <type_traits>

namespace lloyd {

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

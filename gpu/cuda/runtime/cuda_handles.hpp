// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Owners of what the CUDA runtime hands out. Closing ignores errors: the device may be lost or the driver may
// have gone at the end of the program, and then there is nothing left to give back. None of these may be
// static or thread_local.
#include <cuda_runtime_api.h>

#include <utility>

namespace lloyd {

template <class Traits>
class UniqueHandle {
public:
  using Handle = typename Traits::Handle;

  UniqueHandle() = default;
  explicit UniqueHandle(Handle handle) noexcept : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    UniqueHandle taken(std::move(other));
    std::swap(handle_, taken.handle_);
    return *this;
  }
  ~UniqueHandle() {
    if (!handle_) return;
    static_cast<void>(Traits::close(handle_));
    static_cast<void>(cudaGetLastError());
  }

  [[nodiscard]] Handle get() const noexcept { return handle_; }
  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, Handle{}); }

private:
  Handle handle_{};
};

struct StreamTraits {
  using Handle = cudaStream_t;
  static cudaError_t close(Handle stream) noexcept { return cudaStreamDestroy(stream); }
};
struct EventTraits {
  using Handle = cudaEvent_t;
  static cudaError_t close(Handle event) noexcept { return cudaEventDestroy(event); }
};
struct PinnedTraits {
  using Handle = void*;
  static cudaError_t close(Handle memory) noexcept { return cudaFreeHost(memory); }
};
struct GraphicsTraits {
  using Handle = cudaGraphicsResource_t;
  static cudaError_t close(Handle resource) noexcept { return cudaGraphicsUnregisterResource(resource); }
};
struct GraphTraits {
  using Handle = cudaGraph_t;
  static cudaError_t close(Handle graph) noexcept { return cudaGraphDestroy(graph); }
};
struct GraphExecTraits {
  using Handle = cudaGraphExec_t;
  static cudaError_t close(Handle exec) noexcept { return cudaGraphExecDestroy(exec); }
};
using StreamHandle = UniqueHandle<StreamTraits>;
using EventHandle = UniqueHandle<EventTraits>;
using PinnedHandle = UniqueHandle<PinnedTraits>;
using GraphicsHandle = UniqueHandle<GraphicsTraits>;
using GraphHandle = UniqueHandle<GraphTraits>;
using GraphExecHandle = UniqueHandle<GraphExecTraits>;

} // namespace lloyd

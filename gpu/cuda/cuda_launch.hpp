// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel file launches under CUDA; included through gpu/core/kernel.hpp.
#include "gpu/core/device.hpp"
#include "gpu/core/launch_shape.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace lloyd {

/// An array of count values in global memory, as a kernel's argument. CUDA takes the pointer.
template <class T>
[[nodiscard]] constexpr T* global(T* pointer, [[maybe_unused]] std::size_t count) {
  return pointer;
}

/// The part of launchKernel() that is the same for all kernels: describes or launches. No blocks: no launch.
/// Throws DeviceError for a shape that the card cannot take.
void launchUntyped(LaunchContext& context, const LaunchShape& shape, const void* kernel, void** arguments);

[[nodiscard]] std::size_t blocksAtOnce(const LaunchContext& context, const void* kernel, int threads,
                                       std::size_t sharedBytes);
/// How many blocks of kernel the whole card runs at once; at least one for each multiprocessor.
template <class... Parameters>
[[nodiscard]] std::size_t blocksAtOnce(const LaunchContext& context, void (*kernel)(Parameters...),
                                       int threads, std::size_t sharedBytes) {
  return blocksAtOnce(context, reinterpret_cast<const void*>(kernel), threads, sharedBytes);
}

/// Launches kernel, or describes it when the context asks for that. Arguments are converted to the kernel's
/// own types.
template <class... Parameters, class... Arguments>
void launchKernel(LaunchContext& context, const LaunchShape& shape, void (*kernel)(Parameters...),
                  Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "one argument for each of the kernel's parameters");
  std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
  std::apply(
      [&](auto&... value) {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&value))...};
        launchUntyped(context, shape, reinterpret_cast<const void*>(kernel), pointers);
      },
      values);
}

#if defined(__CUDACC__)
/// Whether the loop whose body this kernel belongs to goes round again; the last word counts. By one thread
/// of one kernel of the body. loop is LaunchContext::loop.
static __device__ __forceinline__ void repeatLoop(std::uint64_t loop, bool again) {
  cudaGraphSetConditional(loop, again ? 1u : 0u);
}
#endif

} // namespace lloyd

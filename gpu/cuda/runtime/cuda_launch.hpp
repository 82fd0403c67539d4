// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel file launches under CUDA; included through cuda_words.hpp.
#include "gpu/core/contract/device.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <tuple>

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

/// How many blocks to launch that wait for one another (LaunchShape::together): one for each multiprocessor.
[[nodiscard]] inline std::size_t blocksTogether(const LaunchContext& context) {
  return static_cast<std::size_t>(context.multiprocessors);
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
/// What is in global memory now, whatever this multiprocessor's own cache holds.
template <class T>
static __device__ __forceinline__ T readAnew(const T* value) {
  return *static_cast<const volatile T*>(value);
}

/// Waits until all blocks of the grid have come here: what any of them wrote before, all can read afterwards.
/// By all threads. arrived counts blocks over all such calls of a launch, and is this call's number, counted
/// from 1, times the number of blocks when everybody is here.
static __device__ __forceinline__ void waitForGrid(unsigned* arrived, unsigned everybody) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // after the barrier, for what all of the block have written
    atomicAdd(arrived, 1u);
    while (static_cast<int>(readAnew(arrived) - everybody) < 0) {
    }
    __threadfence();
  }
  __syncthreads();
}

/// Whether the loop whose body this kernel belongs to goes round again; the last word counts. By one thread
/// of one kernel of the body. loop is LaunchContext::loop.
static __device__ __forceinline__ void repeatLoop(std::uint64_t loop, bool again) {
  cudaGraphSetConditional(loop, again ? 1u : 0u);
}
#endif

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel file launches under CUDA; included through cuda_words.hpp.
#include "gpu/core/contract/device.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
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

} // namespace lloyd

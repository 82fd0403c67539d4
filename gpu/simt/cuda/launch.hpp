// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel file launches on the simulator; included through gpu/kernels/kernel.hpp.
#include "gpu/simt/cuda/views.hpp"
#include "gpu/simt/exec/body.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace lloyd::simt {

template <class T>
GivenArray number(T&, unsigned) {
  return {};
}
template <class T>
GivenArray number(Global<T>& array, unsigned argument) {
  array.setArgument(argument);
  return {array.data(), array.count() * sizeof(T), !std::is_const_v<T>};
}

/// LLOYD_KERNEL_UP_TO(512) shows in the kind of void that a kernel returns, which is part of its type and
/// changes nothing else. Language has no place for other numbers there; those are for nvcc alone.
template <int threads>
using ReturnsUpTo = std::conditional_t<threads == 512, const void, void>;
template <class Returned>
inline constexpr int mostThreadsOf = std::is_const_v<Returned> ? 512 : 1024;

/// The values are packs and no tuple, which takes a compiler several times as long.
template <class Returned, class... Parameters>
void launchConverted(LaunchContext& context, const LaunchShape& shape, Returned (*kernel)(Parameters...),
                     Parameters... values) {
  if (context.launchOwn) { // of a card, which takes an array as its pointer, the first thing in a Global
    std::array<void*, sizeof...(Parameters)> pointers{
        const_cast<void*>(static_cast<const void*>(&values))...};
    context.launchOwn(context, shape, reinterpret_cast<const void*>(kernel), pointers.data());
    return;
  }
  unsigned argument = 0;
  // In braces: the arguments are numbered from the left.
  const std::array<GivenArray, sizeof...(Parameters)> arrays{number(values, ++argument)...};
  const auto lane = [&] { kernel(values...); };
  launchUntyped(context, shape, mostThreadsOf<Returned>,
                {&lane, [](const void* closure) { (*static_cast<const decltype(lane)*>(closure))(); }, arrays,
                 reinterpret_cast<const void*>(kernel)});
}

namespace words {

/// An array of count values in global memory, as a kernel's argument.
template <class T>
[[nodiscard]] Global<T> global(T* pointer, std::size_t count) {
  return {pointer, count};
}

/// How many blocks the small card that the simulator stands for runs at once.
template <class Returned, class... Parameters>
[[nodiscard]] std::size_t blocksAtOnce(const LaunchContext& context, Returned (*)(Parameters...), int,
                                       std::size_t) {
  return static_cast<std::size_t>(context.multiprocessors);
}

/// Blocks run one after another, so that one that waited for another would wait for ever; on a card they
/// wait.
[[nodiscard]] inline std::size_t blocksTogether(const LaunchContext& context) {
  return context.launchOwn ? static_cast<std::size_t>(context.multiprocessors) : 1;
}

/// Runs kernel, or describes it when the context asks for that. Arguments are converted to the kernel's own
/// types.
template <class Returned, class... Parameters, class... Arguments>
void launchKernel(LaunchContext& context, const LaunchShape& shape, Returned (*kernel)(Parameters...),
                  Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments),
                "one argument for each of the kernel's parameters");
  launchConverted<Returned, Parameters...>(context, shape, kernel, static_cast<Parameters>(arguments)...);
}

} // namespace words
} // namespace lloyd::simt

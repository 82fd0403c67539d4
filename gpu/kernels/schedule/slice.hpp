// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One set's part of an array that holds several sets', one behind the other.
#include "gpu/kernels/kernel.hpp"

namespace lloyd::schedule {

/// An array of a kernel from an element on. The simulator's index knows its place in the source.
template <class Array>
struct Slice {
  Array array;
  std::size_t first;

#if defined(__CUDACC__)
  __device__ __forceinline__ auto& operator[](std::size_t i) const { return array[first + i]; }
#else
  auto operator[](simt::At at) const { return array[simt::At(first + at.index, at.here)]; }
#endif
};
template <class Array>
Slice(Array, std::size_t) -> Slice<Array>;

} // namespace lloyd::schedule

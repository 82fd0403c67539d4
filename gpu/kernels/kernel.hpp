// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The words a kernel file is written in. Under nvcc they are CUDA; the SIMT simulator gives them its own
// meaning, so that the same source runs thread by thread on any machine. A kernel file includes this and
// registers itself at its end:
//
//   LLOYD_KERNEL classify_v1(LLOYD_GLOBAL(const float) points, ...) { ... }
//   static void launch(const ClassifyArgs& args, LaunchContext& context) {
//     launchKernel(context, {blocks, threads, sharedBytes}, classify_v1, global(args.points.data, count),
//     ...);
//   }
//   LLOYD_REGISTER(classify_v1, {.family = "classify", .tag = "v1", ...}, {.classify = launch})
//
// Inside a kernel, arrays are indexed and never moved: array[offset + i], not (array + offset)[i], because
// what LLOYD_GLOBAL and LLOYD_SHARED declare need not be a pointer. An element is read into a variable of its
// own type before it meets a template, an overload or a conditional expression; atomics take &array[i].
#include "gpu/core/contract/kernel_types.hpp"
#include "gpu/core/math/distance.hpp"

#if defined(__CUDACC_RTC__)
// NVRTC reads what is the card's of a kernel file and nothing else (app/model/workshop/device_text.hpp).
#include "gpu/cuda/words/cuda_words.hpp"
#else
#include "gpu/core/contract/launch_context.hpp"
#include "gpu/core/contract/register.hpp"
#if defined(__CUDACC__)
#include "gpu/cuda/words/cuda_words.hpp"
#define LLOYD_BACKEND ::lloyd::Backend::cuda
#else
#include "gpu/simt/cuda/launch.hpp"
#include "gpu/simt/cuda/words.hpp"
namespace lloyd {
using namespace simt::words; // a kernel says threadIdx and atomicAdd, here as there
}
// A largest block of 512 threads is kept in the kind of void that a kernel returns.
#pragma GCC diagnostic ignored "-Wignored-qualifiers"
#define LLOYD_KERNEL static void
#define LLOYD_KERNEL_UP_TO(threads) static ::lloyd::simt::ReturnsUpTo<threads>
#define LLOYD_GLOBAL(T) ::lloyd::simt::Global<T>
#define LLOYD_GLOBAL_TWICE(T) ::lloyd::simt::Global<T>
#define LLOYD_DEVICE static inline
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define LLOYD_SHARED(T, name, count)                                                                         \
  static constexpr ::lloyd::simt::SharedDeclaration lloydDeclared_##name{#name, sizeof(T), (count)};         \
  const auto name = ::lloyd::simt::sharedArray<T>(lloydDeclared_##name)
// NOLINTEND(bugprone-macro-parentheses)
#define LLOYD_DYNAMIC_SHARED(T, name, offset, count)                                                         \
  const auto name = ::lloyd::simt::dynamicSharedArray<T>(#name, offset, count)
// Loops are left to the compiler: what is counted is the source, however it is unrolled.
#define LLOYD_UNROLL
#define LLOYD_UNROLL_BY(factor)
#define LLOYD_ROLLED
#define LLOYD_BACKEND ::lloyd::Backend::simt
#endif
#endif

/// Registers a file's variant for the backend it is being compiled for. unique is any name used once in the
/// file.
#define LLOYD_REGISTER(unique, ...) LLOYD_REGISTER_ON(LLOYD_BACKEND, unique, __VA_ARGS__)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The words of a kernel under CUDA; gpu/simt/cuda/words.hpp has the simulator's. Kernel files get them
// through gpu/kernels/kernel.hpp.
#include "gpu/cuda/words/grid_words.hpp"

#if !defined(__CUDACC_RTC__)
#include "gpu/cuda/runtime/cuda_launch.hpp"
#endif

#define LLOYD_KERNEL static __global__ void
/// A kernel that is never launched with more than threads in a block, so that each thread may have more
/// registers.
#define LLOYD_KERNEL_UP_TO(threads) static __global__ __launch_bounds__(threads, 1) void
#define LLOYD_GLOBAL(T) T* __restrict__
/// The same for an array whose memory another argument names as well, in another type or for another use.
#define LLOYD_GLOBAL_TWICE(T) T*
/// A function that kernels call; inlined, and templated on the arrays it is given.
#define LLOYD_DEVICE static __device__ __forceinline__
#define LLOYD_SHARED(T, name, count) __shared__ __align__(16) T name[count]
/// count values of T in the launch's dynamic shared memory, which begins aligned to 16 bytes, from byte
/// offset on.
#define LLOYD_DYNAMIC_SHARED(T, name, offset, count)                                                         \
  extern __shared__ __align__(16) unsigned char lloydDynamicShared[];                                        \
  T* const name = reinterpret_cast<T*>(lloydDynamicShared + (offset))
/// Before a loop: unroll it whole, by a factor, or not at all.
#define LLOYD_UNROLL _Pragma("unroll")
#define LLOYD_UNROLL_BY(factor) LLOYD_PRAGMA(unroll factor)
#define LLOYD_ROLLED _Pragma("unroll 1")
#define LLOYD_PRAGMA(words) _Pragma(#words)

namespace lloyd {

/// sum += a b, 16 x 8 by 8 x 8, by all lanes of the warp. a and b are bits of floats of which eleven digits
/// count. Nothing on cards before compute capability 8.0, which lack the instruction.
LLOYD_DEVICE void multiplyTf32(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// sum += a b, 16 x 16 by 16 x 8 halves, two in a word, by all lanes of the warp. Nothing on cards before
/// compute capability 8.0, which lack the instruction.
LLOYD_DEVICE void multiplyHalves(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// Both rounded to the nearest half, of equally near ones to the even one.
LLOYD_DEVICE unsigned packHalves(float low, float high) {
  unsigned both = 0;
#if __CUDA_ARCH__ >= 800
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#else
  asm("{ .reg .f16 l, h; cvt.rn.f16.f32 h, %1; cvt.rn.f16.f32 l, %2; mov.b32 %0, {l, h}; }"
      : "=r"(both)
      : "f"(high), "f"(low));
#endif
  return both;
}
LLOYD_DEVICE float lowHalf(unsigned both) {
  float value = 0;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(value) : "r"(both));
  return value;
}
LLOYD_DEVICE float highHalf(unsigned both) {
  float value = 0;
  asm("{ .reg .f16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h; }" : "=f"(value) : "r"(both));
  return value;
}

/// Begins to copy 16 bytes from global to shared memory, past the registers, while the thread goes on. They
/// are there for the thread behind waitForCopies(), and for its block behind a barrier after that. Cards
/// before compute capability 8.0 copy at once.
template <class T>
LLOYD_DEVICE void copyAhead(T* to, const T* from) {
  static_assert(sizeof(T) == 16 && alignof(T) == 16);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
               : "memory");
#else
  *to = *from;
#endif
}
/// Waits for all copies that this thread has begun.
LLOYD_DEVICE void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
/// Ends a group of copies, which may be empty, for waitForEarlierCopies().
LLOYD_DEVICE void endOfCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits for all groups of this thread's copies but the last.
LLOYD_DEVICE void waitForEarlierCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
}

} // namespace lloyd

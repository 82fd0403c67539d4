// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What blocks of one grid say to each other, and a kernel to the loop that it belongs to; under CUDA alone.

#if defined(__CUDACC_RTC__)
extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);
#endif

namespace lloyd {

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
static __device__ __forceinline__ void repeatLoop(unsigned long long loop, bool again) {
  cudaGraphSetConditional(loop, again ? 1u : 0u);
}

} // namespace lloyd

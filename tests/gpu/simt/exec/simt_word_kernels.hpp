// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstddef>
#include <cstdint>

/// Small kernels, one for each word of the language that kernels are written in. Each is a launch; all arrays
/// are device memory.
namespace lloyd::test {

enum class Shuffle { index, up, down, exclusive };
/// One warp: out[lane] = the shuffle of in[lane], with one argument for all lanes or, for the index, with
/// (argument + lane) % 32 where each is asked for another.
template <class T>
void shuffle(LaunchContext& context, Shuffle kind, const T* in, T* out, unsigned argument, int width,
             bool byLane = false);

/// One warp; out [lane][9]: ballot, any and all of in[lane] & 1, the sum, minimum and maximum of in and of in
/// as int. The lower and the upper half vote apart when halves is set.
void votes(LaunchContext& context, const unsigned* in, unsigned* out, bool halves);
/// One warp; out [lane]: the mask of those that are active with it, in a branch that odd lanes take.
void active(LaunchContext& context, unsigned* out);

/// One block; out [thread][3]: how many threads hold predicate in[thread], whether any does, whether all do;
/// threads from live on return before.
void blockVotes(LaunchContext& context, const int* in, int* out, int threads, int live);

/// Every thread i changes the one cell by in[i], in shared memory or where it lies, and notes in before[i]
/// what it found. compareAndSwap: from in[i] to in[i] + 1.
enum class Atomic { add, sub, max, min, bitOr, bitAnd, bitXor, exchange, compareAndSwap };
template <class T>
void sharedAtomic(LaunchContext& context, Atomic kind, const T* in, T* cell, T* before, int threads);
template <class T>
void globalAtomic(LaunchContext& context, Atomic kind, const T* in, T* cell, T* before, std::size_t blocks,
                  int threads);

/// out[i]: blockIdx.x, blockDim.x, gridDim.x, threadIdx.x and the sum of the y and z members, five a thread.
void indices(LaunchContext& context, unsigned* out, std::size_t blocks, int threads);

/// Doubles 4 floats, 2 floats and 4 integers a thread through vector loads and stores.
void vectors(LaunchContext& context, const float* four, const float* two, const int* integers, float* fourOut,
             float* twoOut, int* integersOut, std::size_t threads);

/// Assignments of every kind on an element of shared and of global memory; out: 12 values of each.
void assignments(LaunchContext& context, int* out);

/// Two arrays in dynamic shared memory, one behind the other, turned round by the block.
void dynamicArrays(LaunchContext& context, float* out, unsigned* outToo, int threads);

/// Four floats a thread, copied to shared memory ahead and turned round by the block, fours as they are.
void copies(LaunchContext& context, const float* in, float* out, int threads);

/// The sum of in by a tree in one block of 256, whose last warp needs no block barrier.
void treeSum(LaunchContext& context, const float* in, double* sum, std::size_t n);

/// A kernel compiled for blocks of up to bound (512 or 1024) threads; each adds 1 to ran.
void bounded(LaunchContext& context, int bound, int threads, int* ran);
/// A kernel that asks for this much dynamic shared memory, and touches none.
void wantsShared(LaunchContext& context, std::size_t bytes);

} // namespace lloyd::test

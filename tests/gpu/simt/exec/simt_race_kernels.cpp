// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/exec/simt_race_kernels.hpp"

#include "gpu/kernels/kernel.hpp"

namespace lloyd::test {
namespace {

constexpr unsigned everyone = 0xffffffffu;

template <unsigned WithBarrier>
LLOYD_KERNEL treeKernel(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, partial, 256);
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned distance = blockDim.x / 2; distance > 0; distance /= 2) {
    if (t < distance) partial[t] += partial[t + distance];
    if (WithBarrier != 0) __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

/// Every thread stores 1 to one word: a flag, as classify.v6 and v7 keep it.
LLOYD_KERNEL flag(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, raised, 1);
  if (threadIdx.x == 0) raised[0] = 0;
  __syncthreads();
  if (threadIdx.x % 3 != 0) raised[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<float>(raised[0]);
}
/// The same, with the thread's number.
LLOYD_KERNEL lastComes(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, raised, 1);
  raised[0] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<float>(raised[0]);
}
/// The flag is read where others still raise it.
LLOYD_KERNEL readTooEarly(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, raised, 1);
  if (threadIdx.x == 0) raised[0] = 1;
  __syncthreads();
  if (threadIdx.x == 63) raised[0] = 1;
  if (threadIdx.x == 5) out[0] = static_cast<float>(raised[0]);
}
/// Two readers and then one of them writes: the other read it unordered.
LLOYD_KERNEL readerWrites(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cell, 1);
  if (threadIdx.x == 0) cell[0] = 1;
  __syncthreads();
  const float value = cell[0];
  out[threadIdx.x] = value;
  if (threadIdx.x == 63) cell[0] = 2;
}
LLOYD_KERNEL atomicsOnly(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, count, 1);
  if (threadIdx.x == 0) count[0] = 0;
  __syncthreads();
  atomicAdd(&count[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<float>(count[0]);
}
LLOYD_KERNEL atomicAndStore(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, count, 1);
  if (threadIdx.x == 0) count[0] = 0;
  __syncthreads();
  if (threadIdx.x == 40)
    count[0] = 7;
  else
    atomicAdd(&count[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<float>(count[0]);
}
LLOYD_KERNEL atomicAndLoad(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, count, 1);
  if (threadIdx.x == 0) count[0] = 0;
  __syncthreads();
  atomicAdd(&count[0], 1u);
  if (threadIdx.x == 0) out[0] = static_cast<float>(count[0]);
}
/// Neighbours in a warp, each reading what the other wrote, with a word between them that orders the two.
template <unsigned Between>
LLOYD_KERNEL neighbours(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cells, 64);
  const unsigned t = threadIdx.x;
  cells[t] = static_cast<float>(t);
  if (Between == 1) __syncwarp();
  if (Between == 2) out[t] = static_cast<float>(__ballot_sync(everyone, 1));
  if (Between == 3) out[t] = __shfl_xor_sync(everyone, static_cast<float>(t), 1);
  // Each pair by itself: lane 2i and 2i + 1.
  if (Between == 4) __syncwarp(3u << (t % 32 / 2 * 2));
  // Pairs that are not those who read from each other.
  if (Between == 5) __syncwarp(t % 32 == 0 || t % 32 == 31 ? 0x80000001u : 3u << ((t % 32 + 1) / 2 * 2 - 1));
  const float other = cells[t ^ 1];
  out[t] = other;
}
/// A collective orders a warp, not the warp beside it.
LLOYD_KERNEL acrossWarps(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cells, 64);
  const unsigned t = threadIdx.x;
  cells[t] = 1;
  __syncthreads();
  cells[t] = static_cast<float>(t);
  __syncwarp();
  const float other = cells[(t + 32) % 64];
  out[t] = other;
}

LLOYD_KERNEL orderKernel(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out,
                         LLOYD_GLOBAL(unsigned) ticket) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[i];
  atomicAdd(&out[0], value);
  const unsigned place = atomicAdd(&ticket[0], 1u);
  out[1 + place] = static_cast<float>(i);
}

} // namespace

void tree(LaunchContext& context, const float* in, float* out, std::size_t blocks, bool barrier) {
  launchKernel(context, {blocks, 256}, barrier ? treeKernel<1> : treeKernel<0>, global(in, blocks * 256),
               global(out, blocks));
}

void launchRace(LaunchContext& context, std::string_view name, float* out) {
  const LaunchShape shape{1, 64};
  const auto array = global(out, 64);
  if (name == "flag") launchKernel(context, shape, flag, array);
  if (name == "the last one comes through") launchKernel(context, shape, lastComes, array);
  if (name == "read too early") launchKernel(context, shape, readTooEarly, array);
  if (name == "a reader writes") launchKernel(context, shape, readerWrites, array);
  if (name == "atomics only") launchKernel(context, shape, atomicsOnly, array);
  if (name == "atomic and store") launchKernel(context, shape, atomicAndStore, array);
  if (name == "atomic and load") launchKernel(context, shape, atomicAndLoad, array);
  if (name == "neighbours, nothing between") launchKernel(context, shape, neighbours<0>, array);
  if (name == "neighbours, __syncwarp") launchKernel(context, shape, neighbours<1>, array);
  if (name == "neighbours, a vote") launchKernel(context, shape, neighbours<2>, array);
  if (name == "neighbours, a shuffle") launchKernel(context, shape, neighbours<3>, array);
  if (name == "neighbours, pairs") launchKernel(context, shape, neighbours<4>, array);
  if (name == "neighbours, other pairs") launchKernel(context, shape, neighbours<5>, array);
  if (name == "across warps") launchKernel(context, shape, acrossWarps, array);
}

void inOrder(LaunchContext& context, const float* in, float* out, std::size_t blocks, int threads) {
  const std::size_t n = blocks * static_cast<std::size_t>(threads);
  auto* const ticket = reinterpret_cast<unsigned*>(out + 1 + n);
  launchKernel(context, {blocks, threads}, orderKernel, global(in, n), global(out, 1 + n), global(ticket, 1));
}

} // namespace lloyd::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/exec/simt_word_kernels.hpp"

#include "gpu/kernels/kernel.hpp"

namespace lloyd::test {
namespace {

constexpr unsigned everyone = 0xffffffffu;

template <class T>
LLOYD_KERNEL shuffleKernel(LLOYD_GLOBAL(const T) in, LLOYD_GLOBAL(T) out, unsigned kind, unsigned argument,
                           int width, unsigned byLane) {
  const unsigned lane = threadIdx.x;
  const T value = in[lane];
  const unsigned asked = byLane != 0 ? (argument + lane) % 32 : argument;
  T got = value;
  if (kind == 0) got = __shfl_sync(everyone, value, static_cast<int>(asked), width);
  if (kind == 1) got = __shfl_up_sync(everyone, value, asked, width);
  if (kind == 2) got = __shfl_down_sync(everyone, value, asked, width);
  if (kind == 3) got = __shfl_xor_sync(everyone, value, static_cast<int>(asked), width);
  out[lane] = got;
}

LLOYD_KERNEL voteKernel(LLOYD_GLOBAL(const unsigned) in, LLOYD_GLOBAL(unsigned) out, unsigned halves) {
  const unsigned lane = threadIdx.x;
  const unsigned own = in[lane];
  const unsigned mask = halves == 0 ? everyone : lane < 16 ? 0x0000ffffu : 0xffff0000u;
  const int predicate = static_cast<int>(own & 1);
  out[lane * 9] = __ballot_sync(mask, predicate);
  out[lane * 9 + 1] = static_cast<unsigned>(__any_sync(mask, predicate));
  out[lane * 9 + 2] = static_cast<unsigned>(__all_sync(mask, predicate));
  out[lane * 9 + 3] = __reduce_add_sync(mask, own);
  out[lane * 9 + 4] = __reduce_min_sync(mask, own);
  out[lane * 9 + 5] = __reduce_max_sync(mask, own);
  const int asSigned = static_cast<int>(own);
  out[lane * 9 + 6] = static_cast<unsigned>(__reduce_add_sync(mask, asSigned));
  out[lane * 9 + 7] = static_cast<unsigned>(__reduce_min_sync(mask, asSigned));
  out[lane * 9 + 8] = static_cast<unsigned>(__reduce_max_sync(mask, asSigned));
}

LLOYD_KERNEL activeKernel(LLOYD_GLOBAL(unsigned) out) {
  const unsigned lane = threadIdx.x;
  if (lane % 2 == 1) // NOLINT(bugprone-branch-clone): at two places, two answers
    out[lane] = __activemask();
  else
    out[lane] = __activemask();
}

LLOYD_KERNEL blockVoteKernel(LLOYD_GLOBAL(const int) in, LLOYD_GLOBAL(int) out, unsigned live) {
  const unsigned t = threadIdx.x;
  if (t >= live) return;
  const int predicate = in[t];
  out[t * 3] = __syncthreads_count(predicate);
  out[t * 3 + 1] = __syncthreads_or(predicate);
  out[t * 3 + 2] = __syncthreads_and(predicate);
}

template <class Target, class T>
T change(const Target& target, unsigned kind, T value) {
  switch (kind) {
  case 0:
    return atomicAdd(&target[0], value);
  case 7:
    return atomicExch(&target[0], value);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (kind) {
    case 1:
      return atomicSub(&target[0], value);
    case 2:
      return atomicMax(&target[0], value);
    case 3:
      return atomicMin(&target[0], value);
    case 4:
      return atomicOr(&target[0], value);
    case 5:
      return atomicAnd(&target[0], value);
    case 6:
      return atomicXor(&target[0], value);
    case 8:
      return atomicCAS(&target[0], value, static_cast<T>(value + 1));
    default:
      break;
    }
  }
  return T();
}

template <class T>
LLOYD_KERNEL sharedAtomicKernel(LLOYD_GLOBAL(const T) in, LLOYD_GLOBAL(T) cell, LLOYD_GLOBAL(T) before,
                                unsigned kind) {
  LLOYD_SHARED(T, target, 1);
  if (threadIdx.x == 0) target[0] = cell[0];
  __syncthreads();
  const T value = in[threadIdx.x];
  before[threadIdx.x] = change(target, kind, value);
  __syncthreads();
  if (threadIdx.x == 0) cell[0] = target[0];
}

template <class T>
LLOYD_KERNEL globalAtomicKernel(LLOYD_GLOBAL(const T) in, LLOYD_GLOBAL(T) cell, LLOYD_GLOBAL(T) before,
                                unsigned kind) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T value = in[i];
  before[i] = change(cell, kind, value);
}

LLOYD_KERNEL indexKernel(LLOYD_GLOBAL(unsigned) out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * 5] = blockIdx.x;
  out[i * 5 + 1] = blockDim.x;
  out[i * 5 + 2] = gridDim.x;
  out[i * 5 + 3] = threadIdx.x;
  out[i * 5 + 4] =
      threadIdx.y + threadIdx.z + blockIdx.y + blockIdx.z + blockDim.y + blockDim.z + gridDim.y + gridDim.z;
}

LLOYD_KERNEL vectorKernel(LLOYD_GLOBAL(const float4) four, LLOYD_GLOBAL(const float2) two,
                          LLOYD_GLOBAL(const int4) integers, LLOYD_GLOBAL(float4) fourOut,
                          LLOYD_GLOBAL(float2) twoOut, LLOYD_GLOBAL(int4) integersOut) {
  const unsigned i = threadIdx.x;
  const float4 a = four[i];
  fourOut[i] = make_float4(2 * a.x, 2 * a.y, 2 * a.z, 2 * a.w);
  const float2 b = two[i];
  twoOut[i] = make_float2(2 * b.x, 2 * b.y);
  const int4 c = integers[i];
  integersOut[i] = make_int4(2 * c.x, 2 * c.y, 2 * c.z, 2 * c.w);
}

template <class Array, class Out>
void assignTo(const Array& a, const Out& out, unsigned at) {
  a[0] = 12;
  out[at] = a[0];
  out[at + 1] = a[0] += 3;
  out[at + 2] = a[0] -= 5;
  out[at + 3] = a[0] *= 7;
  out[at + 4] = a[0] /= 4;
  out[at + 5] = a[0] |= 33;
  out[at + 6] = a[0] &= 57;
  out[at + 7] = a[0] ^= 5;
  out[at + 8] = a[0]++;
  out[at + 9] = ++a[0];
  out[at + 10] = a[0]--;
  a[1] = 1;
  a[1] += a[0];
  a[0] = a[1];
  out[at + 11] = a[0];
}

LLOYD_KERNEL assignmentKernel(LLOYD_GLOBAL(int) out, LLOYD_GLOBAL(int) room) {
  LLOYD_SHARED(int, cells, 2);
  assignTo(cells, out, 0);
  assignTo(room, out, 12);
}

LLOYD_KERNEL copyKernel(LLOYD_GLOBAL(const float4) in, LLOYD_GLOBAL(float4) out) {
  LLOYD_DYNAMIC_SHARED(float4, kept, 0, blockDim.x);
  copyAhead(&kept[threadIdx.x], &in[threadIdx.x]);
  waitForCopies();
  __syncthreads();
  const float4 other = kept[blockDim.x - 1 - threadIdx.x];
  out[threadIdx.x] = other;
}

LLOYD_KERNEL dynamicKernel(LLOYD_GLOBAL(float) out, LLOYD_GLOBAL(unsigned) outToo) {
  const unsigned n = blockDim.x;
  LLOYD_DYNAMIC_SHARED(float, first, 0, n);
  LLOYD_DYNAMIC_SHARED(unsigned, second, n * sizeof(float), n);
  first[threadIdx.x] = static_cast<float>(threadIdx.x);
  second[threadIdx.x] = 1000 + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = first[n - 1 - threadIdx.x];
  outToo[threadIdx.x] = second[n - 1 - threadIdx.x];
}

LLOYD_KERNEL treeKernel(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(double) sum, std::size_t n) {
  LLOYD_SHARED(double, partial, 256);
  const unsigned t = threadIdx.x;
  double own = 0;
  for (std::size_t i = t; i < n; i += blockDim.x)
    own += static_cast<double>(in[i]);
  partial[t] = own;
  __syncthreads();
  for (unsigned distance = blockDim.x / 2; distance >= 32; distance /= 2) {
    if (t < distance) partial[t] += partial[t + distance];
    __syncthreads();
  }
  if (t >= 32) return;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    // Every lane reads before any writes.
    const double other = partial[(t + distance) % 32];
    __syncwarp();
    partial[t] += other;
    __syncwarp();
  }
  if (t == 0) sum[0] = partial[0];
}

LLOYD_KERNEL_UP_TO(512) upTo512(LLOYD_GLOBAL(int) ran) { atomicAdd(&ran[0], 1); }
LLOYD_KERNEL_UP_TO(1024) upTo1024(LLOYD_GLOBAL(int) ran) { atomicAdd(&ran[0], 1); }
LLOYD_KERNEL nothing() {}

} // namespace

template <class T>
void shuffle(LaunchContext& context, Shuffle kind, const T* in, T* out, unsigned argument, int width,
             bool byLane) {
  launchKernel(context, {1, 32}, shuffleKernel<T>, global(in, 32), global(out, 32),
               static_cast<unsigned>(kind), argument, width, byLane ? 1u : 0u);
}
template void shuffle(LaunchContext&, Shuffle, const int*, int*, unsigned, int, bool);
template void shuffle(LaunchContext&, Shuffle, const unsigned*, unsigned*, unsigned, int, bool);
template void shuffle(LaunchContext&, Shuffle, const float*, float*, unsigned, int, bool);
template void shuffle(LaunchContext&, Shuffle, const double*, double*, unsigned, int, bool);
template void shuffle(LaunchContext&, Shuffle, const long long*, long long*, unsigned, int, bool);
template void shuffle(LaunchContext&, Shuffle, const unsigned long long*, unsigned long long*, unsigned, int,
                      bool);

void votes(LaunchContext& context, const unsigned* in, unsigned* out, bool halves) {
  launchKernel(context, {1, 32}, voteKernel, global(in, 32), global(out, std::size_t{32} * 9),
               halves ? 1u : 0u);
}
void active(LaunchContext& context, unsigned* out) {
  launchKernel(context, {1, 32}, activeKernel, global(out, 32));
}
void blockVotes(LaunchContext& context, const int* in, int* out, int threads, int live) {
  const auto n = static_cast<std::size_t>(threads);
  launchKernel(context, {1, threads}, blockVoteKernel, global(in, n), global(out, 3 * n), live);
}

template <class T>
void sharedAtomic(LaunchContext& context, Atomic kind, const T* in, T* cell, T* before, int threads) {
  const auto n = static_cast<std::size_t>(threads);
  launchKernel(context, {1, threads}, sharedAtomicKernel<T>, global(in, n), global(cell, 1),
               global(before, n), static_cast<unsigned>(kind));
}
template <class T>
void globalAtomic(LaunchContext& context, Atomic kind, const T* in, T* cell, T* before, std::size_t blocks,
                  int threads) {
  const std::size_t n = blocks * static_cast<std::size_t>(threads);
  launchKernel(context, {blocks, threads}, globalAtomicKernel<T>, global(in, n), global(cell, 1),
               global(before, n), static_cast<unsigned>(kind));
}
// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses
#define LLOYD_ATOMIC(T)                                                                                      \
  template void sharedAtomic(LaunchContext&, Atomic, const T*, T*, T*, int);                                 \
  template void globalAtomic(LaunchContext&, Atomic, const T*, T*, T*, std::size_t, int);
// NOLINTEND(bugprone-macro-parentheses)
LLOYD_ATOMIC(int)
LLOYD_ATOMIC(unsigned)
LLOYD_ATOMIC(unsigned long long)
LLOYD_ATOMIC(float)
LLOYD_ATOMIC(double)
#undef LLOYD_ATOMIC

void indices(LaunchContext& context, unsigned* out, std::size_t blocks, int threads) {
  launchKernel(context, {blocks, threads}, indexKernel,
               global(out, blocks * static_cast<std::size_t>(threads) * 5));
}

void vectors(LaunchContext& context, const float* four, const float* two, const int* integers, float* fourOut,
             float* twoOut, int* integersOut, std::size_t threads) {
  launchKernel(context, {1, static_cast<int>(threads)}, vectorKernel,
               global(reinterpret_cast<const float4*>(four), threads),
               global(reinterpret_cast<const float2*>(two), threads),
               global(reinterpret_cast<const int4*>(integers), threads),
               global(reinterpret_cast<float4*>(fourOut), threads),
               global(reinterpret_cast<float2*>(twoOut), threads),
               global(reinterpret_cast<int4*>(integersOut), threads));
}

void assignments(LaunchContext& context, int* out) {
  launchKernel(context, {1, 1}, assignmentKernel, global(out, 24), global(out + 24, 2));
}

void dynamicArrays(LaunchContext& context, float* out, unsigned* outToo, int threads) {
  const auto n = static_cast<std::size_t>(threads);
  launchKernel(context, {1, threads, n * (sizeof(float) + sizeof(unsigned))}, dynamicKernel, global(out, n),
               global(outToo, n));
}

void copies(LaunchContext& context, const float* in, float* out, int threads) {
  const auto n = static_cast<std::size_t>(threads);
  launchKernel(context, {1, threads, n * sizeof(float4)}, copyKernel,
               global(reinterpret_cast<const float4*>(in), n), global(reinterpret_cast<float4*>(out), n));
}

void treeSum(LaunchContext& context, const float* in, double* sum, std::size_t n) {
  launchKernel(context, {1, 256}, treeKernel, global(in, n), global(sum, 1), n);
}

void bounded(LaunchContext& context, int bound, int threads, int* ran) {
  const LaunchShape shape{1, threads};
  if (bound == 512) launchKernel(context, shape, upTo512, global(ran, 1));
  if (bound == 1024) launchKernel(context, shape, upTo1024, global(ran, 1));
}

void wantsShared(LaunchContext& context, std::size_t bytes) {
  launchKernel(context, {1, 32, bytes}, nothing);
}

} // namespace lloyd::test

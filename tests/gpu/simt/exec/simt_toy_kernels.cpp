// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/exec/simt_toy_kernels.hpp"

#include "gpu/kernels/kernel.hpp"

namespace lloyd::test {
namespace {

constexpr unsigned everyone = 0xffffffffu;

// The ladder of Mark Harris, "Optimizing parallel reduction in CUDA" (NVIDIA, 2007), in today's words.

LLOYD_KERNEL sumModulo(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 256);
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
LLOYD_KERNEL sumStrided(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 256);
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = 1; d < blockDim.x; d *= 2) {
    const unsigned i = 2 * d * t;
    if (i < blockDim.x) s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
LLOYD_KERNEL sumSequential(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 256);
  const unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
LLOYD_KERNEL sumOnLoad(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 256);
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x * 2 + t;
  float v = in[i] + in[i + blockDim.x];
  s[t] = v;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) {
      v += s[t + d];
      s[t] = v;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = v;
}
LLOYD_KERNEL sumShuffles(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 256);
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x * 2 + t;
  float v = in[i] + in[i + blockDim.x];
  s[t] = v;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 32; d /= 2) {
    if (t < d) {
      v += s[t + d];
      s[t] = v;
    }
    __syncthreads();
  }
  if (t >= 32) return;
  v += s[t + 32];
  for (unsigned d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(everyone, v, d);
  if (t == 0) out[blockIdx.x] = v;
}
LLOYD_KERNEL sumGridStride(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out, unsigned n) {
  LLOYD_SHARED(float, s, 32);
  float v = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v += in[i];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(everyone, v, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  v = 0;
  if (threadIdx.x < blockDim.x / 32) v = s[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(everyone, v, d);
  if (threadIdx.x == 0) atomicAdd(&out[0], v);
}

LLOYD_KERNEL strided(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out, unsigned stride,
                     unsigned offset) {
  const float value = in[threadIdx.x * stride + offset];
  out[threadIdx.x] = value;
}
LLOYD_KERNEL reversed(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  const float value = in[31 - threadIdx.x];
  out[threadIdx.x * 8] = value;
}
LLOYD_KERNEL quadruples(LLOYD_GLOBAL(const float4) in, LLOYD_GLOBAL(float4) out) {
  const float4 value = in[threadIdx.x];
  out[threadIdx.x] = value;
}
LLOYD_KERNEL triples(LLOYD_GLOBAL(const float3) in, LLOYD_GLOBAL(float) out) {
  const float3 value = in[threadIdx.x];
  out[threadIdx.x] = value.x;
}
LLOYD_KERNEL fewLanes(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  if (threadIdx.x % 8 != 0) return;
  const float value = in[threadIdx.x];
  out[threadIdx.x] = value;
}
/// Lanes go round different numbers of times: lane i i + 1 times.
LLOYD_KERNEL rounds(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  float sum = 0;
  for (unsigned i = 0; i <= threadIdx.x; ++i)
    sum += in[i];
  out[threadIdx.x] = sum;
}
/// The first half reads at a place before the barrier, the second half after it: no one request.
LLOYD_KERNEL apart(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  float sum = 0;
  for (unsigned i = 0; i < 2; ++i) {
    if (threadIdx.x / 16 == i) sum += in[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
/// Two loads on one line are two.
LLOYD_KERNEL twoOnALine(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  out[threadIdx.x] = in[threadIdx.x] + in[threadIdx.x + 32];
}
LLOYD_KERNEL atomicsOf(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 4);
  if (threadIdx.x < 4) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 4], 1.0f);
  __syncthreads();
  if (threadIdx.x < 4) {
    const float sum = s[threadIdx.x];
    atomicAdd(&out[threadIdx.x], sum);
  }
}

/// Lane t adds to word t / share * stride of shared memory, and to that of global memory.
LLOYD_KERNEL atomicWords(LLOYD_GLOBAL(float) out, unsigned share, unsigned stride) {
  LLOYD_SHARED(float, s, 1024);
  const unsigned word = threadIdx.x / share * stride;
  s[word] = 0;
  __syncthreads();
  atomicAdd(&s[word], 1.0f);
  atomicAdd(&out[word], 1.0f);
}
/// Lanes 0 to 7 share a word, 8 to 11 another of the same bank, and the others have a bank each.
LLOYD_KERNEL atomicMixture(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 64);
  const unsigned t = threadIdx.x;
  const unsigned word = t < 8 ? 0 : t < 12 ? 32 : t;
  s[word] = 0;
  __syncthreads();
  atomicAdd(&s[word], 1.0f);
  atomicAdd(&out[word], 1.0f);
}
LLOYD_KERNEL atomicDoubles(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(double, s, 32);
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x], 1.0);
  atomicAdd(&out[threadIdx.x], 1.0f);
}
/// Every second lane loads, all store.
LLOYD_KERNEL halfBranch(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  float value = 0;
  if (threadIdx.x % 2 == 0) {
    value = in[threadIdx.x];
  }
  out[threadIdx.x] = value;
}
/// Eight lanes take one way, the others the other.
LLOYD_KERNEL eitherBranch(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  float value = 0;
  if (threadIdx.x < 8) {
    value = in[threadIdx.x];
    value += in[threadIdx.x + 32];
  } else {
    value = in[threadIdx.x + 64];
  }
  out[threadIdx.x] = value;
}
/// All lanes go round four times on one line.
LLOYD_KERNEL fourRounds(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out) {
  float sum = 0;
  for (unsigned i = 0; i < 4; ++i)
    sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

/// Each lane stores to s[lane * stride] and reads it again.
template <class T>
LLOYD_KERNEL banks(LLOYD_GLOBAL(float) out, unsigned stride) {
  LLOYD_SHARED(T, s, 1024);
  s[threadIdx.x * stride] = T();
  const T value = s[threadIdx.x * stride];
  out[threadIdx.x] = sizeof(value) > 4 ? 2.0f : 1.0f;
}
LLOYD_KERNEL broadcast(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, s, 64);
  s[threadIdx.x] = 1;
  s[threadIdx.x + 32] = 2;
  __syncthreads();
  // Two words of one bank, and all others in one word.
  const float value = s[threadIdx.x == 0 ? 33 : 1];
  out[threadIdx.x] = value;
}

} // namespace

void launchSum(LaunchContext& context, std::string_view name, const float* in, float* out,
               std::size_t blocks) {
  const LaunchShape shape{blocks, 256};
  const auto from = global(in, blocks * 512);
  const auto to = global(out, blocks);
  if (name == "modulo") launchKernel(context, shape, sumModulo, from, to);
  if (name == "strided") launchKernel(context, shape, sumStrided, from, to);
  if (name == "sequential") launchKernel(context, shape, sumSequential, from, to);
  if (name == "add on load") launchKernel(context, shape, sumOnLoad, from, to);
  if (name == "shuffles") launchKernel(context, shape, sumShuffles, from, to);
  if (name == "grid stride") launchKernel(context, shape, sumGridStride, from, to, blocks * 512);
}

void launchAccess(LaunchContext& context, std::string_view name, float* in, float* out) {
  const LaunchShape warp{1, 32};
  const auto from = global(static_cast<const float*>(in), 4096);
  const auto to = global(out, 4096);
  if (name == "consecutive") launchKernel(context, warp, strided, from, to, 1, 0);
  if (name == "shifted by one") launchKernel(context, warp, strided, from, to, 1, 1);
  if (name == "every third") launchKernel(context, warp, strided, from, to, 3, 0);
  if (name == "every eighth") launchKernel(context, warp, strided, from, to, 8, 0);
  if (name == "all the same") launchKernel(context, warp, strided, from, to, 0, 5);
  if (name == "reversed") launchKernel(context, warp, reversed, from, to);
  if (name == "quadruples")
    launchKernel(context, warp, quadruples, global(reinterpret_cast<const float4*>(in), 1024),
                 global(reinterpret_cast<float4*>(out), 1024));
  if (name == "triples")
    launchKernel(context, warp, triples, global(reinterpret_cast<const float3*>(in), 1024), to);
  if (name == "few lanes") launchKernel(context, warp, fewLanes, from, to);
  if (name == "rounds") launchKernel(context, warp, rounds, from, to);
  if (name == "apart") launchKernel(context, warp, apart, from, to);
  if (name == "two on a line") launchKernel(context, warp, twoOnALine, from, to);
  if (name == "atomics") launchKernel(context, warp, atomicsOf, to);
  if (name == "all on one word") launchKernel(context, warp, atomicWords, to, 32, 1);
  if (name == "a bank each") launchKernel(context, warp, atomicWords, to, 1, 1);
  if (name == "two words a bank") launchKernel(context, warp, atomicWords, to, 1, 2);
  if (name == "four lanes a word") launchKernel(context, warp, atomicWords, to, 4, 1);
  if (name == "all words in one bank") launchKernel(context, warp, atomicWords, to, 1, 32);
  if (name == "a mixture") launchKernel(context, warp, atomicMixture, to);
  if (name == "doubles") launchKernel(context, warp, atomicDoubles, to);
  if (name == "half branch") launchKernel(context, warp, halfBranch, from, to);
  if (name == "either branch") launchKernel(context, warp, eitherBranch, from, to);
  if (name == "four rounds") launchKernel(context, warp, fourRounds, from, to);
  if (name == "banks, stride 1") launchKernel(context, warp, banks<float>, to, 1);
  if (name == "banks, stride 2") launchKernel(context, warp, banks<float>, to, 2);
  if (name == "banks, stride 32") launchKernel(context, warp, banks<float>, to, 32);
  if (name == "banks, stride 31") launchKernel(context, warp, banks<float>, to, 31);
  if (name == "banks, doubles") launchKernel(context, warp, banks<double>, to, 1);
  if (name == "banks, every second double") launchKernel(context, warp, banks<double>, to, 2);
  if (name == "banks, quadruples") launchKernel(context, warp, banks<float4>, to, 1);
  if (name == "banks, every eighth quadruple") launchKernel(context, warp, banks<float4>, to, 8);
  if (name == "broadcast") launchKernel(context, warp, broadcast, to);
}

} // namespace lloyd::test

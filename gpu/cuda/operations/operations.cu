// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/cuda/runtime/cuda_check.hpp"
#include "gpu/kernels/kernel.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd::cuda {
namespace {

constexpr int blockThreads = 256;
constexpr unsigned warpsPerBlock = blockThreads / 32;
// Sums and minima: so many blocks fill any card, and each brings one value to global memory.
constexpr std::size_t mostBlocks = 2048;

/// Squares are taken and added in double, because the result decides between clusterings that differ by
/// little.
template <class Stored>
LLOYD_KERNEL inertiaKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                           LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Stored) labels,
                           LLOYD_GLOBAL(double) inertia, std::size_t n, unsigned d) {
  LLOYD_SHARED(double, warpSum, warpsPerBlock);
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) {
    const Stored label = labels[i];
    const std::size_t c = static_cast<std::size_t>(label) * d;
    for (unsigned j = 0; j < d; ++j) {
      const float x = points[j * stride + i];
      const float center = centroids[c + j];
      const double difference = static_cast<double>(x) - static_cast<double>(center);
      sum = fma(difference, difference, sum);
    }
  }
  for (unsigned distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) warpSum[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < warpsPerBlock; ++w)
    sum += warpSum[w];
  atomicAdd(&inertia[0], sum);
}

LLOYD_KERNEL advanceKernel(LLOYD_GLOBAL(const float) base, LLOYD_GLOBAL(float) out,
                           LLOYD_GLOBAL(const std::uint8_t) component, LLOYD_GLOBAL(const float) shifts,
                           std::size_t stride, std::size_t n, unsigned d) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint8_t own = component[i];
  for (unsigned j = 0; j < d; ++j)
    out[j * stride + i] = base[j * stride + i] + shifts[own * d + j];
}

/// One thread a value of the records, so that what is written is contiguous; what is read comes from few
/// lines at once.
LLOYD_KERNEL interleaveKernel(LLOYD_GLOBAL(const float) points, std::size_t stride,
                              LLOYD_GLOBAL(float) records, std::size_t values, unsigned d) {
  const std::size_t v = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v >= values) return;
  records[v] = points[v % d * stride + v / d];
}

template <class From, class To>
LLOYD_KERNEL convertLabelsKernel(LLOYD_GLOBAL(const From) from, LLOYD_GLOBAL(To) to, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<To>(from[i]);
}

/// Long against the step of the card's timer, which is a microsecond on some; short against a sample.
constexpr unsigned long long waitNs = 100'000;

__device__ unsigned long long timerNs() {
  unsigned long long ns = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

/// One thread, so that both counts are those of one multiprocessor. The timer is waited for to step before
/// the first reading, since a reading in the middle of a step would be off by part of it.
LLOYD_KERNEL countCyclesKernel(LLOYD_GLOBAL(unsigned long long) cyclesAndNs) {
  const unsigned long long before = timerNs();
  unsigned long long from = before;
  while (from == before)
    from = timerNs();
  const long long firstCycle = clock64();
  unsigned long long now = from;
  while (now - from < waitNs)
    now = timerNs();
  cyclesAndNs[0] = static_cast<unsigned long long>(clock64() - firstCycle);
  cyclesAndNs[1] = now - from;
}

/// Every file is built for the same cards, so what one kernel finds holds for all.
__global__ void probe() {}

std::size_t blocksToFill(std::size_t count) { return std::min(blocksFor(count, blockThreads), mostBlocks); }

} // namespace

void inertia(const InertiaArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  withLabels(args.labels, [&]<class Stored>(const Stored* labels) {
    launchKernel(context, {blocksToFill(problem.n), blockThreads}, inertiaKernel<Stored>,
                 global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                 global(args.centroids, problem.centroidValues()), global(labels, problem.n),
                 global(args.inertia, 1), problem.n, problem.d);
  });
}

void advance(const AdvanceArgs& args, LaunchContext& context) {
  const std::size_t extent = pointExtent({args.n, args.d, 1}, args.stride);
  const auto d = static_cast<std::size_t>(args.d);
  constexpr std::size_t mostComponents = 256;
  launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, advanceKernel,
               global(args.base, extent), global(args.out, extent), global(args.component, args.n),
               global(args.shifts, mostComponents * d), args.stride, args.n, args.d);
}

void interleave(const InterleaveArgs& args, LaunchContext& context) {
  const std::size_t values = args.n * static_cast<std::size_t>(args.d);
  launchKernel(context, {blocksFor(values, blockThreads), blockThreads}, interleaveKernel,
               global(args.points.data, pointExtent({args.n, args.d, 1}, args.points.stride)),
               args.points.stride, global(args.records, values), values, args.d);
}

void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context) {
  withLabels(args.from, [&]<class From>(const From* from) {
    withLabels(args.to, [&]<class To>(To* to) {
      launchKernel(context, {blocksFor(args.n, blockThreads), blockThreads}, convertLabelsKernel<From, To>,
                   global(from, args.n), global(to, args.n), args.n);
    });
  });
}

void countCycles(unsigned long long* cyclesAndNs, LaunchContext& context) {
  launchKernel(context, {1, 1}, countCyclesKernel, global(cyclesAndNs, 2));
}

void requireKernelImage() {
  cudaFuncAttributes attributes{};
  const cudaError_t code = cleared(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&probe)));
  switch (code) {
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorInvalidDeviceFunction:
  case cudaErrorUnsupportedPtxVersion:
    throw DeviceError(static_cast<int>(code), Severity::absent, "cudaFuncGetAttributes",
                      "this program was built without code for this GPU; configure it with "
                      "-DCMAKE_CUDA_ARCHITECTURES=native and build again");
  default:
    checkCuda(code, "cudaFuncGetAttributes");
  }
}

} // namespace lloyd::cuda

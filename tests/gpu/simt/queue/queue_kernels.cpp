// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/simt/queue/queue_kernels.hpp"

#include "gpu/kernels/kernel.hpp"

namespace lloyd::test {
namespace {

constexpr int threads = 32;

LLOYD_KERNEL doubleAll(LLOYD_GLOBAL(const float) in, LLOYD_GLOBAL(float) out, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = in[i];
  out[i] = 2 * value;
}

LLOYD_KERNEL countAll(LLOYD_GLOBAL(const float) values, LLOYD_GLOBAL(unsigned) changed, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = values[i];
  if (value > 0) atomicAdd(&changed[0], 1u);
}

LLOYD_KERNEL clearAndCount(LLOYD_GLOBAL(const float) values, LLOYD_GLOBAL(unsigned) changed, std::size_t n) {
  if (threadIdx.x == 0) changed[0] = 0;
  __syncthreads();
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
    const float value = values[i];
    if (value > 0) atomicAdd(&changed[0], 1u);
  }
}

LLOYD_KERNEL readBehind(LLOYD_GLOBAL(const float) values, LLOYD_GLOBAL(float) out, std::size_t n) {
  const float value = values[n];
  out[0] = value;
}

} // namespace

void launchDouble(LaunchContext& context, const float* in, float* out, std::size_t n) {
  launchKernel(context, {blocksFor(n, threads), threads}, doubleAll, global(in, n), global(out, n), n);
}
void launchCount(LaunchContext& context, const float* values, std::uint32_t* changed, std::size_t n) {
  launchKernel(context, {blocksFor(n, threads), threads}, countAll, global(values, n), global(changed, 1), n);
}
void launchClearAndCount(LaunchContext& context, const float* values, std::uint32_t* changed, std::size_t n) {
  launchKernel(context, {1, threads}, clearAndCount, global(values, n), global(changed, 1), n);
}
void launchFaulty(LaunchContext& context, const float* values, float* out, std::size_t n) {
  launchKernel(context, {1, 1}, readBehind, global(values, n), global(out, n), n);
}

} // namespace lloyd::test

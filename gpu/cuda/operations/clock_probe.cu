// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/kernels/kernel.hpp"

namespace lloyd::cuda {
namespace {

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

} // namespace

void countCycles(unsigned long long* cyclesAndNs, LaunchContext& context) {
  launchKernel(context, {1, 1}, countCyclesKernel, global(cyclesAndNs, 2));
}

} // namespace lloyd::cuda

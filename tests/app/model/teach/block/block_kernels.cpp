// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/model/teach/block/block_kernels.hpp"

#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/kernel.hpp"
#include "gpu/simt/exec/simt_device.hpp"

namespace lloyd::test {
namespace {

constexpr Lines foldLines{.store = __LINE__ + 5, .barrier = __LINE__ + 6, .fold = __LINE__ + 7};
LLOYD_KERNEL fold(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cell, 64);
  LLOYD_SHARED(unsigned, count, 1);
  const unsigned t = threadIdx.x;
  cell[t] = static_cast<float>(t);
  __syncthreads();
  if (t < 32) cell[t] += cell[t + 32];
  if (t == 63) count[0] = 7;
  __syncthreads();
  if (t == 0) atomicAdd(&count[0], 1u);
  if (t == 1) atomicAdd(&count[0], 2u);
  __syncthreads();
  if (t == 0) out[0] = cell[0];
}

constexpr Lines racedLines{.store = __LINE__ + 6, .load = __LINE__ + 7};
LLOYD_KERNEL raced(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cell, 64);
  const unsigned t = threadIdx.x;
  cell[t] = 0;
  __syncthreads();
  cell[t] = static_cast<float>(t);
  if (t == 0) out[0] = cell[32];
}

LLOYD_KERNEL pastTheEnd(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cell, 64);
  const unsigned t = threadIdx.x;
  cell[t] = 1;
  if (t >= 32) cell[t + 32] = 2;
  if (t == 0) out[0] = 0;
}

LLOYD_KERNEL divergent(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(float, cell, 64);
  const unsigned t = threadIdx.x;
  cell[t] = 1;
  if (t < 24) // NOLINT(bugprone-branch-clone): the same words at two places are the fault
    __syncthreads();
  else
    __syncthreads();
  if (t == 0) out[0] = cell[0];
}

LLOYD_KERNEL longOne(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned, cell, 64);
  const unsigned t = threadIdx.x;
  const unsigned rounds = t < 32 ? 140'000 : 10;
  for (unsigned round = 0; round < rounds; ++round)
    cell[t] = round;
  __syncthreads();
  if (t == 0) out[0] = 0;
}

LLOYD_KERNEL halves(LLOYD_GLOBAL(float) out) {
  LLOYD_SHARED(unsigned short, cell, 64);
  const unsigned t = threadIdx.x;
  cell[t] = static_cast<unsigned short>(t);
  __syncthreads();
  if (t == 0) out[0] = 0;
}

constexpr Lines betweenLines{.store = __LINE__ + 4, .load = __LINE__ + 3};
LLOYD_KERNEL between(LLOYD_GLOBAL(float) out) {
  if (threadIdx.x != 33) return;
  const float before = out[0];
  out[0] = before + 1;
}

} // namespace

Lines linesOf(std::string_view kernel) {
  return kernel == "raced" ? racedLines : kernel == "between blocks" ? betweenLines : foldLines;
}

Recorded record(std::string_view kernel, int launches, std::uint32_t block) {
  const auto device = simt::createSimtDevice();
  Buffer<float> out(*device, 1);
  auto* run = kernel == "fold"           ? fold
              : kernel == "raced"        ? raced
              : kernel == "past the end" ? pastTheEnd
              : kernel == "divergent"    ? divergent
              : kernel == "long"         ? longOne
              : kernel == "halves"       ? halves
                                         : between;
  const unsigned blocks = run == between ? 3 : 1;
  device->startRecording();
  const std::uint32_t kept = run == between ? block : 0;
  device->keepSteps(kept);
  for (int launch = 0; launch < launches; ++launch) {
    try {
      device->launch("a test", [&](LaunchContext& context) {
        launchKernel(context, {blocks, 64, 0}, run, global(out.data(), 1));
      });
      device->synchronize();
    } catch (const DeviceError&) {
      break; // the trace has its sentence
    }
  }
  Recorded made;
  made.trace = device->stopRecording();
  auto requests = std::make_shared<BlockRequests>();
  requests->subject.variant = Registry::instance().find("classify.v3");
  requests->block = kept;
  requests->blocks = made.trace.blocks;
  requests->steps = made.trace.steps;
  requests->cut = made.trace.stepsCut;
  requests->record = made.trace.block;
  requests->sharedArrays = made.trace.sharedArrays;
  if (!made.trace.faults.empty()) requests->fault = qtext(made.trace.faults.front());
  made.block = requests;
  return made;
}

} // namespace lloyd::test

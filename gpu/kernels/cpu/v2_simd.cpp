// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v2: one row of memory per coordinate, so that neighbouring points fill a vector register and every
// instruction works on up to sixteen of them. Against v1: the same distances in the same order, a vector of
// points at a time.
#include "gpu/cpu/blocks.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "gpu/kernels/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/kernels/cpu/v2_simd.cpp"
// This compiles the rest of the file once for each target, so it comes before the vector code.
// clang-format off
#include <hwy/foreach_target.h>
#include "gpu/kernels/cpu/simd_labels-inl.hpp"
#include "gpu/kernels/cpu/simd_sums-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
std::size_t classifyInV2(const ClassifyArgs& args, std::size_t begin, std::size_t end) {
  return classifyBlock(args, begin, end);
}
void accumulateInV2(const ReduceArgs& args, std::size_t begin, std::size_t end) {
  accumulateBlock(args, begin, end, args.sums, args.counts);
}
} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {
namespace {

HWY_EXPORT(classifyInV2);
HWY_EXPORT(accumulateInV2);

void classify(const ClassifyArgs& args, LaunchContext& context) {
  const auto classifyBlock = HWY_DYNAMIC_DISPATCH(classifyInV2);
  forChunksInTurn(blocksOf(args.problem, args.problem.n), context, [&](std::size_t begin, std::size_t end) {
    *args.changed += static_cast<std::uint32_t>(classifyBlock(args, begin, end));
  });
}

void reduce(const ReduceArgs& args, LaunchContext& context) {
  const auto accumulateBlock = HWY_DYNAMIC_DISPATCH(accumulateInV2);
  forChunksInTurn(blocksOf(args.problem, args.problem.n), context,
                  [&](std::size_t begin, std::size_t end) { accumulateBlock(args, begin, end); });
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, cpu_v2,
    {.family = "cpu",
     .tag = "v2",
     .name = "vector rows",
     .idea = "A structure of arrays lets one instruction work on a vector of neighbouring points.",
     .changed = ::lloyd::Changed::points},
    {.classify = ::lloyd::classify, .reduce = ::lloyd::reduce})
#endif

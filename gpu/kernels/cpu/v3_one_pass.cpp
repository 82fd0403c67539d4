// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v3: every thread takes part of the points and adds a block of them to its sums right after labelling
// it, while coordinates and labels are still in the nearest cache. Against v2: all cores, and memory is read
// once, not twice.
#include "gpu/cpu/blocks.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "gpu/kernels/cpu/partials.hpp"
#include "gpu/kernels/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/kernels/cpu/v3_one_pass.cpp"
// This compiles the rest of the file once for each target, so it comes before the vector code.
// clang-format off
#include <hwy/foreach_target.h>
#include "gpu/kernels/cpu/simd_labels-inl.hpp"
#include "gpu/kernels/cpu/simd_sums-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
std::size_t onePassOfBlock(const ClassifyArgs& args, const ReduceArgs& sumArgs, std::size_t begin,
                           std::size_t end, double* sums, std::uint32_t* counts) {
  const std::size_t changed = classifyBlock(args, begin, end);
  accumulateBlock(sumArgs, begin, end, sums, counts);
  return changed;
}
} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {
namespace {

HWY_EXPORT(onePassOfBlock);

void fused(const FusedArgs& args, LaunchContext& context) {
  const ClassifyArgs classify{.problem = args.problem,
                              .points = args.points,
                              .centroids = args.centroids,
                              .oldLabels = static_cast<const Label*>(args.oldLabels.data),
                              .labels = static_cast<Label*>(args.labels.data),
                              .tuning = {}};
  const ReduceArgs reduce{.problem = args.problem,
                          .points = args.points,
                          .labels = classify.labels,
                          .pivots = args.centroids,
                          .tuning = {}};
  const auto onePass = HWY_DYNAMIC_DISPATCH(onePassOfBlock);
  const Chunks parts = partsOf(args.problem);
  cpu::Partials partials(parts.count(), args.problem);
  forChunks(parts, context, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* const sums = partials.clearedSums(part);
    std::size_t changed = 0;
    forChunksInTurn(blocksOf(args.problem, end - begin), context, [&](std::size_t first, std::size_t last) {
      changed += onePass(classify, reduce, begin + first, begin + last, sums, partials.counts(part));
    });
    partials.changed(part) = static_cast<std::uint32_t>(changed);
  });
  partials.merge(args, context);
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, cpu_v3,
    {.family = "cpu",
     .tag = "v3",
     .name = "one pass on all cores",
     .idea = "Every thread adds a block of points to its sums while their labels are still in the cache.",
     .changed = ::lloyd::Changed::points},
    {.fused = ::lloyd::fused})
#endif

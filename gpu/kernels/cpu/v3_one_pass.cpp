// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v3: every thread takes part of the points and adds a block of them to its sums right after labelling
// it, while coordinates and labels are still in the nearest cache. Against v2: all cores, and memory is read
// once, not twice.
#include "gpu/cpu/blocks.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "gpu/kernels/kernel.hpp"

#include <vector>

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

/// The results of all parts, each part's own until the merge.
struct Partials {
  Partials(std::size_t parts, const Problem& problem)
      : values(problem.centroidValues()), clusters(static_cast<std::size_t>(problem.k)), sums(parts * values),
        counts(parts * clusters), changed(parts) {}
  std::size_t values;
  std::size_t clusters;
  std::vector<double> sums;           ///< [parts][k][d]
  std::vector<std::uint32_t> counts;  ///< [parts][k]
  std::vector<std::uint32_t> changed; ///< [parts]
};

/// Adds the parts up in their order, whichever thread made them.
void merge(const Partials& partials, const FusedArgs& args, const LaunchContext& context) {
  const std::size_t parts = partials.changed.size();
  for (const std::uint32_t changed : partials.changed)
    *args.changed += changed;
  forChunks({partials.values, 4096}, context, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t part = 0; part < parts; ++part)
      for (std::size_t i = begin; i < end; ++i)
        args.sums[i] += partials.sums[part * partials.values + i];
  });
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t i = 0; i < partials.clusters; ++i)
      args.counts[i] += partials.counts[part * partials.clusters + i];
}

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
  Partials partials(parts.count(), args.problem);
  forChunks(parts, context, [&](std::size_t part, std::size_t begin, std::size_t end) {
    std::size_t changed = 0;
    forChunksInTurn(blocksOf(args.problem, end - begin), context, [&](std::size_t first, std::size_t last) {
      changed += onePass(classify, reduce, begin + first, begin + last,
                         partials.sums.data() + part * partials.values,
                         partials.counts.data() + part * partials.clusters);
    });
    partials.changed[part] = static_cast<std::uint32_t>(changed);
  });
  merge(partials, args, context);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v4: distances as a matrix product. The nearest centroid has the greatest score x.c - |c|^2 / 2, one
// multiply-add a coordinate where a squared difference takes two instructions, and a tile of scores in
// registers shares every load. Points whose best scores are too near to tell apart get the distances
// themselves. Against v3: half the arithmetic and a fraction of the loads, for labels that are the same.
#include "gpu/cpu/blocks.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "gpu/kernels/cpu/partials.hpp"
#include "gpu/kernels/cpu/product_memory.hpp"
#include "gpu/kernels/kernel.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <string>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/kernels/cpu/v4_product.cpp"
// This compiles the rest of the file once for each target, so it comes before the vector code.
// clang-format off
#include <hwy/foreach_target.h>
#include "gpu/kernels/cpu/simd_product-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
void prepareForV4(const Problem& problem, const float* centroids, const cpu::ProductMemory& memory,
                  std::size_t first, std::size_t last) {
  prepareClusters(problem, centroids, memory, first, last);
}
cpu::BlockCounts classifyInV4(const ClassifyArgs& args, const cpu::ProductMemory& memory, float largest,
                              cpu::ProductBlock& block, std::size_t begin, std::size_t end) {
  return labelBlock(args, memory, largest, block, begin, end);
}
void addInV4(const Problem& problem, const float* pivots, const cpu::ProductBlock& block, std::size_t count,
             double* sums, std::uint32_t* counts) {
  addRecords(problem, pivots, block, count, sums, counts);
}
} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {
namespace {

HWY_EXPORT(prepareForV4);
HWY_EXPORT(classifyInV4);
HWY_EXPORT(addInV4);

/// The mean of the centroids, which lies near the points: the bound on rounding grows with the distance from
/// it.
void findShift(const Problem& problem, const float* centroids, float* shift) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::vector<double> sums(d);
  for (std::size_t at = 0; at < problem.centroidValues(); at += d)
    for (std::size_t j = 0; j < d; ++j)
      sums[j] += static_cast<double>(centroids[at + j]);
  for (std::size_t j = 0; j < d; ++j)
    shift[j] = static_cast<float>(sums[j] / problem.k);
}

/// A launch's view of its centroids, and of the memory that its threads work in.
class Product {
public:
  Product(const Problem& problem, const float* centroids, const WorkMemory& work,
          const LaunchContext& context)
      : problem_(problem), memory_(work.scratch, problem),
        blocks_([d = problem.d] { return cpu::ProductBlock(d); }) {
    findShift(problem, centroids, memory_.shift);
    const auto prepare = HWY_DYNAMIC_DISPATCH(prepareForV4);
    const auto k = static_cast<std::size_t>(problem.k);
    forChunks({k, cpu::preparedClusters}, context, [&](std::size_t, std::size_t first, std::size_t last) {
      prepare(problem, centroids, memory_, first, last);
    });
    for (std::size_t c = 0; c < k; ++c)
      if (!(-2 * memory_.start[c] <= largest_)) largest_ = -2 * memory_.start[c];
  }

  /// Labels points begin .. end - 1, a block after the other on this thread, and calls
  /// then(block, count) after each.
  cpu::BlockCounts label(const ClassifyArgs& args, std::size_t begin, std::size_t end,
                         const LaunchContext& context, const auto& then) {
    const auto classifyBlock = HWY_DYNAMIC_DISPATCH(classifyInV4);
    cpu::ProductBlock& block = blocks_.local();
    cpu::BlockCounts all;
    forChunksInTurn({end - begin, cpu::productBlock(problem_.d)}, context,
                    [&](std::size_t first, std::size_t last) {
                      const cpu::BlockCounts counts =
                          classifyBlock(args, memory_, largest_, block, begin + first, begin + last);
                      all.changed += counts.changed;
                      all.rechecked += counts.rechecked;
                      then(block, last - first);
                    });
    return all;
  }

private:
  Problem problem_;
  cpu::ProductMemory memory_;
  float largest_ = 0; ///< of the squared norms of the shifted centroids; not a number is the largest
  oneapi::tbb::enumerable_thread_specific<cpu::ProductBlock> blocks_;
};

void classify(const ClassifyArgs& args, LaunchContext& context) {
  Product product(args.problem, args.centroids, args.work, context);
  const Chunks parts = partsOf(args.problem, worthOfTiles);
  std::vector<cpu::BlockCounts> counts(parts.count());
  forChunks(parts, context, [&](std::size_t part, std::size_t begin, std::size_t end) {
    counts[part] = product.label(args, begin, end, context, [](const cpu::ProductBlock&, std::size_t) {});
  });
  for (const cpu::BlockCounts& count : counts) {
    *args.changed += static_cast<std::uint32_t>(count.changed);
    if (args.rechecked) *args.rechecked += static_cast<std::uint32_t>(count.rechecked);
  }
}

void fused(const FusedArgs& args, LaunchContext& context) {
  const ClassifyArgs classify{.problem = args.problem,
                              .points = args.points,
                              .centroids = args.centroids,
                              .oldLabels = static_cast<const Label*>(args.oldLabels.data),
                              .labels = static_cast<Label*>(args.labels.data),
                              .tuning = {}};
  Product product(args.problem, args.centroids, args.work, context);
  const auto add = HWY_DYNAMIC_DISPATCH(addInV4);
  const Chunks parts = partsOf(args.problem, worthOfTiles);
  cpu::Partials partials(parts.count(), args.problem);
  std::vector<std::size_t> rechecked(parts.count());
  forChunks(parts, context, [&](std::size_t part, std::size_t begin, std::size_t end) {
    double* const sums = partials.clearedSums(part);
    const cpu::BlockCounts counts =
        product.label(classify, begin, end, context, [&](const cpu::ProductBlock& block, std::size_t count) {
          add(args.problem, args.centroids, block, count, sums, partials.counts(part));
        });
    partials.changed(part) = static_cast<std::uint32_t>(counts.changed);
    rechecked[part] = counts.rechecked;
  });
  for (const std::size_t count : rechecked)
    if (args.rechecked) *args.rechecked += static_cast<std::uint32_t>(count);
  partials.merge(args, context);
}

WorkBytes workBytes(const Problem& problem, const Tuning&) {
  return {.scratch = cpu::ProductMemory(nullptr, problem).words * sizeof(float)};
}

Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo&, const Tuning&) {
  if (problem.d < 2)
    return variant.id() +
           " compares by products, which need 2 dimensions or more: cpu.v2 and cpu.v3 take one";
  if (problem.d <= cpu::mostProductDimensions) return std::nullopt;
  return variant.id() + " bounds its rounding for up to " + std::to_string(cpu::mostProductDimensions) +
         " dimensions, the data has " + std::to_string(problem.d) + ": cpu.v2 and cpu.v3 take any";
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, cpu_v4,
    {.family = "cpu",
     .tag = "v4",
     .name = "product",
     .idea =
         "Distances become a matrix product in registers, and points too near to call are looked at again.",
     .changed = ::lloyd::Changed::points,
     .canRun = ::lloyd::canRun,
     .workBytes = ::lloyd::workBytes},
    {.classify = ::lloyd::classify, .fused = ::lloyd::fused})
#endif

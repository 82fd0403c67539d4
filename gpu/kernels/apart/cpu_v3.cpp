// SPDX-License-Identifier: GPL-3.0-or-later
// The step from cpu.v2 to cpu.v3, taken apart: each of its three changes is a switch. With all switches off
// it is V2, which labels all points in one thread and then adds them up; with all on it is V3.
//
// What to look at: `lloydscope apart cpu.v3` races all of them and shares the gain out. Without sums of their
// own, threads take turns at one table of sums under a lock, so that the order in which parts are added is
// another one each time; and a single thread gains nothing by them.
#include "gpu/core/contract/step.hpp"
#include "gpu/cpu/blocks.hpp"
#include "gpu/cpu/simd_target.hpp"
#include "gpu/kernels/cpu/partials.hpp"
#include "gpu/kernels/kernel.hpp"

#include <atomic>
#include <mutex>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gpu/kernels/apart/cpu_v3.cpp"
// This compiles the rest of the file once for each target, so it comes before the vector code.
// clang-format off
#include <hwy/foreach_target.h>
#include "gpu/kernels/cpu/simd_labels-inl.hpp"
#include "gpu/kernels/cpu/simd_sums-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
std::size_t classifyApart(const ClassifyArgs& args, std::size_t begin, std::size_t end) {
  return classifyBlock(args, begin, end);
}
void accumulateApart(const ReduceArgs& args, std::size_t begin, std::size_t end, double* sums,
                     std::uint32_t* counts) {
  accumulateBlock(args, begin, end, sums, counts);
}
} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {
namespace {

HWY_EXPORT(classifyApart);
HWY_EXPORT(accumulateApart);

enum Change : unsigned { allCores = 1, ownSums = 2, onePass = 4 };

/// The work of one launch, with the switches as a constant.
template <unsigned Switches>
class Pass {
public:
  Pass(const FusedArgs& args, const LaunchContext& context)
      : args_(args), context_(context), classify_{.problem = args.problem,
                                                  .points = args.points,
                                                  .centroids = args.centroids,
                                                  .oldLabels = static_cast<const Label*>(args.oldLabels.data),
                                                  .labels = static_cast<Label*>(args.labels.data),
                                                  .tuning = {}},
        reduce_{.problem = args.problem,
                .points = args.points,
                .labels = classify_.labels,
                .pivots = args.centroids,
                .tuning = {}} {}

  void run() {
    const Chunks parts =
        has(allCores) || has(ownSums) ? partsOf(args_.problem) : Chunks{args_.problem.n, args_.problem.n + 1};
    std::optional<cpu::Partials> partials;
    if constexpr (has(ownSums)) partials.emplace(parts.count(), args_.problem);
    const auto sumsOf = [&](std::size_t part) { return partials ? partials->clearedSums(part) : args_.sums; };
    const auto countsOf = [&](std::size_t part) { return partials ? partials->counts(part) : args_.counts; };
    if constexpr (has(onePass)) {
      forParts(parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
        work(begin, end, true, true, sumsOf(part), countsOf(part));
      });
    } else {
      forParts(parts, [&](std::size_t, std::size_t begin, std::size_t end) {
        work(begin, end, true, false, nullptr, nullptr);
      });
      forParts(parts, [&](std::size_t part, std::size_t begin, std::size_t end) {
        work(begin, end, false, true, sumsOf(part), countsOf(part));
      });
    }
    *args_.changed += changed_.load();
    if constexpr (has(ownSums)) partials->merge(args_, context_);
  }

private:
  static constexpr bool has(Change change) { return (Switches & change) != 0; }

  void forParts(const Chunks& parts, const auto& body) {
    if constexpr (has(allCores))
      forChunks(parts, context_, body);
    else
      for (std::size_t part = 0; part < parts.count(); ++part)
        body(part, parts.begin(part), parts.end(part));
  }

  /// Labels the points of a part, adds them up, or does both, block after block.
  void work(std::size_t begin, std::size_t end, bool labels, bool adds, double* sums, std::uint32_t* counts) {
    const auto classifyBlock = HWY_DYNAMIC_DISPATCH(classifyApart);
    const auto accumulateBlock = HWY_DYNAMIC_DISPATCH(accumulateApart);
    std::size_t changed = 0;
    forChunksInTurn(blocksOf(args_.problem, end - begin), context_, [&](std::size_t first, std::size_t last) {
      if (labels) changed += classifyBlock(classify_, begin + first, begin + last);
      if (!adds) return;
      std::unique_lock lock(mutex_, std::defer_lock);
      if constexpr (has(allCores) && !has(ownSums)) lock.lock();
      accumulateBlock(reduce_, begin + first, begin + last, sums, counts);
    });
    changed_ += static_cast<std::uint32_t>(changed);
  }

  const FusedArgs& args_;
  const LaunchContext& context_;
  ClassifyArgs classify_;
  ReduceArgs reduce_;
  std::atomic<std::uint32_t> changed_{0};
  std::mutex mutex_; ///< of the sums that all threads add to
};

template <unsigned Switches>
void fused(const FusedArgs& args, LaunchContext& context) {
  Pass<Switches>(args, context).run();
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_STEP_ON(
    ::lloyd::Backend::cpu, cpu_v3,
    {.from = "cpu.v2",
     .to = "cpu.v3",
     .stage = ::lloyd::Stage::fused,
     .switches = {{"all cores", "Every core takes parts of the points, and not one thread all of them."},
                  {"sums of their own",
                   "Each part of the points has sums of its own, which are merged at the end; without them "
                   "there is one table of sums, and threads wait for each other to add to it."},
                  {"one pass",
                   "A block of points is added to its sums right after it was labelled, while it is still in "
                   "the nearest cache."}},
     .changed = ::lloyd::Changed::points},
    ::lloyd::everyCombination<3>([](auto switches) {
      return ::lloyd::Launchers{.fused = ::lloyd::fused<switches>};
    }))
#endif

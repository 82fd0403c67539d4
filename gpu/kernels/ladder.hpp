// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What stands around the kernels of classify and reduce: how they are launched, and what they cannot take.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/limits.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

/// Threads for all points, of which each takes tuning.items, or one where the variant has no such parameter.
[[nodiscard]] inline LaunchShape shapeOf(const Problem& problem, const Tuning& tuning,
                                         std::size_t sharedBytes) {
  const auto perBlock =
      static_cast<std::size_t>(tuning.block) * static_cast<std::size_t>(std::max(tuning.items, 1));
  return {blocksFor(problem.n, perBlock), tuning.block, sharedBytes};
}

/// sizes: the kernel's arguments behind n.
void launchClassify(const ClassifyArgs& args, LaunchContext& context, std::size_t sharedBytes, auto kernel,
                    auto... sizes) {
  const Problem& problem = args.problem;
  launchKernel(context, shapeOf(problem, args.tuning, sharedBytes), kernel,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
               global(args.labels, problem.n), global(args.changed, 1), problem.n, sizes...);
}

void launchReduce(const ReduceArgs& args, LaunchContext& context, const LaunchShape& shape, auto kernel,
                  auto... sizes) {
  const Problem& problem = args.problem;
  launchKernel(context, shape, kernel, global(args.points.data, pointExtent(problem, args.points.stride)),
               args.points.stride, global(args.labels, problem.n),
               global(args.pivots, problem.centroidValues()), global(args.sums, problem.centroidValues()),
               global(args.counts, static_cast<std::size_t>(problem.k)), problem.n, sizes...);
}
void launchReduce(const ReduceArgs& args, LaunchContext& context, std::size_t sharedBytes, auto kernel,
                  auto... sizes) {
  launchReduce(args, context, shapeOf(args.problem, args.tuning, sharedBytes), kernel, sizes...);
}

/// One link of the squared distance, squared as Arithmetic How says.
template <unsigned How>
LLOYD_DEVICE float addSquareAs(float distance, float x, float center) {
  if constexpr (How == static_cast<unsigned>(Arithmetic::pow))
    return static_cast<float>(distance + pow(x - center, 2));
  else if constexpr (How == static_cast<unsigned>(Arithmetic::powf))
    return distance + powf(x - center, 2.0F);
  else
    return addSquare(distance, x, center);
}

/// pow() and powf() take long to compile, so that a template for each number of dimensions has them for the
/// paper's own, one.
template <unsigned D, unsigned How>
constexpr bool isCompiled = D == 1 || How == static_cast<unsigned>(Arithmetic::multiply);

/// Calls action with the number of clusters as a constant if it is one of the usual ones, else with 0. With
/// pow() and powf() there is a kernel for the paper's own number alone.
template <unsigned How>
void dispatchClusters(int k, const auto& action) {
  using Usual = std::conditional_t<How != 0, OneOf<16>, OneOf<8, 10, 16>>;
  if (!dispatchInside(action, Usual{static_cast<unsigned>(k)})) action(std::integral_constant<unsigned, 0>{});
}

/// A block of 1024 threads leaves each 64 registers, too few to classify 8 points of more than one
/// coordinate.
constexpr unsigned mostClassifyThreads(unsigned d, unsigned items) { return d * items >= 16 ? 512 : 1024; }

/// Clusters go by in groups of tuning.unroll, and compilers load a group at once: a last one that is not full
/// has room for the clusters that it lacks.
[[nodiscard]] inline std::size_t centroidBytes(const Problem& problem, const Tuning& tuning) {
  const auto unroll = static_cast<std::size_t>(std::max(tuning.unroll, 1));
  return blocksFor(static_cast<std::size_t>(problem.k), unroll) * unroll *
         static_cast<std::size_t>(problem.d) * sizeof(float);
}

/// Of a kernel that keeps all centroids in shared memory.
[[nodiscard]] inline Reason centroidLimit(const Variant& variant, const Problem& problem,
                                          const DeviceInfo& device, const Tuning& tuning) {
  return sharedLimit(variant, "classify.general", "all centroids",
                     centroidBytes(problem, tuning) + staticSharedBytes, device);
}
/// Of one that copies a point to an array of most coordinates, too.
[[nodiscard]] inline Reason arrayLimit(const Variant& variant, const Problem& problem,
                                       const DeviceInfo& device, const Tuning& tuning, unsigned most) {
  if (problem.d > static_cast<int>(most))
    return variant.id() + " copies a point to an array of " + std::to_string(most) +
           " coordinates, the data has " + std::to_string(problem.d) + ": classify.general takes any";
  return centroidLimit(variant, problem, device, tuning);
}
/// Of one that is compiled for each number of dimensions, and keeps its points in registers.
[[nodiscard]] inline Reason templateLimit(const Variant& variant, const Problem& problem,
                                          const DeviceInfo& device, const Tuning& tuning) {
  if (auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  if (problem.d > 1 && tuning.arithmetic != Arithmetic::multiply)
    return variant.id() + " squares by " + std::string(name(tuning.arithmetic)) +
           " in one dimension alone, the data has " + std::to_string(problem.d) +
           ": classify.v1 and classify.v2 do so in any";
  const unsigned most =
      mostClassifyThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  if (auto reason = registerLimit(variant, problem, tuning, most)) return reason;
  return centroidLimit(variant, problem, device, tuning);
}

/// Of a reduction that is compiled for each number of dimensions.
[[nodiscard]] inline Reason reduceLimit(const Variant& variant, const Problem& problem, const DeviceInfo&,
                                        const Tuning&) {
  return dimensionLimit(variant, "reduce.general", problem);
}

} // namespace lloyd

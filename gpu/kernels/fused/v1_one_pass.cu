// SPDX-License-Identifier: GPL-3.0-or-later
// fused.v1, one pass: every point is read once, labelled, and added to its cluster's sum while its
// coordinates are still in registers. A reduction reads points and labels a second time; here that second
// reading, and one launch, are gone. Labels take one byte (two beyond 256 clusters), four of them in one
// store.
//
// The grid is as large as the card and no larger, so that a thread takes many points and its sums cost
// nothing until the end: a slot of its own for every cluster, in shared memory, which no other thread touches
// (private_sums.hpp); or, where there are too many clusters for that, integers that the block shares
// (shared_sums.hpp). Blocks add theirs up as integers, and the last one to end hands the sums over: no order
// of blocks shows in the result. What it costs: shared memory, and with it threads in flight. What to look
// at: bytes a point, which are the least there can be, against the time; the rest is the distances, about 7
// instructions a point and cluster at D = 2, which is what fused.v2 does away with.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/centers.hpp"
#include "gpu/kernels/fused/nearest.hpp"
#include "gpu/kernels/fused/pass.hpp"
#include "gpu/kernels/limits.hpp"

namespace lloyd {
namespace {

using namespace fused;

/// Private: sums in slots; else in copies of a table.
template <unsigned D, unsigned Vectors, class Stored, bool Private>
LLOYD_KERNEL_UP_TO(512)
fused_v1(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float4) vectors, std::size_t stride,
         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL_TWICE(const Stored) oldLabels,
         LLOYD_GLOBAL_TWICE(const unsigned) oldWords, LLOYD_GLOBAL_TWICE(Stored) labels,
         LLOYD_GLOBAL_TWICE(unsigned) words, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) sums,
         LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) ticket,
         LLOYD_GLOBAL(unsigned long long) totals, std::size_t n, unsigned k, unsigned copies,
         std::size_t sumBytes, Bounds bounds) {
  LLOYD_DYNAMIC_SHARED(float2, pairs, sumBytes, D == 1 ? 0 : k);
  LLOYD_DYNAMIC_SHARED(float, values, sumBytes + (D == 1 ? 0 : k * sizeof(float2)), D == 2 ? 0 : k);
  const auto centers = loadCenters<D>(centroids, values, pairs, k);
  pass<D, Vectors, Stored, Private, false>(
      points, vectors, stride, centroids, oldLabels, oldWords, labels, words, changed, sums, counts, ticket,
      totals, n, k, copies, bounds,
      [&](const float(&x)[Vectors][perVector][D], unsigned(&label)[Vectors][perVector],
          float(&deviation)[Vectors][perVector][D]) {
        nearestOf<D, Vectors>(centers, k, x, label, deviation);
        return 0u;
      },
      [](const float(&)[D], unsigned&, float(&)[D]) {});
}

void launch(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t n = problem.n;
  const std::size_t extent = pointExtent(problem, args.points.stride);
  const std::size_t beside = besideSums(problem);
  const int block = args.tuning.block;
  const SumShape sums = SumShape::of(problem, block, context.sharedBytesPerBlock - beside);
  const std::size_t sharedBytes = sums.bytes + beside - staticSharedBytes;
  const std::size_t perBlock = static_cast<std::size_t>(block) * static_cast<std::size_t>(args.tuning.items);
  auto* const ticket = reinterpret_cast<unsigned*>(args.work.cleared);
  auto* const totals = reinterpret_cast<unsigned long long*>(args.work.cleared + ticketBytes);

  const auto launchAs = [&]<class Stored>(auto kernel, Stored* labels) {
    const std::size_t blocks =
        std::min(blocksFor(n, perBlock), blocksAtOnce(context, kernel, block, sharedBytes));
    const std::size_t wordCount = n * sizeof(Stored) / sizeof(unsigned);
    launchKernel(context, {blocks, block, sharedBytes}, kernel, global(args.points.data, extent),
                 global(reinterpret_cast<const float4*>(args.points.data), extent / perVector),
                 args.points.stride, global(args.centroids, problem.centroidValues()),
                 global(static_cast<const Stored*>(args.oldLabels.data), n),
                 global(static_cast<const unsigned*>(args.oldLabels.data), wordCount), global(labels, n),
                 global(static_cast<unsigned*>(args.labels.data), wordCount), global(args.changed, 1),
                 global(args.sums, problem.centroidValues()),
                 global(args.counts, static_cast<std::size_t>(problem.k)), global(ticket, 1),
                 global(totals, problem.centroidValues()), n, problem.k, sums.copies, sums.bytes,
                 boundsOf(args.points.box, problem.d));
  };
  const auto launchFor = [&](auto d, auto items) {
    constexpr unsigned vectors = items / perVector;
    if (args.labels.width == LabelWidth::two)
      launchAs(fused_v1<d, vectors, std::uint16_t, false>, static_cast<std::uint16_t*>(args.labels.data));
    else if (sums.isPrivate)
      launchAs(fused_v1<d, vectors, std::uint8_t, true>, static_cast<std::uint8_t*>(args.labels.data));
    else
      launchAs(fused_v1<d, vectors, std::uint8_t, false>, static_cast<std::uint8_t*>(args.labels.data));
  };
  dispatch(launchFor, oneOf<1, 2, 3>(problem.d), oneOf<4, 8>(args.tuning.items));
}

std::optional<std::string> canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
                                  const Tuning& tuning) {
  if (const auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  const std::size_t beside = besideSums(problem);
  const std::size_t room = device.sharedBytesPerBlock > beside ? device.sharedBytesPerBlock - beside : 0;
  const SumShape sums = SumShape::of(problem, tuning.block, room);
  if (!sums.isPrivate && sums.copies == 0)
    return sharedLimit(variant, "reduce.general", "a sum of every cluster",
                       static_cast<std::size_t>(problem.k) *
                               (tableWidth(static_cast<unsigned>(problem.d)) * sizeof(int) +
                                static_cast<std::size_t>(problem.d + 1) * sizeof(long long)) +
                           beside,
                       device);
  return std::nullopt;
}

WorkBytes workBytes(const Problem& problem, const Tuning&) { return {totalsBytes(problem), 0}; }

} // namespace

LLOYD_REGISTER(
    fused_v1,
    {.family = "fused",
     .tag = "v1",
     .name = "one pass",
     .idea = "A point is read once: labelled, then added to its cluster's sum while it is still in "
             "registers.",
     .changed = Changed::points,
     .narrowLabels = true,
     .parameters = {{"block", {64, 128, 256, 512}, 512}, {"items", {4, 8}, 4}},
     .canRun = canRun,
     .workBytes = workBytes},
    {.fused = launch})

} // namespace lloyd

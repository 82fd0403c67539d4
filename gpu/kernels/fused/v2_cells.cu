// SPDX-License-Identifier: GPL-3.0-or-later
// fused.v2, cells: fused.v1 with a table in place of most distances. A first, small kernel finds for every
// cell of a grid over the points' box which centroids can be the nearest there (cells.hpp); the pass then
// looks a point's cell up, in shared memory, and asks the one or two centroids that it names. The labels are
// the same to the last bit, because a cell keeps all that rounding could favour.
//
// Against v1: the instructions a point no longer grow with K, so that up to 256 clusters cost nearly what 16
// do, and what remains is memory. What it costs: the table's share of shared memory, which is taken from the
// sums; one more launch; and below about a million points the making of the table is more than it saves. What
// to look at: time against K, beside v1's; the per cent of the limit.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/cells.hpp"
#include "gpu/kernels/fused/pass.hpp"
#include "gpu/kernels/limits.hpp"

namespace lloyd {
namespace {

using namespace fused;

constexpr int tableThreads = 128;
constexpr std::size_t leastCells = 256;

/// Making a cell costs what a few points do, so few points have few cells.
constexpr std::size_t mostCells(std::size_t n) { return n / 4 > 1024 ? n / 4 : 1024; }

/// Entries travel to shared memory two at a time.
constexpr std::size_t tableWords(std::size_t cells) { return (cells + 1) / 2; }

template <unsigned D>
LLOYD_KERNEL fused_v2_table(LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(Entry) entries,
                            LLOYD_GLOBAL(List) lists, unsigned k, std::size_t cellCount, Cells cells) {
  const std::size_t cell = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (cell >= cellCount) return;
  const Candidates candidates = candidatesOf<D>(cells, cell, centroids, k);
  entries[cell] = candidates.entry;
  lists[cell] = candidates.list;
}

/// Registers for the points that a thread has on their way and at work leave room for so many threads.
constexpr unsigned mostThreads(unsigned d, unsigned items) {
  return d == 1 ? 768 : d * items <= 12 ? 640 : d * items <= 16 ? 512 : 384;
}

template <unsigned D, unsigned Vectors, bool Private>
LLOYD_KERNEL_UP_TO(mostThreads(D, Vectors* perVector))
fused_v2(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float4) vectors, std::size_t stride,
         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const unsigned) entryWords,
         LLOYD_GLOBAL(const List) lists, LLOYD_GLOBAL_TWICE(const std::uint8_t) oldLabels,
         LLOYD_GLOBAL_TWICE(const unsigned) oldWords, LLOYD_GLOBAL_TWICE(std::uint8_t) labels,
         LLOYD_GLOBAL_TWICE(unsigned) words, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) sums,
         LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) ticket,
         LLOYD_GLOBAL(unsigned long long) totals, std::size_t n, unsigned k, unsigned copies,
         std::size_t sumBytes, unsigned cellCount, Bounds bounds, Cells cells) {
  const unsigned wordCount = (cellCount + 1) / 2;
  LLOYD_DYNAMIC_SHARED(float2, pairs, sumBytes, D == 1 ? 0 : k);
  LLOYD_DYNAMIC_SHARED(float, values, sumBytes + (D == 1 ? 0 : k * sizeof(float2)), D == 2 ? 0 : k);
  const std::size_t entriesAt = sumBytes + (k * D * sizeof(float) + 15) / 16 * 16;
  LLOYD_DYNAMIC_SHARED(unsigned, entryPairs, entriesAt, wordCount);
  LLOYD_DYNAMIC_SHARED(Entry, entries, entriesAt, cellCount);
  for (unsigned v = threadIdx.x; v < wordCount; v += blockDim.x)
    entryPairs[v] = entryWords[v];
  const auto centers = loadCenters<D>(centroids, values, pairs, k);
  pass<D, Vectors, std::uint8_t, Private, true>(
      points, vectors, stride, centroids, oldLabels, oldWords, labels, words, changed, sums, counts, ticket,
      totals, n, k, copies, bounds,
      [&](const float(&x)[Vectors][perVector][D], unsigned(&label)[Vectors][perVector],
          float(&deviation)[Vectors][perVector][D]) {
        Entry entry[Vectors][perVector];
        LLOYD_UNROLL
        for (unsigned r = 0; r < Vectors; ++r)
          LLOYD_UNROLL
        for (unsigned m = 0; m < perVector; ++m)
          entry[r][m] = entries[cellOf<D>(cells, x[r][m])];
        unsigned waits = 0;
        LLOYD_UNROLL
        for (unsigned r = 0; r < Vectors; ++r) {
          // In one dimension hardly a cell of thousands has two; in more, some point of a warp always meets
          // one.
          bool isDone = D == 1;
          if constexpr (D == 1) {
            LLOYD_UNROLL
            for (unsigned m = 0; m < perVector; ++m) {
              const bool isOne = labelOfOne<D>(centers, entry[r][m], x[r][m], label[r][m], deviation[r][m]);
              isDone = isDone && isOne;
            }
          }
          if (isDone) continue;
          LLOYD_UNROLL
          for (unsigned m = 0; m < perVector; ++m)
            if (!labelOfTwo<D>(centers, entry[r][m], x[r][m], label[r][m], deviation[r][m]))
              waits |= 1u << (r * perVector + m);
        }
        return waits;
      },
      [&](const float(&x)[D], unsigned& label, float(&deviation)[D]) {
        labelOfMany<D>(centers, entries, lists, k, cellOf<D>(cells, x), x, label, deviation);
      });
}

/// How a block's shared memory is divided: sums and points that wait, centers, cells.
struct Shape {
  SumShape sums;
  std::size_t sumBytes = 0; ///< of the sums and of the points that wait
  unsigned perAxis = 0;
  std::size_t cells = 0;
  std::size_t bytes = 0;
};
Shape shapeOf(const Problem& problem, int block, std::size_t sharedBytes) {
  const std::size_t centers = (centerBytes(problem) + 15) / 16 * 16;
  const std::size_t waiting = problem.d == 1 ? waitingBytes<1>(block) : waitingBytes<2>(block);
  const std::size_t least = centers + waiting + leastCells * sizeof(Entry) + staticSharedBytes;
  Shape shape;
  if (sharedBytes < least) return shape;
  shape.sums = SumShape::of(problem, block, sharedBytes - least);
  if (!shape.sums.isPrivate && shape.sums.copies == 0) return shape;
  shape.sumBytes = shape.sums.bytes + waiting;
  const std::size_t room = sharedBytes - staticSharedBytes - centers - shape.sumBytes;
  shape.perAxis = cellsPerAxis(problem.d, std::min(room / sizeof(unsigned) * 2, mostCells(problem.n)));
  shape.cells = cellCount(shape.perAxis, problem.d);
  shape.bytes = shape.sumBytes + centers + tableWords(shape.cells) * sizeof(unsigned);
  return shape;
}

void launch(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t n = problem.n;
  const std::size_t extent = pointExtent(problem, args.points.stride);
  const int block = args.tuning.block;
  const Shape shape = shapeOf(problem, block, context.sharedBytesPerBlock);
  const Cells cells = cellsOf(args.points.box, problem.d, shape.perAxis);
  const std::size_t perBlock = static_cast<std::size_t>(block) * static_cast<std::size_t>(args.tuning.items);
  const auto centroids = global(args.centroids, problem.centroidValues());
  auto* const lists = reinterpret_cast<List*>(args.work.scratch);
  auto* const entries = reinterpret_cast<Entry*>(lists + shape.cells);
  auto* const ticket = reinterpret_cast<unsigned*>(args.work.cleared);
  auto* const totals = reinterpret_cast<unsigned long long*>(args.work.cleared + ticketBytes);
  auto* const labels = static_cast<std::uint8_t*>(args.labels.data);

  const auto launchAs = [&](auto makeTable, auto kernel) {
    launchKernel(context, {blocksFor(shape.cells, tableThreads), tableThreads}, makeTable, centroids,
                 global(entries, shape.cells), global(lists, shape.cells), problem.k, shape.cells, cells);
    const std::size_t blocks =
        std::min(blocksFor(n, perBlock), blocksAtOnce(context, kernel, block, shape.bytes));
    const std::size_t wordCount = n / perVector;
    launchKernel(
        context, {blocks, block, shape.bytes}, kernel, global(args.points.data, extent),
        global(reinterpret_cast<const float4*>(args.points.data), extent / perVector), args.points.stride,
        centroids, global(reinterpret_cast<const unsigned*>(entries), tableWords(shape.cells)),
        global(static_cast<const List*>(lists), shape.cells),
        global(static_cast<const std::uint8_t*>(args.oldLabels.data), n),
        global(static_cast<const unsigned*>(args.oldLabels.data), wordCount), global(labels, n),
        global(static_cast<unsigned*>(args.labels.data), wordCount), global(args.changed, 1),
        global(args.sums, problem.centroidValues()), global(args.counts, static_cast<std::size_t>(problem.k)),
        global(ticket, 1), global(totals, problem.centroidValues()), n, problem.k, shape.sums.copies,
        shape.sumBytes, shape.cells, boundsOf(args.points.box, problem.d), cells);
  };
  const auto launchFor = [&](auto d, auto items) {
    if (shape.sums.isPrivate)
      launchAs(fused_v2_table<d>, fused_v2<d, items / perVector, true>);
    else
      launchAs(fused_v2_table<d>, fused_v2<d, items / perVector, false>);
  };
  dispatch(launchFor, oneOf<1, 2, 3>(problem.d), oneOf<4, 8>(args.tuning.items));
}

std::optional<std::string> canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
                                  const Tuning& tuning) {
  if (const auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  if (problem.k > 256)
    return "fused.v2 names centroids by bytes, so it takes up to 256 clusters, and there are " +
           std::to_string(problem.k) + ": fused.v1 takes more";
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  if (auto reason = registerLimit(variant, problem, tuning, most)) return reason;
  const Shape shape = shapeOf(problem, tuning.block, device.sharedBytesPerBlock);
  if (shape.cells < leastCells)
    return "fused.v2 keeps a table of cells in shared memory beside the sums, and " + device.name +
           " has too little of it for " + std::to_string(problem.k) + " clusters";
  return std::nullopt;
}

WorkBytes workBytes(const Problem& problem, const Tuning&) {
  const std::size_t most = cellCount(cellsPerAxis(problem.d, std::size_t{1} << 20), problem.d);
  return {totalsBytes(problem), most * sizeof(List) + tableWords(most) * sizeof(unsigned)};
}

} // namespace

LLOYD_REGISTER(fused_v2,
               {.family = "fused",
                .tag = "v2",
                .name = "cells",
                .idea = "A table of cells names the one or two centroids that can be nearest, so that few "
                        "distances remain.",
                .changed = Changed::points,
                .narrowLabels = true,
                .parameters = {{"block", {128, 256, 384, 512, 576, 640, 768}, 640}, {"items", {4, 8}, 4}},
                .canRun = canRun,
                .workBytes = workBytes},
               {.fused = launch})

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// reduce.general: any number of clusters and dimensions. A block takes a run of points and a group of
// coordinates, adds them up by atomics in a table in shared memory, and gives the table to global memory
// once. A table that would not fit is cut by coordinates; the labels are read again for each group. Few
// clusters would mean that the lanes of a warp keep meeting at one address, so the table is kept in up to 32
// copies, a lane adding to the copy of its own number.
//
// Where even one coordinate of all clusters does not fit, points are added to global memory directly: with so
// many clusters, hardly two of them meet. What it costs: a compare-and-swap for every value, and one global
// addition for every table entry of every block. What to look at: the time against K at D = 64, beside
// reduce.v7's at D = 3.
#include "gpu/kernels/ladder.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t tableEntries = 12 * 1024; // 48 KiB, which every card gives a block
constexpr std::size_t mostCopies = 32;

/// One block adds points [run * pointsPerBlock, ...) to coordinates [group * width, ...), where groups blocks
/// share a run. The table is [cluster][1 + width][copies]: a count, as the bits of an unsigned, then the
/// sums.
LLOYD_KERNEL_UP_TO(512)
reduce_general_table(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) labels,
                     LLOYD_GLOBAL(const float) pivots, LLOYD_GLOBAL(double) sums,
                     LLOYD_GLOBAL(unsigned) counts, std::size_t n, unsigned d, unsigned k, unsigned width,
                     unsigned groups, unsigned copies, std::size_t pointsPerBlock) {
  LLOYD_DYNAMIC_SHARED(unsigned, tableCount, 0, k* copies);
  LLOYD_DYNAMIC_SHARED(float, tableSum, k* copies * sizeof(unsigned), k * width * copies);
  const unsigned group = blockIdx.x % groups;
  const std::size_t begin = static_cast<std::size_t>(blockIdx.x / groups) * pointsPerBlock;
  const std::size_t end = begin + pointsPerBlock < n ? begin + pointsPerBlock : n;
  const unsigned firstRow = group * width;
  const unsigned rows = d - firstRow < width ? d - firstRow : width;
  const unsigned copy = threadIdx.x % copies;

  for (unsigned v = threadIdx.x; v < k * copies; v += blockDim.x)
    tableCount[v] = 0;
  for (unsigned v = threadIdx.x; v < k * width * copies; v += blockDim.x)
    tableSum[v] = 0;
  __syncthreads();

  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const Label label = labels[i];
    const auto c = static_cast<unsigned>(label);
    if (group == 0) atomicAdd(&tableCount[c * copies + copy], 1u);
    for (unsigned j = 0; j < rows; ++j) {
      const std::size_t row = firstRow + j;
      const float deviation = points[row * stride + i] - pivots[static_cast<std::size_t>(c) * d + row];
      atomicAdd(&tableSum[(c * width + j) * copies + copy], deviation);
    }
  }
  __syncthreads();

  // Lanes begin with different copies: from the same one, their addresses would lie in few banks.
  const unsigned turn = threadIdx.x * copies / 32;
  for (unsigned v = threadIdx.x; v < k * width; v += blockDim.x) {
    const unsigned j = v % width;
    double sum = 0;
    for (unsigned r = 0; r < copies; ++r)
      sum += static_cast<double>(tableSum[v * copies + (r + turn) % copies]);
    if (j < rows && sum != 0) atomicAdd(&sums[static_cast<std::size_t>(v / width) * d + firstRow + j], sum);
  }
  if (group != 0) return;
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    unsigned count = 0;
    for (unsigned r = 0; r < copies; ++r)
      count += tableCount[c * copies + (r + turn) % copies];
    if (count > 0) atomicAdd(&counts[c], count);
  }
}

LLOYD_KERNEL reduce_general_direct(LLOYD_GLOBAL(const float) points, std::size_t stride,
                                   LLOYD_GLOBAL(const Label) labels, LLOYD_GLOBAL(const float) pivots,
                                   LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts, std::size_t n,
                                   unsigned d) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Label label = labels[i];
  const auto c = static_cast<std::size_t>(label);
  atomicAdd(&counts[c], 1u);
  for (unsigned j = 0; j < d; ++j) {
    const float deviation = points[j * stride + i] - pivots[c * d + j];
    atomicAdd(&sums[c * d + j], static_cast<double>(deviation));
  }
}

/// Copies first, because turns at one address cost more than reading the labels again, but never fewer than 8
/// rows for a copy's sake. Then groups of equal width.
struct TableShape {
  std::size_t copies = 1;
  std::size_t width = 0; ///< coordinates in a table; 0 when one does not fit
  std::size_t groups = 1;
};
TableShape tableShape(std::size_t d, std::size_t k) {
  TableShape shape;
  const std::size_t wanted = std::min<std::size_t>(d, 8);
  while (shape.copies < mostCopies && k * (wanted + 1) * shape.copies * 2 <= tableEntries)
    shape.copies *= 2;
  const std::size_t most = tableEntries / (k * shape.copies);
  if (most < 2) return shape;
  shape.groups = (d + most - 2) / (most - 1);
  shape.width = (d + shape.groups - 1) / shape.groups;
  return shape;
}

void launch(const ReduceArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto k = static_cast<std::size_t>(problem.k);
  const TableShape table = tableShape(static_cast<std::size_t>(problem.d), k);
  if (table.width == 0) return launchReduce(args, context, 0, reduce_general_direct, problem.d);
  const std::size_t entries = k * (table.width + 1) * table.copies;
  // Enough points that filling the table outweighs emptying it, few enough that a small problem has many
  // blocks and that float sums stay exact enough.
  const std::size_t pointsPerBlock =
      std::max({std::size_t{4096}, 8 * k, std::min<std::size_t>(problem.n / 2048, 65536)});
  const LaunchShape shape{blocksFor(problem.n, pointsPerBlock) * table.groups, args.tuning.block,
                          entries * sizeof(float)};
  launchReduce(args, context, shape, reduce_general_table, problem.d, problem.k, table.width, table.groups,
               table.copies, pointsPerBlock);
}

} // namespace

LLOYD_REGISTER(
    reduce_general,
    {.family = "reduce",
     .tag = "general",
     .name = "any K and D",
     .idea =
         "Shared atomics on a table that is cut by coordinates when it is large and copied when it is small.",
     .parameters = {{"block", {32, 64, 128, 256, 512}, 512}}},
    {.reduce = launch})

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// layout.v1, one thread an element: a file holds points as records, x, y, z, x, y, z, ..., and kernels want
// rows, all x, then all y, then all z. A thread moves one coordinate of one point: neighbouring threads write
// neighbouring places of a row, so the 32 stores of a warp are 128 bytes in one piece.
//
// What it costs: what neighbouring threads read lies D floats apart. The memory system moves sectors of 32
// bytes whatever part of them is wanted: with D = 3 a warp's load touches 12 of them where 4 would hold as
// many values, and from D = 8 on a sector for every lane, seven eighths of it for nothing. Blocks of
// neighbouring coordinates run close together, so caches can save a part of that. What to look at: load
// sectors a request against store sectors a request, and the time against D = 1, which is a plain copy.
#include "gpu/kernels/kernel.hpp"

namespace lloyd {
namespace {

/// A block moves coordinate blockIdx.x % d of a run of blockDim.x points.
LLOYD_KERNEL layout_v1(LLOYD_GLOBAL(const float) records, LLOYD_GLOBAL(float) rows, std::size_t stride,
                       std::size_t n, unsigned d) {
  const unsigned j = blockIdx.x % d;
  const std::size_t i = static_cast<std::size_t>(blockIdx.x / d) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = records[i * d + j];
  rows[j * stride + i] = value;
}

void launch(const LayoutArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto threads = static_cast<std::size_t>(args.tuning.block);
  const LaunchShape shape{blocksFor(problem.n, threads) * static_cast<std::size_t>(problem.d),
                          args.tuning.block};
  launchKernel(context, shape, layout_v1, global(args.records, problem.pointValues()),
               global(args.rows, pointExtent(problem, args.stride)), args.stride, problem.n, problem.d);
}

} // namespace

LLOYD_REGISTER(layout_v1,
               {.family = "layout",
                .tag = "v1",
                .name = "one thread an element",
                .idea = "Every thread moves one value from a record to its row: stores are coalesced, loads "
                        "lie D floats apart.",
                .paper = "Multi-level parallelism paper",
                .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256}}},
               {.layout = launch})

} // namespace lloyd

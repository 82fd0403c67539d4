// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: a transposition that is right for every D but some.
//
// A block turns a tile of records into rows, as in layout.v2. With D = 1, 2 and 4 all is right. With D = 3
// places of the rows keep what was there before. Count the values of a tile for D = 3, and the turns that a
// block of 256 takes for them.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/kernel.hpp"

namespace lloyd {
namespace {

constexpr unsigned mostWidth = 32;    // coordinates in a tile
constexpr unsigned tileValues = 1024; // at most

/// Points in a tile, a multiple of 32 so that every row of it starts on a sector's border.
LLOYD_EVERYWHERE constexpr unsigned tilePoints(unsigned width) { return mostWidth / width * 32; }

/// A column is every width-th word. Its lanes come back to the bank of the first one when they have passed 32
/// times the odd part of width; a word is left free there, so that they go on one bank further.
LLOYD_EVERYWHERE constexpr unsigned wordsToPad(unsigned width) {
  while (width % 2 == 0)
    width /= 2;
  return 32 * width;
}

/// Block b moves tile b / groups of points, coordinates [b % groups * width, ...). Width = 0: the tile's
/// width is known only at run time.
template <unsigned Width>
LLOYD_KERNEL layout_v2(LLOYD_GLOBAL(const float) records, LLOYD_GLOBAL(float) rows, std::size_t stride,
                       std::size_t n, unsigned d, unsigned tileWidth, unsigned groups) {
  LLOYD_SHARED(float, tile, tileValues + tileValues / 32);
  const unsigned width = Width > 0 ? Width : tileWidth;
  const unsigned points = tilePoints(width);
  const unsigned pad = wordsToPad(width);
  const unsigned firstRow = blockIdx.x % groups * width;
  const std::size_t firstPoint = static_cast<std::size_t>(blockIdx.x / groups) * points;

  for (unsigned v = threadIdx.x; v < points * width; v += blockDim.x) {
    const std::size_t i = firstPoint + v / width;
    const unsigned j = firstRow + v % width;
    if (i >= n || j >= d) continue;
    const float value = records[i * d + j];
    tile[v + v / pad] = value;
  }
  __syncthreads();

  for (unsigned turn = 0; turn < points * width / blockDim.x; ++turn) {
    const unsigned v = turn * blockDim.x + threadIdx.x;
    const std::size_t i = firstPoint + v % points;
    const unsigned j = firstRow + v / points;
    if (i >= n || j >= d) continue;
    const unsigned at = v % points * width + v / points;
    const float value = tile[at + at / pad];
    rows[j * stride + i] = value;
  }
}

void launch(const LayoutArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto d = static_cast<unsigned>(problem.d);
  const unsigned groups = (d + mostWidth - 1) / mostWidth;
  const unsigned width = (d + groups - 1) / groups; // equal parts: 33 coordinates are 17 and 16, not 32 and 1
  const LaunchShape shape{blocksFor(problem.n, tilePoints(width)) * groups, args.tuning.block};
  const auto launchAs = [&](auto compiledWidth) {
    launchKernel(context, shape, layout_v2<compiledWidth>, global(args.records, problem.pointValues()),
                 global(args.rows, pointExtent(problem, args.stride)), args.stride, problem.n, problem.d,
                 width, groups);
  };
  if (!dispatch(launchAs, oneOf<1, 2, 3, 4, mostWidth>(width)))
    launchAs(std::integral_constant<unsigned, 0>{});
}

} // namespace

LLOYD_REGISTER(layout_v2,
               {.family = "layout",
                .tag = "v2",
                .name = "tiles in shared memory",
                .idea = "Blocks load tiles of records as they lie, turn them in padded shared memory, and "
                        "store them as rows: both sides are coalesced.",
                .paper = "Coalescing note",
                .parameters = {{"block", {64, 128, 256, 512, 1024}, 256}}},
               {.layout = launch})

} // namespace lloyd

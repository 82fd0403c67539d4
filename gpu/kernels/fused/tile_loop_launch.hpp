// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the kernel of tile_loop.hpp is launched.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/tile_loop.hpp"

namespace lloyd::fused {

/// The blocks are as large as the kernel's registers let them be, whatever the tuning parameter says.
static void launchTileLoop(const IterateArgs& args, LaunchContext& context) {
  const FusedArgs& pass = args.pass;
  const Problem& problem = pass.problem;
  const TileView& view = pass.tiles.view;
  const std::size_t tiles = view.count;
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  const std::size_t places = tiles * view.size;
  auto* const order = reinterpret_cast<unsigned*>(pass.work.scratch);
  const unsigned mixedWords = mixedWordsOf(static_cast<unsigned>(tiles));
  const std::size_t blocks = std::min(blocksFor(tiles, loopWarps), blocksTogether(context));
  const auto launchAs = [&](auto kernel, unsigned parts) {
    launchKernel(context, {blocks, static_cast<int>(loopThreads), loopSharedBytes(problem), true}, kernel,
                 global(view.low, tiles * d), global(view.high, tiles * d),
                 global(reinterpret_cast<const long long*>(view.sums), tiles * d),
                 global(reinterpret_cast<const float4*>(view.points), places * d / perVector),
                 global(pass.tiles.labels.tiles, tiles),
                 global(reinterpret_cast<unsigned*>(pass.tiles.labels.points), places / perVector),
                 global(args.centroids, problem.centroidValues()),
                 global(args.used, problem.centroidValues()), global(args.sizes, k), global(args.orders, 1),
                 global(args.outcome, 1), global(reinterpret_cast<unsigned*>(pass.work.cleared), 2),
                 global(reinterpret_cast<Sum*>(pass.work.cleared + ticketBytes), loopTotals(problem)),
                 global(order, tiles),
                 global(reinterpret_cast<std::uint8_t*>(order + tiles), mixedWords * inMixedWord),
                 global(static_cast<const unsigned*>(order + tiles), mixedWords), context.loop, problem.n,
                 problem.k, tiles, parts, lanesOfCluster(problem.d), view.fixed);
  };
  const auto launchFor = [&](auto D) {
    if constexpr (D == 3) { // below, few tiles wait, and two warps a tile are done sooner than one
      if (vectorsFor(view.size) == 2) return launchAs(fused_v3_loop<D, 2>, view.size / inPart<2>);
    }
    launchAs(fused_v3_loop<D, 1>, view.size / inPart<1>);
  };
  dispatch(launchFor, oneOf<1, 2, 3>(problem.d));
}

} // namespace lloyd::fused

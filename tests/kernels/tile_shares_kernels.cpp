// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/tile_shares_kernels.hpp"

#include "gpu/kernels/fused/tile_shares.hpp"

namespace lloyd::test {
namespace {

LLOYD_KERNEL begin(LLOYD_GLOBAL(unsigned) order, unsigned tiles) { fused::beginShares(order, tiles); }

LLOYD_KERNEL share(LLOYD_GLOBAL(const std::uint8_t) wasMixed, LLOYD_GLOBAL(unsigned) order, unsigned tiles) {
  LLOYD_SHARED(unsigned, mixedOfWarp, 32);
  fused::shareTiles(wasMixed, order, mixedOfWarp, tiles);
}

} // namespace

void shareTiles(LaunchContext& context, const std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                std::size_t blocks, int threads) {
  if (wasMixed == nullptr)
    launchKernel(context, {blocks, threads, 0}, begin, global(order, tiles), tiles);
  else
    launchKernel(context, {blocks, threads, 0}, share, global(wasMixed, tiles), global(order, tiles), tiles);
}

} // namespace lloyd::test

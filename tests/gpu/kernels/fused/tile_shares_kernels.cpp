// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/tile_shares_kernels.hpp"

#include "gpu/kernels/fused/tile_shares.hpp"

namespace lloyd::test {
namespace {

LLOYD_KERNEL begin(LLOYD_GLOBAL(unsigned) order, LLOYD_GLOBAL(std::uint8_t) wasMixed, unsigned tiles) {
  fused::beginShares(order, wasMixed, tiles);
}

LLOYD_KERNEL share(LLOYD_GLOBAL(const unsigned) mixedWords, LLOYD_GLOBAL(unsigned) order, unsigned tiles) {
  LLOYD_SHARED(unsigned, mixedOfWarp, 32);
  fused::shareTiles(mixedWords, order, mixedOfWarp, tiles);
}

} // namespace

std::size_t mixedBytes(unsigned tiles) {
  return std::size_t{fused::mixedWordsOf(tiles)} * fused::inMixedWord;
}

void beginShares(LaunchContext& context, std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                 const ShareShape& shape) {
  launchKernel(context, {shape.blocks, shape.threads, 0}, begin, global(order, tiles),
               global(wasMixed, mixedBytes(tiles)), tiles);
}

void shareTiles(LaunchContext& context, const std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                const ShareShape& shape) {
  launchKernel(context, {shape.blocks, shape.threads, 0}, share,
               global(reinterpret_cast<const unsigned*>(wasMixed), fused::mixedWordsOf(tiles)),
               global(order, tiles), tiles);
}

} // namespace lloyd::test

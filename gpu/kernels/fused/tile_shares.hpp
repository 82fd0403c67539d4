// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which block has which tiles where a launch goes on for many iterations. Mixed tiles take much longer than
// others, and an iteration is over when the block with most of them is done: of 31 tiles a block, two fifths
// of them mixed, that one has half as many again as the mean. Few tiles change between iterations, so what
// was mixed a while ago shares them nearly evenly.
#include "gpu/kernels/kernel.hpp"

namespace lloyd::fused {

/// What was mixed is a byte for each tile, 1 or 0, read four at a time; memory for it is a multiple of them.
inline constexpr unsigned inMixedWord = 4;
[[nodiscard]] LLOYD_EVERYWHERE constexpr unsigned mixedWordsOf(unsigned tiles) {
  return (tiles + inMixedWord - 1) / inMixedWord;
}

/// Block b has tiles order[b], order[b + gridDim.x], ...; each writes its own, and nobody reads others'.
/// Before anything is known that is every gridDim.x-th tile. wasMixed: bytes, of which those beyond all tiles
/// are cleared.
template <class Order, class WasMixed>
LLOYD_DEVICE void beginShares(const Order& order, const WasMixed& wasMixed, unsigned tiles) {
  for (unsigned at = blockIdx.x + gridDim.x * threadIdx.x; at < tiles; at += gridDim.x * blockDim.x)
    order[at] = at;
  const unsigned beyond = tiles + threadIdx.x;
  if (blockIdx.x == 0 && beyond < mixedWordsOf(tiles) * inMixedWord) wasMixed[beyond] = 0;
}

/// The iterations after which tiles are shared anew: 1, 4, 16, 64, ...
LLOYD_DEVICE bool sharesAfter(unsigned iteration) {
  return (iteration & (iteration - 1)) == 0 && (iteration & 0x55555555u) != 0;
}

/// Mixed tiles first, each kind in its own order, dealt out in turn. mixedWords: what was mixed, the same for
/// all blocks; mixedOfWarp: [warps of the block].
template <class MixedWords, class Order, class MixedOfWarp>
LLOYD_DEVICE void shareTiles(const MixedWords& mixedWords, const Order& order, MixedOfWarp mixedOfWarp,
                             unsigned tiles) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned words = mixedWordsOf(tiles);
  const unsigned perThread = (words + blockDim.x - 1) / blockDim.x;
  const unsigned begin = threadIdx.x * perThread < words ? threadIdx.x * perThread : words;
  const unsigned end = begin + perThread < words ? begin + perThread : words;
  unsigned own = 0;
  for (unsigned word = begin; word < end; ++word) {
    const unsigned bytes = mixedWords[word];
    own += static_cast<unsigned>(__popc(bytes));
  }
  unsigned through = own; // mixed tiles of the warp, this thread's the last of them
  LLOYD_UNROLL
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, through, distance);
    if (lane >= distance) through += before;
  }
  if (lane == 31) mixedOfWarp[threadIdx.x / 32] = through;
  __syncthreads();
  unsigned mixed = through - own; // before the tile
  unsigned all = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
    const unsigned ofWarp = mixedOfWarp[warp];
    if (warp < threadIdx.x / 32) mixed += ofWarp;
    all += ofWarp;
  }
  for (unsigned word = begin; word < end; ++word) {
    unsigned bytes = mixedWords[word];
    const unsigned first = word * inMixedWord;
    for (unsigned tile = first; tile < first + inMixedWord && tile < tiles; ++tile, bytes >>= 8) {
      const bool is = (bytes & 1u) != 0;
      const unsigned rank = is ? mixed : all + tile - mixed;
      if (rank % gridDim.x == blockIdx.x) order[rank] = tile;
      mixed += is ? 1 : 0;
    }
  }
  __syncthreads();
}

} // namespace lloyd::fused

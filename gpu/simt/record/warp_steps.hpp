// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lloyd::simt {

/// What stands at a place of a kernel's source.
enum class Asked : std::uint8_t {
  globalLoad,
  globalStore,
  globalAtomic,
  sharedLoad,
  sharedStore,
  sharedAtomic,
  barrier,
  collective
};

/// One thing that a warp did: a request, a barrier or a collective. Arithmetic leaves no trace.
struct WarpStep {
  Asked asked = Asked::globalLoad;
  std::uint32_t lanes = 0; ///< those that took part; at a barrier all
  unsigned bytes = 0;      ///< of one lane's access
  /// Where its values begin among BlockRecord::stored of its warp: what it stores to shared memory, or what
  /// an atomic on it and all others before the next barrier leave there. For each lane that took part, from
  /// the lowest on, bytes rounded up to words.
  std::uint32_t stored = 0;
  std::string_view file; ///< from the repository's top; lasts as long as the program
  int line = 0;
  /// By lane, where its access begins: the address in global memory, or the byte of the block's shared
  /// memory. Means nothing for lanes that took no part, at barriers and at collectives.
  std::array<std::uint64_t, 32> at{};
};
/// What a warp did, in the order in which a card's warp comes to it.
using WarpSteps = std::vector<WarpStep>;

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/block_record.hpp"
#include "gpu/simt/record/warp_steps.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lloyd::simt {

/// What a kernel's source asks of the memory system, summed over a launch. A request is one instruction of
/// one warp, with the lanes that took part. Compilers may merge, move or drop accesses, so a card may do less
/// (or, where it repeats an atomic, more).
///
/// Turns of atomics are what a card needs that serves one lane of each bank after another. An H100 goes round
/// its loop of compare-and-swap for a float in shared memory exactly as often, where no other warp of the
/// block meets these lanes. A card's bank conflicts are something else: that loop's loads count them, once a
/// round, for lanes on different words of one bank. Lanes that add one integer to one word are merged by a
/// card.
///
/// Arithmetic leaves no trace, so lines are those that ask memory or exchange values within a warp. A warp
/// executes such a line when it comes to one of its places: what follows on the same line with the same lanes
/// belongs to it, until a place comes again or a barrier stood between.
struct Counters {
  std::uint64_t globalLoadRequests = 0;
  std::uint64_t globalLoadSectors = 0; ///< distinct 32-byte sectors, summed over requests
  std::uint64_t globalStoreRequests = 0;
  std::uint64_t globalStoreSectors = 0;
  std::uint64_t sharedRequests = 0; ///< loads and stores; atomics are not among them
  std::uint64_t bankConflicts = 0;  ///< wavefronts beyond one a request, or a part of a wide request
  std::uint64_t barriers = 0;       ///< __syncthreads(), summed over blocks
  std::uint64_t warpCollectives = 0;
  std::uint64_t sharedAtomics = 0;     ///< requests
  std::uint64_t globalAtomics = 0;     ///< requests
  std::uint64_t requests = 0;          ///< all of the above that touch memory
  std::uint64_t lanes = 0;             ///< lanes that took part in them
  std::uint64_t sharedAtomicTurns = 0; ///< most lanes on one bank, summed over requests
  std::uint64_t globalAtomicTurns = 0; ///< most lanes on one address, summed over requests
  std::uint64_t warpLines = 0;         ///< lines executed by warps
  std::uint64_t warpLineLanes = 0;     ///< lanes that took part in them

  [[nodiscard]] double lanesPerRequest() const {
    return requests == 0 ? 0.0 : static_cast<double>(lanes) / static_cast<double>(requests);
  }
  /// Of 32; fewer where branches part a warp.
  [[nodiscard]] double lanesPerLine() const {
    return warpLines == 0 ? 0.0 : static_cast<double>(warpLineLanes) / static_cast<double>(warpLines);
  }
  Counters& operator+=(const Counters& other) {
    globalLoadRequests += other.globalLoadRequests;
    globalLoadSectors += other.globalLoadSectors;
    globalStoreRequests += other.globalStoreRequests;
    globalStoreSectors += other.globalStoreSectors;
    sharedRequests += other.sharedRequests;
    bankConflicts += other.bankConflicts;
    barriers += other.barriers;
    warpCollectives += other.warpCollectives;
    sharedAtomics += other.sharedAtomics;
    globalAtomics += other.globalAtomics;
    requests += other.requests;
    lanes += other.lanes;
    sharedAtomicTurns += other.sharedAtomicTurns;
    globalAtomicTurns += other.globalAtomicTurns;
    warpLines += other.warpLines;
    warpLineLanes += other.warpLineLanes;
    return *this;
  }
  bool operator==(const Counters&) const = default;
};

/// Two lanes that touch one word, one of them writing, with nothing that orders the two: of shared memory,
/// between the same two barriers (Races); or of global memory (BlockRaces).
struct Race {
  std::string what;       ///< a whole sentence: the word, block, warps and lanes, both places as file:line
  bool sameValue = false; ///< both wrote the same value: shown, not a failure
  std::uint32_t block = 0;
};

/// Everything that one recorded launch, or several, told.
struct Trace {
  Counters counters;       ///< of a launch that a fault ended what was asked until then
  std::uint64_t races = 0; ///< words and barrier intervals, or launches, with a race that can change a result
  std::uint64_t sameValueRaces = 0; ///< those where every store stored the same value
  std::vector<Race>
      examples; ///< one of each pair of places, the first 16 of each memory in the order of blocks
  std::vector<std::string> faults; ///< whole sentences; a fault ends its launch
  std::uint32_t faultBlock = 0;    ///< of the last fault
  /// What each line of source asked, sorted by file and line.
  struct Line {
    std::string file; ///< from the repository's top: "gpu/kernels/reduce/v1_atomics.cu"
    int line = 0;
    Counters counters;
  };
  std::vector<Line> lines;
  std::vector<WarpSteps> steps;                  ///< [warp], of the one block whose steps were asked for
  bool stepsCut = false;                         ///< there were more than are kept
  BlockRecord block;                             ///< what else is known of that block
  std::vector<SharedMemory::Named> sharedArrays; ///< of that block, in its last launch
  std::uint32_t blocks = 0;                      ///< of the launch, or of the largest of several
};

} // namespace lloyd::simt

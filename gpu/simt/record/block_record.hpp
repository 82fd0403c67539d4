// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/record/warp_steps.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lloyd::simt {

/// How the steps of a block's warps belong together. Between two barriers of a block nothing but a race shows
/// in which order its warps went, so the steps are kept by warp, and what parts them is here.
struct BlockRecord {
  /// From one barrier to the next.
  struct Interval {
    enum class End : std::uint8_t {
      finished, ///< all threads of the launch are done
      barrier,  ///< it has a step of its own in the list of every warp
      fault,    ///< the launch ends with a sentence, and so does the record
      cut       ///< what follows is not kept
    };
    std::uint32_t launch = 0; ///< from 0 on, of those that had the block
    End end = End::finished;
    /// [warp] of the launch: how many of its steps belong here, without the barrier.
    std::vector<std::uint32_t> steps;
    /// [warp]: lanes at the barrier; after a fault at one that does not open, which then is a step of these
    /// warps. Empty at another end.
    std::vector<std::uint32_t> waiting;
  };
  /// One of the two accesses of a race.
  struct Touch {
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t step = 0; ///< in the list of the warp
  };
  /// Two accesses of one word between the same two barriers with nothing that orders them.
  struct Race {
    std::uint32_t word = 0;     ///< of the block's shared memory
    std::uint32_t interval = 0; ///< of intervals
    bool sameValue = false;     ///< all stores store the same value
    Touch one;
    Touch other;
  };
  /// Two accesses of one word of global memory, one of them of another block, with nothing that orders them.
  struct BetweenBlocks {
    struct Access {
      std::uint32_t block = 0;
      std::uint32_t thread = 0;
      Asked asked = Asked::globalLoad;
      std::string_view file; ///< as WarpStep's
      int line = 0;
      bool operator==(const Access&) const = default;
    };
    std::uint64_t word = 0;   ///< its address
    std::uint32_t launch = 0; ///< as Interval's
    bool sameValue = false;   ///< all stores store the same value
    Access here;
    Access there;
  };

  std::vector<Interval> intervals;
  static constexpr std::size_t mostRaces = 4096;
  std::vector<Race> races;                  ///< the first mostRaces, by interval and word
  std::vector<BetweenBlocks> betweenBlocks; ///< the first mostRaces, by launch and word
  /// [warp]: words that its steps store to shared memory; WarpStep::stored tells where those of a step begin.
  std::vector<std::vector<std::uint32_t>> stored;
  bool racesCut = false; ///< there were more
};

} // namespace lloyd::simt

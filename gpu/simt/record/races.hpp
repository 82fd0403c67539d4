// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/counters.hpp"
#include "gpu/simt/record/sites.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Finds races in the shared memory of one block after the other: two lanes that touch one 4-byte word
/// between the same two barriers, at least one of them writing, not both by an atomic, and with nothing
/// between the two that orders them. Inside a warp a collective orders what its lanes did before it before
/// what they do after it; that is followed with a vector clock for each lane, as in FastTrack (Flanagan and
/// Freund, 2009). It is found whatever order the lanes happened to run in.
///
/// A word remembers its last writer, two readers and two lanes that changed it by atomics, of different warps
/// where there are such: with one reader, a reader that writes afterwards would hide all others.
class Races {
public:
  void beginBlock(std::size_t threads);
  void access(unsigned thread, Access access, std::size_t offset, std::size_t bytes, std::uint32_t site,
              const void* stored);
  /// The lanes of together, in this warp, have met at a collective.
  void meet(unsigned warp, std::uint32_t together);
  /// Counts the races of the interval, and keeps the first of each pair of places in words.
  void endInterval(unsigned block, const SharedMemory& shared, const Sites& sites);

  [[nodiscard]] std::uint64_t found() const { return found_; }
  [[nodiscard]] std::uint64_t foundSameValue() const { return foundSameValue_; }
  [[nodiscard]] const std::vector<Race>& examples() const { return examples_; }

private:
  static constexpr std::uint16_t nobody = 0xffff;
  struct Touch {
    std::uint16_t thread = nobody;
    Access access = Access::load;
    std::uint32_t time = 0; ///< the lane's own clock then
    std::uint32_t site = 0;
  };
  struct Word {
    std::uint32_t interval = 0; ///< in which the rest is meant
    Touch writer;
    std::array<Touch, 2> readers;
    std::array<Touch, 2> atomics;
    std::uint32_t value = 0; ///< of the first store
    bool oneValue = true;    ///< all stores stored it
    bool storesClash = false;
    bool othersClash = false; ///< not only stores with stores
    Touch earlier;            ///< of the first pair that clashed
    Touch later;
  };
  /// What each lane of a warp knows of the others: knows[a][b] is the last time of lane b that a comes after.
  struct Clocks {
    std::array<std::uint32_t, warpSize> now;
    std::array<std::array<std::uint32_t, warpSize>, warpSize> knows;
  };

  [[nodiscard]] bool ordered(const Touch& before, unsigned thread) const;
  [[nodiscard]] bool clash(const Touch& before, unsigned thread) const {
    return before.thread != nobody && before.thread != thread && !ordered(before, thread);
  }
  void check(Word& word, const Touch& before, const Touch& now);
  void remember(std::array<Touch, 2>& touches, const Touch& now) const;
  void touch(std::size_t at, const Touch& now, std::uint32_t value);
  void keepExample(const Word& word, bool sameValue, const std::string& element, unsigned block,
                   const Sites& sites);

  std::vector<Word> words_;
  std::vector<Clocks> clocks_;        ///< [warp]
  std::vector<std::size_t> clashing_; ///< words of this interval, in the order of clashing
  std::uint32_t interval_ = 1;
  std::uint64_t found_ = 0;
  std::uint64_t foundSameValue_ = 0;
  struct ReportedPair {
    std::uint32_t earlier;
    std::uint32_t later;
    bool sameValue;
    bool operator==(const ReportedPair&) const = default;
  };
  std::vector<ReportedPair> reported_; ///< pairs of sites that examples_ has
  std::vector<Race> examples_;
};

} // namespace lloyd::simt

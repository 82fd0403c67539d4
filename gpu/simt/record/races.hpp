// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/counters.hpp"
#include "gpu/simt/record/first_clash.hpp"
#include "gpu/simt/record/sites.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
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
  void beginBlock(std::size_t threads) {
    if (words_.empty()) words_.resize(SharedMemory::mostBytes / wordBytes);
    ++interval_;
    clashing_.clear();
    clocks_.resize((threads + warpSize - 1) / warpSize);
    for (Clocks& clocks : clocks_) {
      clocks.now.fill(1);
      clocks.knows = {};
    }
  }
  /// entry: of what the thread has done since the barrier, from 0 on.
  void access(unsigned thread, Access access, std::size_t offset, std::size_t bytes, std::uint32_t entry,
              const void* stored) {
    const Touch now{static_cast<std::uint16_t>(thread), access,
                    clocks_[thread / warpSize].now[thread % warpSize], entry};
    for (std::size_t done = 0; done < bytes;) {
      const std::size_t part = std::min(bytes - done, wordBytes);
      std::uint32_t value = 0;
      if (stored) std::memcpy(&value, static_cast<const std::byte*>(stored) + done, part);
      touch((offset + done) / wordBytes, now, value);
      done += part;
    }
  }
  /// The lanes of together, in this warp, have met at a collective.
  void meet(unsigned warp, std::uint32_t together) {
    Clocks& clocks = clocks_[warp];
    std::array<std::uint32_t, warpSize> joined{};
    for (std::uint32_t left = together; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      for (unsigned other = 0; other < warpSize; ++other)
        joined[other] = std::max(joined[other], clocks.knows[lane][other]);
    }
    for (std::uint32_t left = together; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      joined[lane] = clocks.now[lane]++;
    }
    for (std::uint32_t left = together; left != 0; left &= left - 1)
      clocks.knows[static_cast<unsigned>(std::countr_zero(left))] = joined;
  }
  static constexpr std::uint16_t nobody = 0xffff;
  struct Touch {
    std::uint16_t thread = nobody;
    Access access = Access::load;
    std::uint32_t time = 0;  ///< the lane's own clock then
    std::uint32_t entry = 0; ///< of what the lane did in the interval
  };
  /// Two touches of a word of which one may come before the other or behind it.
  struct Clash {
    std::uint64_t word = 0; ///< of the block's shared memory
    Touch earlier;          ///< in the order in which the lanes happened to run
    Touch later;
    bool sameValue = false; ///< both wrote, and all wrote the same
  };
  /// Counts the races of the interval, and keeps the first of each pair of places in words. siteOf(touch):
  /// where it was.
  void endInterval(unsigned block, const SharedMemory& shared, const Sites& sites, const auto& siteOf) {
    std::sort(clashing_.begin(), clashing_.end());
    clashes_.clear();
    for (const std::size_t at : clashing_) {
      const Word& word = words_[at];
      const bool sameValue = !word.clash.others && word.oneValue;
      ++(sameValue ? foundSameValue_ : found_);
      clashes_.push_back({at, word.clash.earlier, word.clash.later, sameValue});
      const ReportedPair pair{siteOf(word.clash.earlier), siteOf(word.clash.later), sameValue};
      if (reported_.size() == mostExamples ||
          std::find(reported_.begin(), reported_.end(), pair) != reported_.end())
        continue;
      reported_.push_back(pair);
      keepExample(word, pair, shared.describeElement(at * wordBytes), block, sites);
    }
    clashing_.clear();
    ++interval_;
  }
  /// Of the interval that ended last, by word.
  [[nodiscard]] const std::vector<Clash>& clashes() const { return clashes_; }

  [[nodiscard]] std::uint64_t found() const { return found_; }
  [[nodiscard]] std::uint64_t foundSameValue() const { return foundSameValue_; }
  [[nodiscard]] const std::vector<Race>& examples() const { return examples_; }

private:
  static constexpr std::size_t wordBytes = 4;
  static constexpr std::size_t mostExamples = 16;
  static const char* verb(Access access) {
    constexpr const char* verbs[] = {"reads it at ", "stores to it at ", "changes it by an atomic at "};
    return verbs[static_cast<std::size_t>(access)];
  }

  struct ReportedPair {
    std::uint32_t earlier; ///< sites
    std::uint32_t later;
    bool sameValue;
    bool operator==(const ReportedPair&) const = default;
  };
  struct Word {
    std::uint32_t interval = 0; ///< in which the rest is meant
    Touch writer;
    std::array<Touch, 2> readers;
    std::array<Touch, 2> atomics;
    std::uint32_t value = 0; ///< of the first store
    bool oneValue = true;    ///< all stores stored it
    FirstClash<Touch> clash;
  };
  /// What each lane of a warp knows of the others: knows[a][b] is the last time of lane b that a comes after.
  struct Clocks {
    std::array<std::uint32_t, warpSize> now;
    std::array<std::array<std::uint32_t, warpSize>, warpSize> knows;
  };

  [[nodiscard]] bool ordered(const Touch& before, unsigned thread) const {
    if (before.thread / warpSize != thread / warpSize) return false;
    const Clocks& clocks = clocks_[thread / warpSize];
    return clocks.knows[thread % warpSize][before.thread % warpSize] >= before.time;
  }
  [[nodiscard]] bool clash(const Touch& before, unsigned thread) const {
    return before.thread != nobody && before.thread != thread && !ordered(before, thread);
  }
  void check(Word& word, const Touch& before, const Touch& now) {
    if (!clash(before, now.thread)) return;
    word.clash.note(before, now);
  }
  void remember(std::array<Touch, 2>& touches, const Touch& now) const {
    for (Touch& known : touches) {
      if (known.thread == nobody || known.thread == now.thread) {
        known = now;
        return;
      }
    }
    const auto warpOf = [](const Touch& touch) { return touch.thread / warpSize; };
    // Two of different warps stand for all others: whoever writes later meets one of another warp.
    if (warpOf(touches[0]) != warpOf(touches[1])) return;
    touches[ordered(touches[0], now.thread) ? 0 : 1] = now;
  }
  void touch(std::size_t at, const Touch& now, std::uint32_t value) {
    Word& word = words_[at];
    if (word.interval != interval_) {
      word = Word();
      word.interval = interval_;
    }
    const bool clashed = word.clash.any();
    check(word, word.writer, now);
    if (now.access != Access::load)
      for (const Touch& reader : word.readers)
        check(word, reader, now);
    if (now.access != Access::atomic)
      for (const Touch& atomic : word.atomics)
        check(word, atomic, now);
    if (!clashed && word.clash.any()) clashing_.push_back(at);

    switch (now.access) {
    case Access::load:
      remember(word.readers, now);
      break;
    case Access::atomic:
      remember(word.atomics, now);
      break;
    case Access::store:
      if (word.writer.thread == nobody) word.value = value;
      word.oneValue = word.oneValue && word.value == value;
      word.writer = now;
      break;
    }
  }
  void keepExample(const Word& word, const ReportedPair& pair, const std::string& element, unsigned block,
                   const Sites& sites) {
    const auto describe = [&](const Touch& touch, std::uint32_t site) {
      return describeThread(touch.thread) + " " + verb(touch.access) +
             lloyd::simt::describe(sites[site].place);
    };
    examples_.push_back({"block " + std::to_string(block) + ", " + element + ": " +
                             describe(word.clash.earlier, pair.earlier) + " and " +
                             describe(word.clash.later, pair.later) +
                             " with nothing between them that orders the two" +
                             (pair.sameValue ? "; all store the same value" : ""),
                         pair.sameValue, block});
  }

  std::vector<Word> words_;
  std::vector<Clocks> clocks_;        ///< [warp]
  std::vector<std::size_t> clashing_; ///< words of this interval, in the order of clashing
  std::uint32_t interval_ = 1;
  std::uint64_t found_ = 0;
  std::uint64_t foundSameValue_ = 0;
  std::vector<Clash> clashes_;
  std::vector<ReportedPair> reported_; ///< pairs of sites that examples_ has
  std::vector<Race> examples_;
};

} // namespace lloyd::simt

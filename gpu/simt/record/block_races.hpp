// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/record/block_record.hpp"
#include "gpu/simt/record/counters.hpp"
#include "gpu/simt/record/first_clash.hpp"
#include "gpu/simt/record/sites.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lloyd::simt {

/// Finds races of blocks in the global memory of one launch after the other: two that touch one 4-byte word,
/// at least one of them writing, not both by an atomic, and with nothing that orders the two. A simulator
/// runs block after block, so that what is lost on a card is not lost here, and has to be told.
///
/// An atomic is taken to order what its block did before it before what another does behind a later atomic on
/// the same word, as a counter of blocks that are done orders their sums; a vector clock of blocks follows
/// that, as in FastTrack (Flanagan and Freund, 2009). A card asks for a fence as well, and that is not looked
/// for. What the threads of one block do to each other's words of global memory is not looked at.
///
/// Nor is a launch of more than mostBlocks blocks, or one that touches more than mostWords words.
class BlockRaces {
public:
  static constexpr std::size_t mostBlocks = 1024;
  static constexpr std::size_t mostWords = std::size_t{1} << 18;

  /// Of this block all races are kept, word by word.
  void keep(unsigned block) { kept_ = block; }
  void beginLaunch(std::size_t blocks) {
    forget();
    isOn_ = blocks <= mostBlocks;
    knows_.assign(isOn_ ? blocks : 0, 0);
  }
  void beginBlock(unsigned block) {
    block_ = block;
    if (block_ == kept_) ++keptLaunches_;
    if (!isOn_) return;
    std::fill(knows_.begin(), knows_.end(), 0);
    knows_[block_] = 1;
  }

  /// Before it takes place.
  void access(unsigned thread, Access access, const void* at, std::size_t bytes, std::uint32_t site) {
    const auto first = reinterpret_cast<std::uintptr_t>(at);
    for (std::uintptr_t word = first / wordBytes; isOn_ && word * wordBytes < first + bytes; ++word) {
      const std::uintptr_t from = std::max(first, word * wordBytes) - word * wordBytes;
      const std::uintptr_t to = std::min(first + bytes, (word + 1) * wordBytes) - word * wordBytes;
      const auto mask = static_cast<std::uint8_t>((1U << to) - (1U << from));
      touch(word, {block_, knows_[block_], site, static_cast<std::uint16_t>(thread), mask, access});
    }
    if (access == Access::atomic && isOn_) ++knows_[block_];
  }

  /// Counts the races of the launch, and keeps the first of each pair of places.
  void endLaunch(const Sites& sites) {
    std::sort(clashing_.begin(), clashing_.end());
    for (const std::uintptr_t at : clashing_) {
      Word& word = words_.at(at);
      see(at, word);
      const bool sameValue = isSameValue(word);
      ++(sameValue ? foundSameValue_ : found_);
      const std::array pair{word.clash.earlier.site, word.clash.later.site};
      if (reported_.size() == mostExamples || std::ranges::find(reported_, pair) != reported_.end()) continue;
      reported_.push_back(pair);
      examples_.push_back({"global memory: " + describe(word.clash.earlier, sites) + " and " +
                               describe(word.clash.later, sites) +
                               " with nothing between them that orders the two" +
                               (sameValue ? "; all store the same value" : ""),
                           sameValue, word.clash.later.block});
    }
    for (const auto& [at, clash] : keptClashes_)
      keep(at, clash, sites);
    beginLaunch(0);
  }

  [[nodiscard]] std::uint64_t found() const { return found_; }
  [[nodiscard]] std::uint64_t foundSameValue() const { return foundSameValue_; }
  [[nodiscard]] const std::vector<Race>& examples() const { return examples_; }
  void giveTo(BlockRecord& record) const {
    record.betweenBlocks = keptRaces_;
    record.racesCut = record.racesCut || keptCut_;
  }

private:
  static constexpr std::size_t wordBytes = 4;
  static constexpr std::size_t mostExamples = 16;
  static constexpr std::uint32_t nobody = 0xffffffff;
  using Clock = std::vector<std::uint32_t>;

  struct Touch {
    std::uint32_t block = nobody;
    std::uint32_t time = 0; ///< the block's own clock then
    std::uint32_t site = 0;
    std::uint16_t thread = 0;
    std::uint8_t mask = 0; ///< bytes of the word
    Access access = Access::load;
  };
  struct Word {
    Touch writer;
    std::array<Touch, 2> readers; ///< of different blocks, where there are such
    std::array<Touch, 2> atomics;
    Clock released; ///< by its atomics
    std::uint32_t value = 0;
    bool isStored = false; ///< the last store has not been seen yet
    bool hasValue = false; ///< of the first store
    bool oneValue = true;  ///< all stores stored it
    FirstClash<Touch> clash;
  };

  /// What the last store left is there until the next touch. Bytes that it did not write may be nobody's.
  static void see(std::uintptr_t at, Word& word) {
    if (!word.isStored) return;
    std::array<std::uint8_t, wordBytes> bytes{};
    for (std::size_t byte = 0; byte < wordBytes; ++byte)
      if ((word.writer.mask >> byte & 1) != 0)
        std::memcpy(&bytes[byte], reinterpret_cast<const void*>(at * wordBytes + byte), 1); // NOLINT
    const auto value = std::bit_cast<std::uint32_t>(bytes);
    word.oneValue = word.oneValue && (!word.hasValue || value == word.value);
    word.value = value;
    word.hasValue = true;
    word.isStored = false;
  }
  [[nodiscard]] bool clash(const Touch& before, const Touch& now) const {
    if (before.block == nobody || (before.mask & now.mask) == 0) return false;
    return before.block != now.block && knows_[before.block] < before.time;
  }
  void check(std::uintptr_t at, Word& word, const Touch& before, const Touch& now) {
    if (!clash(before, now)) return;
    word.clash.note(before, now);
    if (before.block == kept_ || now.block == kept_) keptClashes_[at].note(before, now);
  }
  void keep(std::uintptr_t at, const FirstClash<Touch>& clash, const Sites& sites) {
    if (keptRaces_.size() == BlockRecord::mostRaces) {
      keptCut_ = true;
      return;
    }
    const auto accessOf = [&](const Touch& touch) {
      const Site& site = sites[touch.site];
      return BlockRecord::BetweenBlocks::Access{touch.block, touch.thread, site.asked, fileOf(site.place),
                                                static_cast<int>(site.place.line)};
    };
    const bool isLater = clash.later.block == kept_;
    keptRaces_.push_back({at * wordBytes, keptLaunches_ - 1, isSameValue(words_.at(at)),
                          accessOf(isLater ? clash.later : clash.earlier),
                          accessOf(isLater ? clash.earlier : clash.later)});
  }
  [[nodiscard]] static bool isSameValue(const Word& word) { return !word.clash.others && word.oneValue; }
  void forget() {
    words_.clear();
    clashing_.clear();
    keptClashes_.clear();
  }
  static void remember(std::array<Touch, 2>& touches, const Touch& now) {
    if (touches[0].block != nobody && touches[0].block != now.block) touches[1] = touches[0];
    touches[0] = now;
  }
  void touch(std::uintptr_t at, const Touch& now) {
    if (words_.size() > mostWords) {
      isOn_ = false;
      forget();
      return;
    }
    Word& word = words_[at];
    see(at, word);
    const bool clashed = word.clash.any();
    if (now.access == Access::atomic) acquire(word);
    check(at, word, word.writer, now);
    if (now.access != Access::load)
      for (const Touch& reader : word.readers)
        check(at, word, reader, now);
    if (now.access != Access::atomic)
      for (const Touch& atomic : word.atomics)
        check(at, word, atomic, now);
    if (!clashed && word.clash.any()) clashing_.push_back(at);

    switch (now.access) {
    case Access::load:
      remember(word.readers, now);
      break;
    case Access::atomic:
      remember(word.atomics, now);
      word.released = knows_;
      break;
    case Access::store:
      word.writer = now;
      word.isStored = true;
      break;
    }
  }
  void acquire(const Word& word) {
    for (std::size_t block = 0; block < word.released.size(); ++block)
      knows_[block] = std::max(knows_[block], word.released[block]);
  }
  static std::string describe(const Touch& touch, const Sites& sites) {
    constexpr std::array verbs{" reads a word at ", " stores to a word at ",
                               " changes a word by an atomic at "};
    return describeThread(touch.thread) + " of block " + std::to_string(touch.block) +
           verbs[static_cast<std::size_t>(touch.access)] + lloyd::simt::describe(sites[touch.site].place);
  }

  std::unordered_map<std::uintptr_t, Word> words_;
  std::vector<std::uintptr_t> clashing_; ///< of words_
  Clock knows_;                          ///< of each block, the last time that the present one comes behind
  unsigned block_ = 0;
  bool isOn_ = false;
  std::uint64_t found_ = 0;
  std::uint64_t foundSameValue_ = 0;
  std::vector<std::array<std::uint32_t, 2>> reported_; ///< pairs of sites that examples_ has
  std::vector<Race> examples_;

  std::optional<unsigned> kept_;                            ///< the block whose races are kept
  std::uint32_t keptLaunches_ = 0;                          ///< those that had it
  std::map<std::uintptr_t, FirstClash<Touch>> keptClashes_; ///< of it, by word
  std::vector<BlockRecord::BetweenBlocks> keptRaces_;
  bool keptCut_ = false; ///< there were more
};

} // namespace lloyd::simt

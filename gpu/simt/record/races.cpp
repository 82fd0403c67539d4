// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/races.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lloyd::simt {
namespace {

constexpr std::size_t wordBytes = 4;
constexpr std::size_t mostExamples = 16;

const char* verb(Access access) {
  switch (access) {
  case Access::load:
    return "reads it at ";
  case Access::store:
    return "stores to it at ";
  default:
    return "changes it by an atomic at ";
  }
}

} // namespace

void Races::beginBlock(std::size_t threads) {
  if (words_.empty()) words_.resize(SharedMemory::mostBytes / wordBytes);
  ++interval_;
  clashing_.clear();
  clocks_.resize((threads + warpSize - 1) / warpSize);
  for (Clocks& clocks : clocks_) {
    clocks.now.fill(1);
    clocks.knows = {};
  }
}

bool Races::ordered(const Touch& before, unsigned thread) const {
  if (before.thread / warpSize != thread / warpSize) return false;
  const Clocks& clocks = clocks_[thread / warpSize];
  return clocks.knows[thread % warpSize][before.thread % warpSize] >= before.time;
}

void Races::meet(unsigned warp, std::uint32_t together) {
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

void Races::access(unsigned thread, Access access, std::size_t offset, std::size_t bytes, std::uint32_t site,
                   const void* stored) {
  const Touch now{static_cast<std::uint16_t>(thread), access,
                  clocks_[thread / warpSize].now[thread % warpSize], site};
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(bytes - done, wordBytes);
    std::uint32_t value = 0;
    if (stored) std::memcpy(&value, static_cast<const std::byte*>(stored) + done, part);
    touch((offset + done) / wordBytes, now, value);
    done += part;
  }
}

void Races::touch(std::size_t at, const Touch& now, std::uint32_t value) {
  Word& word = words_[at];
  if (word.interval != interval_) {
    word = Word();
    word.interval = interval_;
  }
  const bool clashed = word.storesClash || word.othersClash;
  check(word, word.writer, now);
  if (now.access != Access::load)
    for (const Touch& reader : word.readers)
      check(word, reader, now);
  if (now.access != Access::atomic)
    for (const Touch& atomic : word.atomics)
      check(word, atomic, now);
  if (!clashed && (word.storesClash || word.othersClash)) clashing_.push_back(at);

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

void Races::check(Word& word, const Touch& before, const Touch& now) {
  if (!clash(before, now.thread)) return;
  const bool stores = before.access == Access::store && now.access == Access::store;
  bool& kind = stores ? word.storesClash : word.othersClash;
  // A pair that can change a result is the better example.
  if ((!word.storesClash && !word.othersClash) || (!stores && !word.othersClash)) {
    word.earlier = before;
    word.later = now;
  }
  kind = true;
}

void Races::remember(std::array<Touch, 2>& touches, const Touch& now) const {
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

void Races::endInterval(unsigned block, const SharedMemory& shared, const Sites& sites) {
  std::sort(clashing_.begin(), clashing_.end());
  for (const std::size_t at : clashing_) {
    const Word& word = words_[at];
    const bool sameValue = !word.othersClash && word.oneValue;
    ++(sameValue ? foundSameValue_ : found_);
    const ReportedPair pair{word.earlier.site, word.later.site, sameValue};
    if (reported_.size() == mostExamples ||
        std::find(reported_.begin(), reported_.end(), pair) != reported_.end())
      continue;
    reported_.push_back(pair);
    keepExample(word, sameValue, shared.describeElement(at * wordBytes), block, sites);
  }
  clashing_.clear();
  ++interval_;
}

void Races::keepExample(const Word& word, bool sameValue, const std::string& element, unsigned block,
                        const Sites& sites) {
  const auto describe = [&](const Touch& touch) {
    return describeThread(touch.thread) + " " + verb(touch.access) +
           lloyd::simt::describe(sites[touch.site].place);
  };
  examples_.push_back({"block " + std::to_string(block) + ", " + element + ": " + describe(word.earlier) +
                           " and " + describe(word.later) + " with nothing between them that orders the two" +
                           (sameValue ? "; all store the same value" : ""),
                       sameValue});
}

} // namespace lloyd::simt

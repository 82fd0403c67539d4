// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lloyd::simt {

// What a request of a warp costs. Counters and pictures of requests both go by these rules.

inline constexpr std::size_t sectorBytes = 32;
inline constexpr std::size_t wordBytes = 4;
inline constexpr std::size_t banks = 32;

/// One memory instruction of one warp.
struct Request {
  std::uint32_t lanes = 0;                  ///< those that took part
  std::array<std::uint64_t, warpSize> at{}; ///< their addresses; of shared memory, offsets
};

/// Numbers of sectors or words, of which only distinct ones count.
template <std::size_t most>
class Distinct {
public:
  void add(std::uint64_t value) {
    if (count_ > 0 && values_[count_ - 1] == value) return; // neighbours most often
    ascending_ = ascending_ && (count_ == 0 || values_[count_ - 1] < value);
    values_[count_++] = value;
  }
  void finish() {
    if (ascending_) return;
    const auto end = values_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::sort(values_.begin(), end);
    count_ = static_cast<std::size_t>(std::unique(values_.begin(), end) - values_.begin());
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::uint64_t operator[](std::size_t at) const { return values_[at]; }

private:
  std::array<std::uint64_t, most> values_;
  std::size_t count_ = 0;
  bool ascending_ = true;
};

/// The 4-byte words that the lanes first .. first + count - 1 touch, at most 32 of them.
inline Distinct<banks> wordsOf(const Request& request, std::size_t bytes, unsigned first, unsigned count) {
  Distinct<banks> words;
  for (unsigned lane = first; lane < first + count; ++lane) {
    if ((request.lanes >> lane & 1) == 0) continue;
    const std::uint64_t last = (request.at[lane] + bytes - 1) / wordBytes;
    for (std::uint64_t word = request.at[lane] / wordBytes; word <= last; ++word)
      words.add(word);
  }
  words.finish();
  return words;
}

/// Turns for these lanes; 0 when none of them takes part.
inline std::size_t turns(const Request& request, std::size_t bytes, unsigned first, unsigned count) {
  const Distinct<banks> words = wordsOf(request, bytes, first, count);
  std::array<std::uint8_t, banks> depth{};
  std::size_t deepest = 0;
  for (std::size_t at = 0; at < words.count(); ++at)
    deepest = std::max<std::size_t>(deepest, ++depth[words[at] % banks]);
  return deepest;
}

/// Distinct 32-byte sectors that the lanes' accesses of bytes each touch. An access is of at most 16 bytes,
/// so it lies in one sector or two.
inline Distinct<std::size_t{2} * warpSize> sectorsOf(const Request& request, std::size_t bytes) {
  Distinct<std::size_t{2} * warpSize> touched;
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const std::uint64_t at = request.at[static_cast<unsigned>(std::countr_zero(left))];
    touched.add(at / sectorBytes);
    touched.add((at + bytes - 1) / sectorBytes);
  }
  touched.finish();
  return touched;
}
inline std::size_t sectors(const Request& request, std::size_t bytes) {
  return sectorsOf(request, bytes).count();
}

/// Shared memory serves accesses of at most 4 bytes for a whole warp, those of 8 by half warps and those of
/// 16 by quarters.
[[nodiscard]] constexpr unsigned partsOf(std::size_t bytes) {
  return static_cast<unsigned>(bytes <= wordBytes ? 1 : bytes / wordBytes);
}

/// Turns that shared memory needs beyond one a part. It has 32 banks of 4-byte words and serves each bank
/// once a turn; lanes that read the same word share it. (The rule of GPGPU-Sim, Bakhoda et al., 2009.)
inline std::size_t bankConflicts(const Request& request, std::size_t bytes) {
  const unsigned parts = partsOf(bytes);
  const unsigned lanes = warpSize / parts;
  std::size_t conflicts = 0;
  for (unsigned part = 0; part < parts; ++part) {
    const std::size_t needed = turns(request, bytes, part * lanes, lanes);
    conflicts += needed > 0 ? needed - 1 : 0;
  }
  return conflicts;
}

/// Turns that an atomic on shared memory needs: the most lanes that one bank has to serve. Lanes on one word
/// go one after another, because each needs what the other left, and lanes on different words of one bank do
/// as those of any request.
inline std::size_t sharedAtomicTurns(const Request& request, std::size_t bytes) {
  std::array<std::uint8_t, banks> depth{};
  std::size_t deepest = 0;
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const std::uint64_t at = request.at[static_cast<unsigned>(std::countr_zero(left))];
    for (std::uint64_t word = at / wordBytes; word <= (at + bytes - 1) / wordBytes; ++word)
      deepest = std::max<std::size_t>(deepest, ++depth[word % banks]);
  }
  return deepest;
}

/// Turns that an atomic on global memory needs: the most lanes on one address.
inline std::size_t globalAtomicTurns(const Request& request) {
  std::array<std::uint64_t, warpSize> sorted{};
  std::size_t count = 0;
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1)
    sorted[count++] = request.at[static_cast<unsigned>(std::countr_zero(left))];
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  std::size_t most = 0, same = 0;
  for (std::size_t at = 0; at < count; ++at) {
    same = at > 0 && sorted[at] == sorted[at - 1] ? same + 1 : 1;
    most = std::max(most, same);
  }
  return most;
}

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/memory_request.hpp"

#include <algorithm>
#include <bit>

namespace lloyd::simt {
namespace {

constexpr std::size_t sectorBytes = 32;
constexpr std::size_t wordBytes = 4;
constexpr std::size_t banks = 32;

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

/// Turns for the lanes first .. first + count - 1, at most 32 words; 0 when none of them takes part.
std::size_t turns(const Request& request, std::size_t bytes, unsigned first, unsigned count) {
  Distinct<banks> words;
  for (unsigned lane = first; lane < first + count; ++lane) {
    if ((request.lanes >> lane & 1) == 0) continue;
    const std::uint64_t last = (request.at[lane] + bytes - 1) / wordBytes;
    for (std::uint64_t word = request.at[lane] / wordBytes; word <= last; ++word)
      words.add(word);
  }
  words.finish();
  std::array<std::uint8_t, banks> depth{};
  std::size_t deepest = 0;
  for (std::size_t at = 0; at < words.count(); ++at)
    deepest = std::max<std::size_t>(deepest, ++depth[words[at] % banks]);
  return deepest;
}

/// Distinct 32-byte sectors that the lanes' accesses of bytes each touch.
std::size_t sectors(const Request& request, std::size_t bytes) {
  Distinct<std::size_t{2} * warpSize> touched; // of at most 16 bytes, so an access lies in one sector or two
  for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
    const std::uint64_t at = request.at[static_cast<unsigned>(std::countr_zero(left))];
    touched.add(at / sectorBytes);
    touched.add((at + bytes - 1) / sectorBytes);
  }
  touched.finish();
  return touched.count();
}

/// Turns that shared memory needs beyond one. It has 32 banks of 4-byte words and serves each bank once a
/// turn; lanes that read the same word share it. Accesses of 8 bytes go by half warps and those of 16 by
/// quarters, each with turns of its own. (The rule of GPGPU-Sim, Bakhoda et al., 2009.)
std::size_t bankConflicts(const Request& request, std::size_t bytes) {
  const auto parts = static_cast<unsigned>(bytes <= wordBytes ? 1 : bytes / wordBytes);
  const unsigned lanes = warpSize / parts;
  std::size_t conflicts = 0;
  for (unsigned part = 0; part < parts; ++part) {
    const std::size_t needed = turns(request, bytes, part * lanes, lanes);
    conflicts += needed > 0 ? needed - 1 : 0;
  }
  return conflicts;
}

} // namespace

void count(Site& site, const Request& request) {
  Counters& counters = site.counters;
  switch (site.asked) {
  case Asked::globalLoad:
    ++counters.globalLoadRequests;
    counters.globalLoadSectors += sectors(request, site.bytes);
    break;
  case Asked::globalStore:
    ++counters.globalStoreRequests;
    counters.globalStoreSectors += sectors(request, site.bytes);
    break;
  case Asked::globalAtomic:
    ++counters.globalAtomics;
    break;
  case Asked::sharedLoad:
  case Asked::sharedStore:
    ++counters.sharedRequests;
    counters.bankConflicts += bankConflicts(request, site.bytes);
    break;
  case Asked::sharedAtomic:
    ++counters.sharedAtomics;
    break;
  case Asked::barrier:
  case Asked::collective:
    return;
  }
  ++counters.requests;
  counters.lanes += static_cast<unsigned>(std::popcount(request.lanes));
}

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/warp_log.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace lloyd::simt {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t sectorBytes = 32;
constexpr std::size_t wordBytes = 4;
constexpr std::size_t banks = 32;

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

/// Adds what the request asks for to the site's counters.
void countRequest(Site& site, const Request& request) {
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

} // namespace

void WarpLog::clear() {
  for (auto& lane : lanes_)
    lane.clear();
  start_.reset();
}

void WarpLog::count(Sites& sites) {
  if (together())
    countTogether(sites);
  else
    replay(sites);
  clear();
}

/// Most often all lanes that did anything went the same way.
bool WarpLog::together() const {
  const std::vector<Entry>* model = nullptr;
  for (const auto& lane : lanes_) {
    if (lane.empty()) continue;
    if (!model) model = &lane;
    if (!std::equal(lane.begin(), lane.end(), model->begin(), model->end(),
                    [](const Entry& a, const Entry& b) { return a.site == b.site; }))
      return false;
  }
  return true;
}

void WarpLog::countTogether(Sites& sites) {
  Request request;
  std::size_t length = 0;
  std::uint32_t site = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (lanes_[lane].empty()) continue;
    request.lanes |= 1u << lane;
    length = lanes_[lane].size();
  }
  for (std::size_t step = 0; step < length; ++step) {
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (lanes_[lane].empty()) continue;
      site = lanes_[lane][step].site;
      request.at[lane] = lanes_[lane][step].at;
    }
    countRequest(sites[site], request);
    if (kept_) kept_->push_back(sites[site].step(request.lanes));
  }
}

/// Whether a lane that wants to begin later is still in the round after which another wants to begin earlier:
/// the other began from before it, or it goes round within one line.
bool WarpLog::within(const Round& later, const Round& earlier, const Sites& sites) {
  return earlier.last < later.first || (later.last != nowhere && sites.sameLine(later.first, later.last));
}

/// The next round that some lane wants to begin; of several, the innermost.
WarpLog::Round WarpLog::nextRound(const Sites& sites, const Steps& steps, std::uint32_t here) const {
  Round wanted{nowhere, nowhere};
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (steps[lane] == lanes_[lane].size()) continue;
    const std::uint32_t next = sites.rank(lanes_[lane][steps[lane]].site);
    if (next > here) continue;
    std::uint32_t from = nowhere;
    if (steps[lane] > 0)
      from = sites.rank(lanes_[lane][steps[lane] - 1].site);
    else if (start_)
      from = sites.rank(*start_);
    const Round round{next, from};
    const bool first = wanted.first == nowhere || (round.first == wanted.first && round.last < wanted.last) ||
                       (round.first < wanted.first && !within(wanted, round, sites)) ||
                       (round.first > wanted.first && within(round, wanted, sites));
    if (first) wanted = round;
  }
  return wanted;
}

/// The nearest place ahead of a lane that has not finished the round; without a round, of any lane.
std::uint32_t WarpLog::nextAhead(const Sites& sites, const Steps& steps, std::optional<std::uint32_t> here,
                                 const Round& round) const {
  std::uint32_t nearest = nowhere;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    const auto rest = lanes_[lane].begin() + static_cast<std::ptrdiff_t>(steps[lane]);
    if (rest == lanes_[lane].end()) continue;
    const std::uint32_t next = sites.rank(rest->site);
    if ((here && next <= *here) || next >= nearest) continue;
    const bool finishes =
        round.last == nowhere || std::any_of(rest + 1, lanes_[lane].end(), [&](const Entry& entry) {
          const std::uint32_t rank = sites.rank(entry.site);
          return rank >= round.first && rank <= round.last;
        });
    if (finishes) nearest = next;
  }
  return nearest;
}

void WarpLog::replay(Sites& sites) {
  sites.putInOrder();
  Steps steps{};
  std::optional<std::uint32_t> here; // the rank that the warp has reached
  if (start_) here = sites.rank(*start_);
  while (true) {
    const Round round = here ? nextRound(sites, steps, *here) : Round{nowhere, nowhere};
    const std::uint32_t ahead = nextAhead(sites, steps, here, round);
    here = ahead != nowhere ? ahead : round.first;
    if (*here == nowhere) return;

    Request request;
    std::uint32_t site = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      if (steps[lane] == lanes_[lane].size()) continue;
      const Entry& entry = lanes_[lane][steps[lane]];
      if (sites.rank(entry.site) != *here) continue;
      site = entry.site;
      request.lanes |= 1u << lane;
      request.at[lane] = entry.at;
      ++steps[lane];
    }
    countRequest(sites[site], request);
    if (kept_) kept_->push_back(sites[site].step(request.lanes));
  }
}

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/warp_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace lloyd::simt {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

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
    counters.globalAtomicTurns += globalAtomicTurns(request);
    break;
  case Asked::sharedLoad:
  case Asked::sharedStore:
    ++counters.sharedRequests;
    counters.bankConflicts += bankConflicts(request, site.bytes);
    break;
  case Asked::sharedAtomic:
    ++counters.sharedAtomics;
    counters.sharedAtomicTurns += sharedAtomicTurns(request, site.bytes);
    break;
  case Asked::barrier:
  case Asked::collective:
    return;
  }
  ++counters.requests;
  counters.lanes += static_cast<unsigned>(std::popcount(request.lanes));
}

} // namespace

/// Takes one thing after another that a warp does, and counts the lines that it executes at the first place
/// of each.
class WarpLog::Lines {
public:
  void add(Sites& sites, std::uint32_t site, std::uint32_t lanes) {
    const Place& place = sites[site].place;
    const bool goesOn = !places_.empty() && lanes == lanes_ &&
                        onLineOf(sites[places_.front()].place, place) &&
                        std::ranges::find(places_, site) == places_.end();
    if (!goesOn) {
      places_.clear();
      lanes_ = lanes;
      Counters& counters = sites[site].counters;
      ++counters.warpLines;
      counters.warpLineLanes += static_cast<unsigned>(std::popcount(lanes));
    }
    places_.push_back(site);
  }

private:
  static bool onLineOf(const Place& a, const Place& b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
  }

  std::vector<std::uint32_t> places_; ///< of the present line, each once
  std::uint32_t lanes_ = 0;
};

void WarpLog::clear() {
  for (auto& lane : lanes_)
    lane.clear();
  start_.reset();
}

void WarpLog::keepStep(const Site& site, const Request& request) {
  if (!kept_ || kept_->size() >= mostKept_) return;
  kept_->push_back(site.step(request.lanes));
  kept_->back().at = request.at;
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
  Lines lines;
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
    lines.add(sites, site, request.lanes);
    keepStep(sites[site], request);
  }
}

/// Whether a lane that wants to begin later is still in the round after which another wants to begin earlier:
/// the other began from before it, or it goes round within one line, in a loop of its own.
bool WarpLog::within(const Round& later, const Round& earlier, const Sites& sites, const Steps& steps) const {
  if (earlier.last < later.first) return true;
  if (later.last == nowhere || !sites.sameLine(later.first, later.last)) return false;
  return earlier.last != later.last ||
         left(later.lane, later.last, sites, steps) != left(earlier.lane, later.last, sites, steps);
}

/// How often the lane still comes to the place.
std::ptrdiff_t WarpLog::left(unsigned lane, std::uint32_t rank, const Sites& sites,
                             const Steps& steps) const {
  return std::count_if(lanes_[lane].begin() + static_cast<std::ptrdiff_t>(steps[lane]), lanes_[lane].end(),
                       [&](const Entry& entry) { return sites.rank(entry.site) == rank; });
}

/// The next round that some lane wants to begin; of several, the innermost.
WarpLog::Round WarpLog::nextRound(const Sites& sites, const Steps& steps, std::uint32_t here) const {
  Round wanted{nowhere, nowhere, 0};
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (steps[lane] == lanes_[lane].size()) continue;
    const std::uint32_t next = sites.rank(lanes_[lane][steps[lane]].site);
    if (next > here) continue;
    std::uint32_t from = nowhere;
    if (steps[lane] > 0)
      from = sites.rank(lanes_[lane][steps[lane] - 1].site);
    else if (start_)
      from = sites.rank(*start_);
    const Round round{next, from, lane};
    const bool first = wanted.first == nowhere || (round.first == wanted.first && round.last < wanted.last) ||
                       (round.first < wanted.first && !within(wanted, round, sites, steps)) ||
                       (round.first > wanted.first && within(round, wanted, sites, steps));
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
  Lines lines;
  Steps steps{};
  std::optional<std::uint32_t> here; // the rank that the warp has reached
  if (start_) here = sites.rank(*start_);
  while (true) {
    const Round round = here ? nextRound(sites, steps, *here) : Round{nowhere, nowhere, 0};
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
    lines.add(sites, site, request.lanes);
    keepStep(sites[site], request);
  }
}

} // namespace lloyd::simt

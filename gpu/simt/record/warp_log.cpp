// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/warp_log.hpp"

#include "gpu/simt/record/memory_request.hpp"

#include <algorithm>
#include <limits>

namespace lloyd::simt {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

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
    simt::count(sites[site], request);
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
    simt::count(sites[site], request);
  }
}

} // namespace lloyd::simt

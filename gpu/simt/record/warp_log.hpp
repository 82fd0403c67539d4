// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/record/request_rules.hpp"
#include "gpu/simt/record/sites.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace lloyd::simt {

/// What the lanes of one warp did, each for itself, between two barriers; and the requests that the warp
/// would have made of it.
///
/// The simulator runs lanes one after the other, a card runs them together: lanes that take different
/// branches or leave a loop early wait where their ways meet again. So the logs are replayed as a card goes,
/// forward through the source with every lane that stands at the same place. A lane that has begun the next
/// round of a loop waits for those that have not finished this one; one that is past the loop waits for those
/// that are still in it. Where loops are shows in the logs alone, as steps back in the source. A lane that
/// goes round within one line is in a loop inside another's, or passes over a branch that the other takes: it
/// is in the same loop when both come to the line equally often. What does not show is whether a lane that is
/// ahead has left an inner loop or is in a branch of the round: it is taken to be in a branch when it will
/// come back. Loops whose lanes go different numbers of rounds, inside another
/// loop and without a barrier, are therefore joined less well than a card joins them.
class WarpLog {
public:
  void add(unsigned lane, std::uint32_t site, std::uint64_t at) { lanes_[lane].push_back({site, at}); }
  /// How much this lane has done since it was counted, and where.
  [[nodiscard]] std::size_t done(unsigned lane) const { return lanes_[lane].size(); }
  [[nodiscard]] std::uint32_t site(unsigned lane, std::size_t entry) const {
    return lanes_[lane][entry].site;
  }
  /// Counts the requests at their sites, and forgets what was done.
  void count(Sites& sites);
  /// Requests that are counted are also put behind these steps, up to so many, which must outlive that; null:
  /// they are not.
  void keep(WarpSteps* steps, std::size_t most = std::numeric_limits<std::size_t>::max()) {
    kept_ = steps;
    mostKept_ = most;
  }
  /// The lanes go on from this barrier.
  void startAt(std::uint32_t barrier) { start_ = barrier; }
  /// Forgets everything: a block begins.
  void clear();

private:
  struct Entry {
    std::uint32_t site = 0;
    std::uint64_t at = 0;
  };
  /// One way through a loop, by the ranks of its first and last access in the order of the source, and a
  /// lane that wants to begin it.
  struct Round {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    unsigned lane = 0;
  };
  class Lines;
  using Steps = std::array<std::size_t, warpSize>; ///< how much of each lane's log was replayed

  [[nodiscard]] bool together() const;
  void countTogether(Sites& sites);
  void replay(Sites& sites);
  void keepStep(const Site& site, const Request& request);
  [[nodiscard]] bool within(const Round& later, const Round& earlier, const Sites& sites,
                            const Steps& steps) const;
  [[nodiscard]] std::ptrdiff_t left(unsigned lane, std::uint32_t rank, const Sites& sites,
                                    const Steps& steps) const;
  [[nodiscard]] Round nextRound(const Sites& sites, const Steps& steps, std::uint32_t here) const;
  [[nodiscard]] std::uint32_t nextAhead(const Sites& sites, const Steps& steps,
                                        std::optional<std::uint32_t> here, const Round& round) const;

  std::array<std::vector<Entry>, warpSize> lanes_;
  std::optional<std::uint32_t> start_; ///< the barrier that the lanes come from; none: the kernel's beginning
  WarpSteps* kept_ = nullptr;
  std::size_t mostKept_ = 0;
};

} // namespace lloyd::simt

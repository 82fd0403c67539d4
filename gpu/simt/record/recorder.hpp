// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/races.hpp"
#include "gpu/simt/record/sites.hpp"
#include "gpu/simt/record/warp_log.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Counts what kernels ask for. Lanes run one after the other; what they did between two barriers is joined
/// to the requests that their warp would make (WarpLog).
class Recorder {
public:
  /// Steps that are kept at most, of all warps together; each of them has its share. A step takes some 300
  /// bytes.
  static constexpr std::size_t mostSteps = std::size_t{1} << 18;

  /// Of this block what each warp does is kept, step by step; of several launches one behind the other.
  void keepSteps(unsigned block) { stepsOf_ = block; }
  void beginBlock(unsigned block, std::size_t threads, const SharedMemory& shared) {
    // A block that ended in a fault leaves an interval behind that nobody counts.
    for (WarpLog& warp : warps_)
      warp.clear();
    warps_.resize((threads + warpSize - 1) / warpSize);
    block_ = block;
    shared_ = &shared;
    blocks_ = std::max(blocks_, block + 1);
    if (stepsOf_ == block && steps_.size() < warps_.size()) steps_.resize(warps_.size());
    for (std::size_t warp = 0; warp < warps_.size(); ++warp)
      warps_[warp].keep(stepsOf_ == block ? &steps_[warp] : nullptr, mostOfWarp());
    races_.beginBlock(threads);
  }
  void global(const Lane& lane, Access access, const void* at, std::size_t bytes,
              const SourceLocation& here) {
    const std::uint32_t site = sites_.find(Place(here), asked(access, false), bytes);
    warps_[lane.warp()].add(lane.inWarp(), site, reinterpret_cast<std::uintptr_t>(at));
  }
  void shared(const Lane& lane, Access access, std::size_t offset, std::size_t bytes,
              const SourceLocation& here, const void* stored) {
    const std::uint32_t site = sites_.find(Place(here), asked(access, true), bytes);
    warps_[lane.warp()].add(lane.inWarp(), site, offset);
    races_.access(lane.thread, access, offset, bytes, site, stored);
  }
  /// The lanes of together, in the warp of first, have met at a collective.
  void collective(const Lane& first, std::uint32_t together) {
    if (first.asked.kind == Collective::Kind::activeMask) return; // asks who is there and waits for nobody
    const std::uint32_t site = sites_.find(first.place, Asked::collective, 0);
    ++sites_[site].counters.warpCollectives;
    for (std::uint32_t left = together; left != 0; left &= left - 1)
      warps_[first.warp()].add(static_cast<unsigned>(std::countr_zero(left)), site, 0);
    races_.meet(first.warp(), together);
  }
  void barrier(const Place& place) {
    const std::uint32_t site = sites_.find(place, Asked::barrier, 0);
    ++sites_[site].counters.barriers;
    for (WarpLog& warp : warps_)
      warp.startAt(site);
    if (stepsOf_ != block_) return;
    for (std::size_t warp = 0; warp < warps_.size(); ++warp)
      if (steps_[warp].size() < mostOfWarp()) steps_[warp].push_back(sites_[site].step(0xffffffffu));
  }
  /// All lanes are at a barrier, or done.
  void endInterval() {
    for (WarpLog& warp : warps_)
      warp.count(sites_);
    races_.endInterval(block_, *shared_, sites_);
    if (stepsOf_ == block_) sharedArrays_ = shared_->named();
  }

  void fault(const std::string& sentence) { faults_.push_back(sentence); }
  [[nodiscard]] Trace trace() const {
    Trace trace;
    trace.counters = sites_.total();
    trace.races = races_.found();
    trace.sameValueRaces = races_.foundSameValue();
    trace.examples = races_.examples();
    trace.faults = faults_;
    trace.lines = sites_.lines();
    trace.steps = steps_;
    trace.stepsCut =
        std::ranges::any_of(steps_, [&](const WarpSteps& steps) { return steps.size() >= mostOfWarp(); });
    trace.sharedArrays = sharedArrays_;
    trace.blocks = blocks_;
    return trace;
  }

private:
  [[nodiscard]] std::size_t mostOfWarp() const { return mostSteps / std::max<std::size_t>(1, steps_.size()); }
  static Asked asked(Access access, bool shared) {
    constexpr Asked global[] = {Asked::globalLoad, Asked::globalStore, Asked::globalAtomic};
    constexpr Asked sharedOnes[] = {Asked::sharedLoad, Asked::sharedStore, Asked::sharedAtomic};
    return (shared ? sharedOnes : global)[static_cast<std::size_t>(access)];
  }

  Sites sites_;
  Races races_;
  std::vector<std::string> faults_;
  unsigned block_ = 0;
  unsigned blocks_ = 0;
  const SharedMemory* shared_ = nullptr;
  std::vector<WarpLog> warps_;
  std::optional<unsigned> stepsOf_;
  std::vector<WarpSteps> steps_; ///< [warp] of that block
  std::vector<SharedMemory::Named> sharedArrays_;
};

} // namespace lloyd::simt

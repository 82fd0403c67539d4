// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/block_keeper.hpp"
#include "gpu/simt/record/block_races.hpp"
#include "gpu/simt/record/races.hpp"
#include "gpu/simt/record/sites.hpp"
#include "gpu/simt/record/warp_log.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Counts what kernels ask for. Lanes run one after the other; what they did between two barriers is joined
/// to the requests that their warp would make (WarpLog).
class Recorder {
public:
  static constexpr std::size_t mostSteps = BlockKeeper::mostSteps;

  /// Of this block what each warp does is kept, step by step; of several launches one behind the other.
  void keepSteps(unsigned block) {
    kept_.emplace(block);
    blockRaces_.keep(block);
  }
  void beginLaunch(std::size_t blocks) { blockRaces_.beginLaunch(blocks); }
  void beginBlock(unsigned block, std::size_t threads, const SharedMemory& shared) {
    // A block that ended in a fault leaves an interval behind that nobody counts.
    for (WarpLog& warp : warps_)
      warp.clear();
    warps_.resize((threads + warpSize - 1) / warpSize);
    block_ = block;
    shared_ = &shared;
    blocks_ = std::max(blocks_, block + 1);
    going_ = true;
    for (WarpLog& warp : warps_)
      warp.keep(nullptr);
    if (isKept()) kept_->begin(warps_);
    races_.beginBlock(threads);
    blockRaces_.beginBlock(block);
  }
  void global(const Lane& lane, Access access, const void* at, std::size_t bytes,
              const SourceLocation& here) {
    const std::uint32_t site = sites_.find(Place(here), asked(access, false), bytes);
    blockRaces_.access(lane.thread, access, at, bytes, site);
    warps_[lane.warp()].add(lane.inWarp(), site, reinterpret_cast<std::uintptr_t>(at));
  }
  void shared(const Lane& lane, Access access, std::size_t offset, std::size_t bytes,
              const SourceLocation& here, const void* stored) {
    const std::uint32_t site = sites_.find(Place(here), asked(access, true), bytes);
    WarpLog& warp = warps_[lane.warp()];
    races_.access(lane.thread, access, offset, bytes, static_cast<std::uint32_t>(warp.done(lane.inWarp())),
                  stored);
    warp.add(lane.inWarp(), site, offset);
    if (stored && isKept()) kept_->stores(lane.thread, stored, bytes);
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
  /// The lanes that wait, of all of the block's, go on from this barrier.
  void barrier(const Place& place, std::span<const Lane> lanes) {
    const std::uint32_t site = sites_.find(place, Asked::barrier, 0);
    ++sites_[site].counters.barriers;
    for (WarpLog& warp : warps_)
      warp.startAt(site);
    if (isKept()) kept_->barrier(sites_[site], lanes);
    going_ = true;
  }
  /// All lanes are at a barrier, or done.
  void endInterval() {
    count(sites_, races_);
    if (isKept()) kept_->endInterval(*shared_, races_.clashes(), BlockRecord::Interval::End::finished);
    going_ = false;
  }
  /// All blocks have come to their end, and global memory is still there.
  void endLaunch() { blockRaces_.endLaunch(sites_); }

  /// None of the block's lanes can go on; a fault follows.
  void stuck(std::span<const Lane> lanes) {
    if (isKept()) kept_->stuck(lanes);
  }

  /// The launch has ended with this sentence.
  void fault(const std::string& sentence) {
    faults_.push_back(sentence);
    faultBlock_ = block_;
    if (!going_) {
      if (isKept()) kept_->endsInFault();
      return;
    }
    // What led to the fault was asked. Its races are shown and count nowhere: the interval has no end.
    Races races = races_;
    count(sites_, races);
    if (isKept()) kept_->endInterval(*shared_, races.clashes(), BlockRecord::Interval::End::fault);
    going_ = false;
  }
  [[nodiscard]] Trace trace() const {
    Trace trace;
    trace.counters = sites_.total();
    trace.races = races_.found() + blockRaces_.found();
    trace.sameValueRaces = races_.foundSameValue() + blockRaces_.foundSameValue();
    trace.examples = races_.examples();
    trace.examples.insert(trace.examples.end(), blockRaces_.examples().begin(), blockRaces_.examples().end());
    trace.faults = faults_;
    trace.faultBlock = faultBlock_;
    trace.lines = sites_.lines();
    trace.blocks = blocks_;
    if (kept_) {
      kept_->giveTo(trace);
      blockRaces_.giveTo(trace.block);
    }
    return trace;
  }

private:
  [[nodiscard]] bool isKept() const { return kept_ && kept_->block() == block_ && shared_; }
  void count(Sites& sites, Races& races) {
    races.endInterval(block_, *shared_, sites, [&](const Races::Touch& touch) {
      return warps_[touch.thread / warpSize].site(touch.thread % warpSize, touch.entry);
    });
    for (WarpLog& warp : warps_)
      warp.count(sites);
  }
  static Asked asked(Access access, bool shared) {
    constexpr Asked global[] = {Asked::globalLoad, Asked::globalStore, Asked::globalAtomic};
    constexpr Asked sharedOnes[] = {Asked::sharedLoad, Asked::sharedStore, Asked::sharedAtomic};
    return (shared ? sharedOnes : global)[static_cast<std::size_t>(access)];
  }

  Sites sites_;
  Races races_;
  BlockRaces blockRaces_;
  std::vector<std::string> faults_;
  unsigned block_ = 0;
  unsigned faultBlock_ = 0;
  unsigned blocks_ = 0;
  bool going_ = false; ///< an interval has begun and not ended
  const SharedMemory* shared_ = nullptr;
  std::vector<WarpLog> warps_;
  std::optional<BlockKeeper> kept_;
};

} // namespace lloyd::simt

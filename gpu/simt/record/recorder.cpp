// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/recorder.hpp"

#include <bit>

namespace lloyd::simt {
namespace {

Asked asked(Access access, bool shared) {
  switch (access) {
  case Access::load:
    return shared ? Asked::sharedLoad : Asked::globalLoad;
  case Access::store:
    return shared ? Asked::sharedStore : Asked::globalStore;
  default:
    return shared ? Asked::sharedAtomic : Asked::globalAtomic;
  }
}

} // namespace

void Recorder::beginBlock(unsigned block, std::size_t threads, const SharedMemory& shared) {
  // A block that ended in a fault leaves an interval behind that nobody counts.
  for (WarpLog& warp : warps_)
    warp.clear();
  warps_.resize((threads + warpSize - 1) / warpSize);
  block_ = block;
  shared_ = &shared;
  races_.beginBlock(threads);
}

void Recorder::global(const Lane& lane, Access access, const void* at, std::size_t bytes,
                      const SourceLocation& here) {
  const std::uint32_t site = sites_.find(Place(here), asked(access, false), bytes);
  warps_[lane.warp()].add(lane.inWarp(), site, reinterpret_cast<std::uintptr_t>(at));
}

void Recorder::shared(const Lane& lane, Access access, std::size_t offset, std::size_t bytes,
                      const SourceLocation& here, const void* stored) {
  const std::uint32_t site = sites_.find(Place(here), asked(access, true), bytes);
  warps_[lane.warp()].add(lane.inWarp(), site, offset);
  races_.access(lane.thread, access, offset, bytes, site, stored);
}

void Recorder::collective(const Lane& first, std::uint32_t together) {
  if (first.asked.kind == Collective::Kind::activeMask) return; // asks who is there and waits for nobody
  const std::uint32_t site = sites_.find(first.place, Asked::collective, 0);
  ++sites_[site].counters.warpCollectives;
  for (std::uint32_t left = together; left != 0; left &= left - 1)
    warps_[first.warp()].add(static_cast<unsigned>(std::countr_zero(left)), site, 0);
  races_.meet(first.warp(), together);
}

void Recorder::barrier(const Place& place) {
  const std::uint32_t site = sites_.find(place, Asked::barrier, 0);
  ++sites_[site].counters.barriers;
  for (WarpLog& warp : warps_)
    warp.startAt(site);
}

void Recorder::endInterval() {
  for (WarpLog& warp : warps_)
    warp.count(sites_);
  races_.endInterval(block_, *shared_, sites_);
}

Trace Recorder::trace() const {
  Trace trace;
  trace.counters = sites_.total();
  trace.races = races_.found();
  trace.sameValueRaces = races_.foundSameValue();
  trace.examples = races_.examples();
  trace.faults = faults_;
  trace.lines = sites_.lines();
  return trace;
}

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/block_keeper.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace lloyd::simt {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);

std::size_t wordsOf(std::size_t bytes) { return (bytes + word - 1) / word; }

void addWords(std::vector<std::uint32_t>& words, const void* bytes, std::size_t count) {
  const std::size_t first = words.size();
  words.resize(first + wordsOf(count));
  std::memcpy(words.data() + first, bytes, count);
}

} // namespace

void BlockKeeper::begin(std::span<WarpLog> warps) {
  if (steps_.size() < warps.size()) steps_.resize(warps.size());
  record_.stored.resize(steps_.size());
  queue_.resize(warps.size() * warpSize);
  for (auto& words : queue_)
    words.clear();
  for (std::size_t warp = 0; warp < warps.size(); ++warp)
    warps[warp].keep(&steps_[warp], mostOfWarp());
  begun_.clear();
  for (const WarpSteps& steps : steps_)
    begun_.push_back(steps.size());
  warps_ = warps.size();
  ++launches_;
}

void BlockKeeper::stores(unsigned thread, const void* bytes, std::size_t count) {
  if (!full_) addWords(queue_[thread], bytes, count);
}

void BlockKeeper::endInterval(const SharedMemory& shared, std::span<const Races::Clash> clashes,
                              BlockRecord::Interval::End end) {
  arrays_ = shared.named();
  if (full_) return;
  for (std::size_t warp = 0; warp < steps_.size(); ++warp)
    keepValues(warp, shared);
  BlockRecord::Interval interval{launches_ - 1, end, {}, {}};
  for (std::size_t warp = 0; warp < warps_; ++warp)
    interval.steps.push_back(static_cast<std::uint32_t>(steps_[warp].size() - begun_[warp]));
  full_ = std::ranges::any_of(steps_, [&](const WarpSteps& steps) { return isFull(steps); });
  if (full_) cutToWholeTurns(interval);
  record_.intervals.push_back(std::move(interval));
  keepRaces(clashes);
  for (std::size_t warp = 0; warp < steps_.size(); ++warp)
    begun_[warp] = steps_[warp].size();
  for (auto& words : queue_)
    words.clear();
}

/// Beyond what a full warp did, nobody knows what the others met.
void BlockKeeper::cutToWholeTurns(BlockRecord::Interval& interval) const {
  std::uint32_t turns = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t warp = 0; warp < warps_; ++warp)
    if (isFull(steps_[warp])) turns = std::min(turns, interval.steps[warp]);
  for (std::uint32_t& steps : interval.steps)
    steps = std::min(steps, turns);
  interval.end = BlockRecord::Interval::End::cut;
}

/// A lane's stores stand in its queue in the order of its steps.
void BlockKeeper::keepValues(std::size_t warp, const SharedMemory& shared) {
  std::vector<std::uint32_t>& values = record_.stored[warp];
  std::array<std::size_t, warpSize> taken{};
  for (std::size_t at = begun_[warp]; at < steps_[warp].size(); ++at) {
    WarpStep& step = steps_[warp][at];
    const bool atomic = step.asked == Asked::sharedAtomic;
    if (!atomic && step.asked != Asked::sharedStore) continue;
    step.stored = static_cast<std::uint32_t>(values.size());
    const std::size_t words = wordsOf(step.bytes);
    for (std::uint32_t left = step.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      if (atomic) {
        addWords(values, shared.bytesAt(step.at[lane]), step.bytes);
        continue;
      }
      const std::vector<std::uint32_t>& queue = queue_[warp * warpSize + lane];
      for (std::size_t i = 0; i < words; ++i)
        values.push_back(queue[taken[lane]++]);
    }
  }
}

/// The step of the interval in which the lane did what it did as its entry-th.
BlockRecord::Touch BlockKeeper::touchOf(const Races::Touch& touch) const {
  const std::uint32_t warp = touch.thread / warpSize, lane = touch.thread % warpSize;
  std::uint32_t entry = 0;
  for (std::size_t at = begun_[warp]; at < steps_[warp].size(); ++at)
    if ((steps_[warp][at].lanes >> lane & 1) != 0 && entry++ == touch.entry)
      return {warp, lane, static_cast<std::uint32_t>(at)};
  return {warp, lane, std::numeric_limits<std::uint32_t>::max()};
}

void BlockKeeper::keepRaces(std::span<const Races::Clash> clashes) {
  const auto interval = static_cast<std::uint32_t>(record_.intervals.size() - 1);
  const std::vector<std::uint32_t>& steps = record_.intervals.back().steps;
  const auto isKept = [&](const BlockRecord::Touch& touch) {
    return touch.step < begun_[touch.warp] + steps[touch.warp];
  };
  for (const Races::Clash& clash : clashes) {
    if (record_.races.size() == BlockRecord::mostRaces) {
      record_.racesCut = true;
      return;
    }
    const BlockRecord::Touch one = touchOf(clash.earlier), other = touchOf(clash.later);
    if (isKept(one) && isKept(other))
      record_.races.push_back(
          {static_cast<std::uint32_t>(clash.word), interval, clash.sameValue, one, other});
  }
}

void BlockKeeper::barrier(const Site& site, std::span<const Lane> lanes) {
  if (!full_) {
    BlockRecord::Interval& interval = record_.intervals.back();
    interval.end = BlockRecord::Interval::End::barrier;
    interval.waiting.assign(warps_, 0);
    for (const Lane& lane : lanes)
      if (lane.state == Lane::State::atBarrier) interval.waiting[lane.warp()] |= 1u << lane.inWarp();
  }
  for (std::size_t warp = 0; warp < warps_; ++warp)
    if (!isFull(steps_[warp])) steps_[warp].push_back(site.step(0xffffffffu));
  for (std::size_t warp = 0; warp < steps_.size(); ++warp)
    begun_[warp] = steps_[warp].size();
}

/// A warp's lanes may wait at several barriers: those at its first lane's are kept.
void BlockKeeper::stuck(std::span<const Lane> lanes) {
  endsInFault();
  if (full_ || record_.intervals.empty()) return;
  std::vector<std::uint32_t>& waiting = record_.intervals.back().waiting;
  waiting.assign(warps_, 0);
  for (const Lane& lane : lanes) {
    if (lane.state != Lane::State::atBarrier || isFull(steps_[lane.warp()])) continue;
    std::uint32_t& mask = waiting[lane.warp()];
    const WarpStep here = Site{lane.place, Asked::barrier, 0, {}}.step(0xffffffffu);
    if (mask == 0) steps_[lane.warp()].push_back(here);
    const WarpStep& first = steps_[lane.warp()].back();
    if (first.line == here.line && first.file == here.file) mask |= 1u << lane.inWarp();
  }
}

void BlockKeeper::endsInFault() {
  if (!full_ && !record_.intervals.empty()) record_.intervals.back().end = BlockRecord::Interval::End::fault;
}

void BlockKeeper::giveTo(Trace& trace) const {
  trace.steps = steps_;
  trace.stepsCut = std::ranges::any_of(steps_, [&](const WarpSteps& steps) { return isFull(steps); });
  trace.sharedArrays = arrays_;
  trace.block = record_;
}

} // namespace lloyd::simt

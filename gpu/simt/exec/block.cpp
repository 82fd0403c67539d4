// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/block.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/simt/exec/execution_order.hpp"
#include "gpu/simt/exec/warp.hpp"
#include "gpu/simt/record/recorder.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace lloyd::simt {

constinit thread_local CurrentLane turn;

namespace {

/// Code compiled for any x86-64 processor becomes up to forty times slower where the upper halves of the
/// vector registers are in use: each of its instructions then merges into them. A thread inherits them from
/// the one that started it, and a window's libraries leave them so. Whoever runs long plain code clears them
/// first; what plain code itself keeps in registers is not touched.
void clearUpperRegisters() {
#if defined(__x86_64__) && !defined(__AVX__)
  static const bool has = __builtin_cpu_supports("avx") != 0;
  if (has) asm volatile("vzeroupper");
#endif
}

/// Lanes that wait for the same thing.
struct Group {
  const Lane* first;
  std::size_t lanes = 0;
};

bool sameWait(const Lane& a, const Lane& b) {
  if (a.state != b.state) return false;
  if (a.state == Lane::State::finished) return true;
  return a.place == b.place && (a.state != Lane::State::atCollective || a.asked.kind == b.asked.kind);
}

std::string describe(const Group& group) {
  const Lane& lane = *group.first;
  std::string text = std::to_string(group.lanes) + (group.lanes == 1 ? " thread" : " threads");
  if (lane.state == Lane::State::finished)
    text += " returned";
  else
    text += " at " +
            std::string(lane.state == Lane::State::atBarrier ? "__syncthreads" : nameOf(lane.asked.kind)) +
            " in " + describe(lane.place);
  return text + ", the first is " + describeThread(lane.thread);
}

/// Why a block of which no lane can move is stuck: where its lanes wait, grouped by place.
std::string deadlockReport(std::span<const Lane> lanes, unsigned block) {
  std::vector<Group> groups;
  for (const Lane& lane : lanes) {
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return sameWait(*group.first, lane); });
    if (known == groups.end())
      groups.push_back({&lane, 1});
    else
      ++known->lanes;
  }
  const bool onlyBarriers = std::none_of(
      lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.state == Lane::State::atCollective; });
  std::string text = "block " + std::to_string(block) +
                     (onlyBarriers ? ": its threads wait at different barriers" : ": no thread can go on");
  for (const Group& group : groups)
    text += (&group == groups.data() ? ": " : "; ") + describe(group);
  return text;
}

} // namespace

Block::Block() = default;

Block::~Block() {
  for (const auto& flow : flows_)
    flow->endFrom(home_);
}

void Block::beginLaunch(const Launching& launching) {
  home_.beginHome();
  launching_ = launching;
  shared_.beginLaunch(launching.shape.sharedBytes);
  lanes_.resize(static_cast<std::size_t>(launching.shape.threads));
  order_.clear();
  waiting_.resize((lanes_.size() + warpSize - 1) / warpSize);
}

std::span<Lane> Block::lanesOf(std::size_t warp) {
  const std::size_t first = warp * warpSize;
  return {lanes_.data() + first, std::min<std::size_t>(warpSize, lanes_.size() - first)};
}

void Block::prepare(unsigned index) {
  index_ = index;
  shared_.beginBlock();
  for (std::size_t thread = 0; thread < lanes_.size(); ++thread) {
    lanes_[thread].thread = static_cast<unsigned>(thread);
    lanes_[thread].state = Lane::State::fresh;
  }
  std::fill(waiting_.begin(), waiting_.end(), 0u);
  orderLanes(launching_.schedule, index, lanes_.size(), warpOrder_, order_);
  finished_ = 0;
  atBarrier_ = 0;
  unwritten_.reset();
}

void Block::run(unsigned index) {
  clearUpperRegisters();
  prepare(index);
  const auto blocks = static_cast<unsigned>(launching_.shape.blocks);
  const CurrentLane before =
      std::exchange(turn, CurrentLane{.block = this,
                                      .thread = {},
                                      .blockIndex = {index % blocks, index / blocks, 0},
                                      .blockSize = {static_cast<unsigned>(launching_.shape.threads), 1, 1},
                                      .gridSize = {blocks, launching_.shape.rows, 1},
                                      .recording = launching_.observer.recorder != nullptr,
                                      .observed = launching_.observer.recorder != nullptr ||
                                                  launching_.observer.watch != nullptr ||
                                                  launching_.observer.unwritten != nullptr});
  Recorder* const recorder = launching_.observer.recorder;
  if (recorder) recorder->beginBlock(index, lanes_.size(), shared_);
  try {
    while (true) {
      for (const std::uint16_t warp : warpOrder_)
        runWarp(warp);
      if (unwritten_) throw unwrittenFault();
      if (recorder) recorder->endInterval();
      if (finished_ == lanes_.size()) break;
      openBarrier();
      if (launching_.context->cancelled()) throw Cancelled();
    }
  } catch (...) {
    unwind();
    turn = before;
    throw;
  }
  turn = before;
}

void Block::runWarp(std::size_t warp) {
  do {
    cursor_ = warp * warpSize;
    end_ = std::min(cursor_ + warpSize, lanes_.size());
    Fiber& first = next(nullptr);
    if (&first != &home_) home_.switchTo(first);
    if (failure_ && unwritten_) throw unwrittenFault(); // it came first
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  } while (waiting_[warp] != 0 && bringTogether(warp));
}

bool Block::bringTogether(std::size_t warp) {
  const std::span<Lane> lanes = lanesOf(warp);
  std::uint32_t released = 0;
  const auto release = [&](std::uint32_t together) {
    if (Recorder* const recorder = launching_.observer.recorder)
      recorder->collective(lanes[static_cast<unsigned>(std::countr_zero(together))], together);
    for (std::uint32_t left = together; left != 0; left &= left - 1)
      lanes[static_cast<unsigned>(std::countr_zero(left))].state = Lane::State::ready;
    waiting_[warp] &= ~together;
    released |= together;
  };
  while (const std::uint32_t together = meet(lanes, waiting_[warp], index_))
    release(together);
  // Who is active shows only when nobody in the warp can go on.
  if (released == 0)
    if (const std::uint32_t together = meetActive(lanes, waiting_[warp])) release(together);
  return released != 0;
}

void Block::openBarrier() {
  const std::size_t live = lanes_.size() - finished_;
  const Lane* first = nullptr;
  bool same = atBarrier_ == live;
  unsigned holding = 0;
  for (const Lane& lane : lanes_) {
    if (lane.state != Lane::State::atBarrier) continue;
    if (!first) first = &lane;
    same = same && lane.place == first->place;
    holding += lane.predicate ? 1 : 0;
  }
  Recorder* const recorder = launching_.observer.recorder;
  if (!same || !first) {
    if (recorder) recorder->stuck(lanes_);
    throw Fault(deadlockReport(lanes_, index_));
  }
  if (recorder) recorder->barrier(first->place, lanes_);
  outcome_ = {holding, static_cast<unsigned>(live)};
  atBarrier_ = 0;
  for (Lane& lane : lanes_)
    if (lane.state == Lane::State::atBarrier) lane.state = Lane::State::ready;
}

void Block::unwind() {
  unwinding_ = true;
  cursor_ = end_ = 0;
  for (Lane& lane : lanes_) {
    if (lane.state == Lane::State::fresh || lane.state == Lane::State::finished) continue;
    turn.lane = &lane;
    home_.switchTo(*lane.flow);
  }
  failure_ = nullptr;
  unwinding_ = false;
}

/// Whose turn it is: the flow of a lane that can go on, or one on which a fresh lane will begin. spare is a
/// flow whose lane is done.
Fiber& Block::next(Fiber* spare) {
  while (cursor_ != end_) {
    Lane& lane = lanes_[order_[cursor_++]];
    const bool fresh = lane.state == Lane::State::fresh;
    if (!fresh && lane.state != Lane::State::ready) continue;
    if (fresh) lane.flow = spare ? std::exchange(spare, nullptr) : takeIdle();
    if (spare) idle_.push_back(spare);
    lane.state = Lane::State::running;
    turn.lane = &lane;
    turn.thread.x = lane.thread;
    return *lane.flow;
  }
  if (spare) idle_.push_back(spare);
  return home_;
}

Fiber* Block::takeIdle() {
  if (idle_.empty()) {
    flows_.push_back(std::make_unique<Fiber>(stacks_.take(), [this](Fiber& flow) { serve(flow); }));
    return flows_.back().get();
  }
  Fiber* const flow = idle_.back();
  idle_.pop_back();
  return flow;
}

/// What a flow does all its life: the lane it was taken for, and then the next.
void Block::serve(Fiber& flow) {
  while (!flow.ending()) {
    Lane& lane = *turn.lane;
    try {
      (*launching_.body)();
    } catch (const Unwind&) {
    } catch (...) {
      failure_ = std::current_exception();
      end_ = cursor_;
    }
    lane.state = Lane::State::finished;
    ++finished_;
    Fiber& following = next(&flow);
    if (&following != &flow) flow.switchTo(following);
  }
}

void Block::wait(Lane::State state, const SourceLocation& here) {
  Lane& lane = *turn.lane;
  lane.state = state;
  lane.place = Place(here);
  lane.flow->switchTo(next(nullptr));
  if (unwinding_) throw Unwind();
}

BarrierOutcome Block::barrier(bool predicate, const SourceLocation& here) {
  turn.lane->predicate = predicate;
  ++atBarrier_;
  wait(Lane::State::atBarrier, here);
  return outcome_;
}

std::uint64_t Block::collective(const Collective& asked, const SourceLocation& here) {
  Lane& lane = *turn.lane;
  lane.asked = asked;
  lane.place = Place(here);
  requireSensible(lane, index_);
  waiting_[lane.warp()] |= 1u << lane.inWarp();
  wait(Lane::State::atCollective, here);
  return lane.got;
}

void Block::readsUnwritten(std::size_t offset, std::size_t bytes, const SourceLocation& here) {
  if (!unwritten_) {
    unwritten_ = {offset,
                  bytes,
                  describeThread(turn.lane->thread) + " of block " + std::to_string(index_) + " reads " +
                      shared_.describeElement(offset) +
                      ", to which no thread of the block has stored yet, at " + describe(Place(here)),
                  {}};
    turn.recording = true; // whoever stores there is wanted
  }
  wait(Lane::State::stopped, here);
  throw Unwind(); // nothing but the end of its block wakes it
}

void Block::stores(std::size_t offset, std::size_t bytes, const SourceLocation& here) {
  if (!unwritten_ || !unwritten_->stores.empty()) return;
  if (offset >= unwritten_->offset + unwritten_->bytes || unwritten_->offset >= offset + bytes) return;
  unwritten_->stores = describeThread(turn.lane->thread) + " stores to it at " + describe(Place(here));
}

Fault Block::unwrittenFault() const {
  if (unwritten_->stores.empty()) return Fault(unwritten_->reads);
  return Fault(unwritten_->reads + ": a race, for " + unwritten_->stores +
               " with nothing between them that orders the two");
}

} // namespace lloyd::simt

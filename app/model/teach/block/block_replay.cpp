// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/block/block_replay.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>

namespace lloyd {
namespace {

using simt::Asked;
using simt::WarpStep;

constexpr std::uint32_t everyWarp = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t wordBytes = sizeof(std::uint32_t);

template <class T>
std::size_t bytesOf(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

bool writesShared(const WarpStep& step) {
  return step.asked == Asked::sharedStore || step.asked == Asked::sharedAtomic;
}

} // namespace

/// Goes through the steps in their order and notes what each word holds after each write to it.
class BlockReplay::Writes {
public:
  void beginLaunch() { std::ranges::fill(content_, unwritten); }
  void add(std::uint32_t number, const WarpStep& step, const std::vector<std::uint32_t>& stored) {
    const std::size_t words = (step.bytes + wordBytes - 1) / wordBytes;
    std::size_t value = step.stored;
    for (std::uint32_t left = step.lanes; left != 0; left &= left - 1, value += words) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      const std::size_t first = step.at[lane] / wordBytes;
      const std::size_t end = (step.at[lane] + step.bytes + wordBytes - 1) / wordBytes;
      if (content_.size() < end) content_.resize(end, unwritten);
      auto* bytes = reinterpret_cast<std::byte*>(content_.data());
      std::memcpy(bytes + step.at[lane], stored.data() + value, step.bytes);
      for (std::size_t word = first; word < end; ++word)
        all_.emplace_back(static_cast<std::uint32_t>(word),
                          Write{simt::warpSize * number + lane, content_[word]});
    }
  }
  /// Sorted by word, each word's in the order in which they were added.
  void giveTo(std::vector<Write>& writes, std::vector<std::uint32_t>& begins) const {
    begins.assign(content_.size() + 1, 0);
    for (const auto& [word, write] : all_)
      ++begins[word + 1];
    for (std::size_t word = 1; word < begins.size(); ++word)
      begins[word] += begins[word - 1];
    writes.resize(all_.size());
    std::vector<std::uint32_t> next = begins;
    for (const auto& [word, write] : all_)
      writes[next[word]++] = write;
  }

private:
  static constexpr std::uint32_t unwritten = 0xffffffffu; ///< as the simulator fills it
  std::vector<std::uint32_t> content_;
  std::vector<std::pair<std::uint32_t, Write>> all_;
};

BlockReplay::BlockReplay(std::shared_ptr<const BlockRequests> block, const std::atomic<bool>* cancel)
    : block_(std::move(block)), numbers_(block_->steps.size()) {
  putInOrder(cancel);
  findRaces();
}

void BlockReplay::putInOrder(const std::atomic<bool>* cancel) {
  using Interval = simt::BlockRecord::Interval;
  Writes writes;
  const auto give = [&](std::size_t warp) {
    const auto at = static_cast<std::uint32_t>(numbers_[warp].size());
    order_.push_back({static_cast<std::uint32_t>(warp), at});
    const auto number = static_cast<std::uint32_t>(order_.size());
    numbers_[warp].push_back(number);
    const WarpStep& step = block_->steps[warp][at];
    if (writesShared(step)) writes.add(number, step, block_->record.stored[warp]);
  };
  for (const Interval& interval : block_->record.intervals) {
    const auto begin = static_cast<std::uint32_t>(order_.size());
    if (interval.launch == launchBegins_.size()) {
      launchBegins_.push_back(begin);
      writes.beginLaunch();
    }
    const std::uint32_t turns = interval.steps.empty() ? 0 : std::ranges::max(interval.steps);
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      if (cancel && *cancel) throw Cancelled();
      for (std::size_t warp = 0; warp < interval.steps.size(); ++warp)
        if (turn < interval.steps[warp]) give(warp);
    }
    if (interval.end == End::barrier) {
      order_.push_back({everyWarp, static_cast<std::uint32_t>(numbers_.front().size())});
      barriers_.push_back(static_cast<std::uint32_t>(order_.size()));
      for (std::size_t warp = 0; warp < interval.steps.size(); ++warp)
        numbers_[warp].push_back(barriers_.back());
    }
    stretches_.push_back({begin, static_cast<std::uint32_t>(order_.size())});
  }
  writes.giveTo(writes_, wordBegins_);
  order_.shrink_to_fit();
  for (auto& numbers : numbers_)
    numbers.shrink_to_fit();
}

void BlockReplay::findRaces() {
  using Steps = std::pair<std::uint32_t, std::uint32_t>; // second and first
  std::map<Steps, Race> found;
  std::optional<Steps> named;
  for (const simt::BlockRecord::Race& race : block_->record.races) {
    auto first = race.one, second = race.other;
    const auto numberOf = [&](const simt::BlockRecord::Touch& touch) {
      return numbers_[touch.warp][touch.step];
    };
    if (numberOf(first) > numberOf(second)) std::swap(first, second);
    const auto [known, isNew] = found.try_emplace({numberOf(second), numberOf(first)});
    Race& made = known->second;
    if (isNew)
      made = {numberOf(first), numberOf(second), first.lane, second.lane, race.word, 1, race.sameValue};
    else
      ++made.words;
    made.sameValue = made.sameValue && race.sameValue;
    if (!race.sameValue && !named) named = known->first;
  }
  for (const simt::BlockRecord::BetweenBlocks& race : block_->record.betweenBlocks) {
    const std::uint32_t step = stepOf(race);
    if (step == 0) continue;
    const auto [known, isNew] = found.try_emplace({step, 0});
    Race& made = known->second;
    if (isNew)
      made = {.second = step,
              .secondLane = race.here.thread % simt::warpSize,
              .sameValue = race.sameValue,
              .other = &race};
    else
      ++made.words;
    made.sameValue = made.sameValue && race.sameValue;
    if (!race.sameValue && !named) named = known->first;
  }
  for (const auto& [steps, race] : found) {
    if (steps == named) named_ = races_.size();
    races_.push_back(race);
  }
}

std::uint32_t BlockReplay::stepOf(const simt::BlockRecord::BetweenBlocks& race) const {
  const std::size_t warp = race.here.thread / simt::warpSize, lane = race.here.thread % simt::warpSize;
  if (warp >= numbers_.size()) return 0;
  for (std::size_t at = 0; at < numbers_[warp].size(); ++at) {
    const WarpStep& step = block_->steps[warp][at];
    if (step.asked != race.here.asked || step.line != race.here.line || (step.lanes >> lane & 1) == 0)
      continue;
    const bool isTouched = step.at[lane] < race.word + wordBytes && race.word < step.at[lane] + step.bytes;
    if (isTouched && step.file == race.here.file && launchOf(numbers_[warp][at]) == race.launch)
      return numbers_[warp][at];
  }
  return 0;
}

const WarpStep& BlockReplay::step(std::size_t number) const {
  const Ordered& ordered = order_[number - 1];
  return block_->steps[ordered.warp == everyWarp ? 0 : ordered.warp][ordered.at];
}

std::optional<std::size_t> BlockReplay::warpOf(std::size_t number) const {
  const std::uint32_t warp = order_[number - 1].warp;
  return warp == everyWarp ? std::nullopt : std::optional<std::size_t>(warp);
}

/// The last that begins before this step; behind the last step the very last, which may be without any.
std::size_t BlockReplay::stretchOf(std::size_t number) const {
  if (number >= size()) return stretches_.size() - 1;
  const auto next = std::ranges::lower_bound(stretches_, number, {}, &Stretch::begin);
  return next == stretches_.begin() ? 0 : static_cast<std::size_t>(next - stretches_.begin()) - 1;
}

std::vector<BlockReplay::WarpState> BlockReplay::warpsAfter(std::size_t number) const {
  using Doing = WarpState::Doing;
  std::vector<WarpState> states(warps(), WarpState{Doing::done});
  if (stretches_.empty()) return states;
  const std::size_t at = stretchOf(number);
  const simt::BlockRecord::Interval& interval = block_->record.intervals[at];
  for (std::size_t warp = 0; warp < interval.steps.size(); ++warp) {
    const std::vector<std::uint32_t>& numbers = numbers_[warp];
    const auto begin = std::ranges::upper_bound(numbers, stretches_[at].begin);
    const auto end = std::upper_bound(begin, numbers.end(), number);
    const auto done = std::min<std::ptrdiff_t>(end - begin, interval.steps[warp]);
    const auto stepAt = [&](std::ptrdiff_t behind) {
      return &block_->steps[warp][static_cast<std::size_t>(begin - numbers.begin() + behind)];
    };
    WarpState& state = states[warp];
    if (done > 0) state.step = stepAt(done - 1);
    if (done < interval.steps[warp] || interval.end == End::cut) {
      state.doing = Doing::running;
      state.lanes = state.step ? state.step->lanes : 0;
    } else if (interval.end == End::barrier && interval.waiting[warp] != 0) {
      state = {Doing::waiting, interval.waiting[warp], stepAt(done)};
    } else if (interval.end == End::fault) {
      const bool isOver = number >= size();
      if (isOver && !interval.waiting.empty() && interval.waiting[warp] != 0)
        state = {Doing::stopped, interval.waiting[warp], stepAt(done)};
      else
        state.doing = isOver ? Doing::stopped : Doing::running;
    }
  }
  return states;
}

BlockReplay::Word BlockReplay::wordAfter(std::size_t number, std::size_t word) const {
  if (word + 1 >= wordBegins_.size()) return {};
  const auto begin = writes_.begin() + wordBegins_[word], end = writes_.begin() + wordBegins_[word + 1];
  const auto next = std::upper_bound(begin, end, number,
                                     [](std::size_t at, const Write& write) { return at < write.step(); });
  if (next == begin) return {};
  const Write& last = *(next - 1);
  if (last.step() <= launchBegins_[launchOf(number)]) return {};
  return {last.step(), last.when % simt::warpSize, last.bits};
}

std::uint32_t BlockReplay::launchOf(std::size_t number) const {
  return stretches_.empty() ? 0 : block_->record.intervals[stretchOf(number)].launch;
}

std::uint32_t BlockReplay::launches() const { return static_cast<std::uint32_t>(launchBegins_.size()); }

BlockReplay::End BlockReplay::end() const {
  return block_->record.intervals.empty() ? End::finished : block_->record.intervals.back().end;
}

std::size_t BlockReplay::bytes() const {
  std::size_t sum = bytesOf(order_) + bytesOf(stretches_) + bytesOf(barriers_) + bytesOf(writes_) +
                    bytesOf(wordBegins_) + bytesOf(races_) + bytesOf(block_->record.races) +
                    bytesOf(block_->record.betweenBlocks);
  for (const auto& numbers : numbers_)
    sum += bytesOf(numbers);
  for (const simt::WarpSteps& steps : block_->steps)
    sum += bytesOf(steps);
  for (const auto& stored : block_->record.stored)
    sum += bytesOf(stored);
  for (const simt::BlockRecord::Interval& interval : block_->record.intervals)
    sum += sizeof(interval) + bytesOf(interval.steps) + bytesOf(interval.waiting);
  return sum;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/launch/issue_picture.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace lloyd {
namespace {

using Kind = IssueInstruction::Kind;
using Cycle = std::uint64_t;
constexpr Cycle never = std::numeric_limits<Cycle>::max();

TimelineBar::Kind barOf(Kind kind) {
  switch (kind) {
  case Kind::globalLoad:
    return TimelineBar::Kind::load;
  case Kind::globalStore:
    return TimelineBar::Kind::store;
  case Kind::sharedLoad:
  case Kind::sharedStore:
    return TimelineBar::Kind::shared;
  case Kind::barrier:
    return TimelineBar::Kind::barrier;
  default:
    return TimelineBar::Kind::arithmetic;
  }
}

/// From when on a warp can go on, and the instruction that it waits for until then.
struct Ready {
  Cycle from = never;
  const IssueInstruction* because = nullptr;
};

class Warps {
public:
  Warps(std::span<const IssueSequence> block, std::size_t warps, const IssueLatencies& latencies)
      : latencies_(latencies), perBlock_(block.size()), blocks_((warps + block.size() - 1) / block.size()) {
    for (std::size_t warp = 0; warp < warps; ++warp)
      warps_.push_back({&block[warp % block.size()], {}, 0});
  }

  [[nodiscard]] std::size_t size() const { return warps_.size(); }
  [[nodiscard]] bool done(std::size_t warp) const {
    return warps_[warp].issued.size() == warps_[warp].sequence->size();
  }
  [[nodiscard]] const IssueInstruction& next(std::size_t warp) const {
    return (*warps_[warp].sequence)[warps_[warp].issued.size()];
  }
  [[nodiscard]] std::size_t instruction(std::size_t warp) const { return warps_[warp].issued.size(); }
  /// The cycle behind its last instruction.
  [[nodiscard]] Cycle free(std::size_t warp) const {
    return warps_[warp].issued.empty() ? 0 : warps_[warp].issued.back() + 1;
  }

  /// never: another warp has to issue something first.
  [[nodiscard]] Ready ready(std::size_t warp) const {
    const Warp& one = warps_[warp];
    Ready ready{free(warp), nullptr};
    const auto wait = [&](Cycle until, const IssueInstruction& because) {
      if (until > ready.from) ready = {until, &because};
    };
    for (const std::size_t need : next(warp).needs) {
      const IssueInstruction& needed = (*one.sequence)[need];
      wait(one.issued[need] + latency(needed.kind), needed);
    }
    if (!one.issued.empty()) {
      const IssueInstruction& before = (*one.sequence)[one.issued.size() - 1];
      if (before.kind == Kind::barrier) wait(opened(warp / perBlock_, one.barriers), before);
    }
    return ready;
  }
  void issue(std::size_t warp, Cycle cycle) {
    if (next(warp).kind == Kind::barrier) arrive(warp, cycle);
    warps_[warp].issued.push_back(cycle);
  }

private:
  struct Warp {
    const IssueSequence* sequence;
    std::vector<Cycle> issued; ///< by instruction
    std::size_t barriers;      ///< that it has come to
  };
  struct Barrier {
    std::size_t come = 0;
    Cycle last = 0;
  };

  [[nodiscard]] Cycle latency(Kind kind) const {
    const int cycles = kind == Kind::globalLoad   ? latencies_.globalLoad
                       : kind == Kind::sharedLoad ? latencies_.sharedLoad
                       : kind == Kind::arithmetic ? latencies_.arithmetic
                                                  : 1;
    return static_cast<Cycle>(cycles);
  }
  void arrive(std::size_t warp, Cycle cycle) {
    std::vector<Barrier>& barriers = blocks_[warp / perBlock_];
    const std::size_t which = warps_[warp].barriers++;
    if (barriers.size() <= which) barriers.resize(which + 1);
    ++barriers[which].come;
    barriers[which].last = cycle;
  }
  [[nodiscard]] Cycle opened(std::size_t block, std::size_t which) const {
    const std::size_t here = std::min(perBlock_, size() - block * perBlock_);
    const Barrier& barrier = blocks_[block][which - 1];
    return barrier.come == here ? barrier.last + 1 : never;
  }

  IssueLatencies latencies_;
  std::size_t perBlock_;
  std::vector<Warp> warps_;
  std::vector<std::vector<Barrier>> blocks_; ///< [block], one by one as warps come to them
};

/// Notes what the rows show.
class Rows {
public:
  explicit Rows(std::size_t warps) : scheduler_(warps) {
    for (std::size_t warp = 0; warp < warps; ++warp)
      rows_.push_back({TimelineRow::Kind::warp, "warp " + std::to_string(warp + 1)});
    rows_.push_back({TimelineRow::Kind::scheduler, "scheduler"});
  }
  void waited(std::size_t warp, Cycle from, const Ready& ready) {
    if (ready.from <= from || !ready.because) return;
    const bool barrier = ready.because->kind == Kind::barrier;
    add(warp, from, ready.from, barrier ? TimelineBar::Kind::barrier : TimelineBar::Kind::wait,
        (barrier ? "waits at " : "waits for ") + ready.because->value);
  }
  void issued(std::size_t warp, Cycle cycle, const IssueInstruction& instruction) {
    std::string what = instruction.what;
    if (instruction.line > 0) what += " (line " + std::to_string(instruction.line) + ")";
    add(warp, cycle, cycle + 1, barOf(instruction.kind), std::move(what));
    if (cycle > until_) {
      endBusy();
      add(scheduler_, until_, cycle, TimelineBar::Kind::idle, "nothing to issue");
      since_ = cycle;
    }
    until_ = cycle + 1;
  }
  [[nodiscard]] TimelinePtr timeline() {
    endBusy();
    return std::make_shared<const Timeline>(std::move(rows_), std::move(bars_), TimelineClock::cycles);
  }

private:
  void add(std::size_t row, Cycle from, Cycle to, TimelineBar::Kind kind, std::string what) {
    bars_.push_back({row, static_cast<double>(from), static_cast<double>(to), kind, std::move(what), 0, {}});
  }
  void endBusy() {
    if (until_ > since_) add(scheduler_, since_, until_, TimelineBar::Kind::busy, "issues");
  }

  std::size_t scheduler_;
  std::vector<TimelineRow> rows_;
  std::vector<TimelineBar> bars_;
  Cycle since_ = 0; ///< since when something was issued each cycle
  Cycle until_ = 0; ///< behind the last issue
};

void check(std::span<const IssueSequence> block, std::size_t warps, const IssueLatencies& latencies) {
  if (block.empty() || warps == 0) throw std::invalid_argument("an issue picture needs a warp");
  if (std::min({latencies.globalLoad, latencies.sharedLoad, latencies.arithmetic}) < 1)
    throw std::invalid_argument("latencies are at least one cycle");
  for (const IssueSequence& sequence : block)
    for (std::size_t i = 0; i < sequence.size(); ++i)
      if (std::ranges::any_of(sequence[i].needs, [&](std::size_t need) { return need >= i; }))
        throw std::invalid_argument("an instruction needs what comes behind it");
}

/// Loads are under way from their issue for their latency, whoever needs them.
std::uint64_t mostAtOnce(const std::vector<Cycle>& begins, int latency) {
  std::size_t ended = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    while (begins[ended] + static_cast<Cycle>(latency) <= begins[i])
      ++ended;
    most = std::max(most, i + 1 - ended);
  }
  return most;
}

} // namespace

IssuePicture issuePicture(std::span<const IssueSequence> block, std::size_t count, std::uint64_t pointsAWarp,
                          const IssueLatencies& latencies) {
  check(block, count, latencies);
  Warps warps(block, count, latencies);
  Rows rows(count);
  IssuePicture picture;
  std::vector<Cycle> loads;
  std::size_t turn = 0; // whom the scheduler asks first
  for (Cycle cycle = 0;;) {
    std::optional<std::size_t> chosen;
    Ready ready;
    Cycle earliest = never;
    bool left = false;
    for (std::size_t asked = 0; asked < count && !chosen; ++asked) {
      const std::size_t warp = (turn + asked) % count;
      if (warps.done(warp)) continue;
      left = true;
      ready = warps.ready(warp);
      earliest = std::min(earliest, ready.from);
      if (ready.from <= cycle) chosen = warp;
    }
    if (!left) break;
    if (!chosen) {
      if (earliest == never) throw std::invalid_argument("warps wait at a barrier that others never come to");
      cycle = earliest;
      continue;
    }
    const IssueInstruction& instruction = warps.next(*chosen);
    rows.waited(*chosen, warps.free(*chosen), ready);
    rows.issued(*chosen, cycle, instruction);
    if (instruction.kind == Kind::globalLoad) loads.push_back(cycle);
    picture.issues.push_back({cycle, *chosen, warps.instruction(*chosen)});
    warps.issue(*chosen, cycle);
    turn = (*chosen + 1) % count;
    ++cycle;
  }
  picture.cycles = picture.issues.empty() ? 0 : picture.issues.back().cycle + 1;
  picture.points = pointsAWarp * count;
  picture.mostLoads = mostAtOnce(loads, latencies.globalLoad);
  picture.timeline = rows.timeline();
  return picture;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/launch/issue_sequence.hpp"
#include "gpu/core/timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// A model's, in cycles from the issue of an instruction to that of the first one that can have its value.
/// Loads from global memory take as long as is asked for; the rest is what recent cards are about.
struct IssueLatencies {
  int globalLoad = 400;
  int sharedLoad = 24;
  int arithmetic = 4;
};

/// Warps that share a scheduler, cycle by cycle. The model: each cycle the scheduler issues one instruction
/// of one warp that is ready, the next in turn behind the one before. A warp's instructions are issued in
/// their order. One is ready when all that it needs has been issued for its latency; a load is issued without
/// waiting for its value, as many as there are, and a store waits for what it stores and for nothing behind
/// it. Behind a barrier a warp is ready when all warps of its block that are here have issued theirs. The
/// picture ends with the last instruction.
struct IssuePicture {
  struct Issue {
    std::uint64_t cycle = 0;
    std::size_t warp = 0;
    std::size_t instruction = 0; ///< of the warp's sequence
    bool operator==(const Issue&) const = default;
  };
  std::vector<Issue> issues; ///< by cycle, at most one each
  std::uint64_t cycles = 0;
  std::uint64_t points = 0;    ///< that all warps classify
  std::uint64_t mostLoads = 0; ///< of global memory under way at once, counted in warps' loads
  TimelinePtr timeline;        ///< a row a warp, instructions and waits; and the scheduler's

  [[nodiscard]] double cyclesAPoint() const {
    return points == 0 ? 0.0 : static_cast<double>(cycles) / static_cast<double>(points);
  }
  /// Of the cycles, those in which something was issued.
  [[nodiscard]] double used() const {
    return cycles == 0 ? 0.0 : static_cast<double>(issues.size()) / static_cast<double>(cycles);
  }
  [[nodiscard]] double idle() const { return cycles == 0 ? 0.0 : 1 - used(); }
};

/// block: what each warp of a block does. Of more warps than those the next are of further blocks that do the
/// same; of fewer only the first are here. pointsAWarp: for the numbers. Throws std::invalid_argument for no
/// warps, for latencies below 1, and for an instruction that needs itself or a later one.
[[nodiscard]] IssuePicture issuePicture(std::span<const IssueSequence> block, std::size_t warps,
                                        std::uint64_t pointsAWarp, const IssueLatencies& latencies);

} // namespace lloyd

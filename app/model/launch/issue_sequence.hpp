// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/record/warp_steps.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// One instruction of a warp.
struct IssueInstruction {
  enum class Kind { globalLoad, globalStore, sharedLoad, sharedStore, arithmetic, barrier };
  Kind kind = Kind::arithmetic;
  std::string what;               ///< "load of coordinate 1 of point 2"
  std::string value;              ///< what others wait for: "the points"
  int line = 0;                   ///< of the kernel's source; 0: not from the simulator's log
  std::vector<std::size_t> needs; ///< earlier instructions of the warp whose values it takes
};
using IssueSequence = std::vector<IssueInstruction>;

/// What classify.v8 is run with for the picture: blocks of 128 threads, loads of one float.
struct IssueShape {
  int items = 1; ///< points a thread
  int d = 2;
  int k = 4;
};
inline constexpr int issueBlock = 128;
inline constexpr int issueBlockWarps = issueBlock / 32;

/// Instructions between the loads of a cluster's centre and the next ones, for one point: as many differences
/// and multiply-adds as coordinates, a comparison and two selections, of the distance and of the label. So
/// many the machine code has (resources/measured/instructions.csv).
[[nodiscard]] constexpr int issueArithmetic(int d) { return 2 * d + 3; }

/// The instructions of a warp of classify.v8 whose steps the simulator has logged. Its memory operations and
/// barriers are the log's, in its order. Arithmetic, which the log lacks, is put where its operands are: for
/// each cluster behind the loads of its centre, step by step for all points of the thread in turn, as
/// compilers mix what does not depend on each other; and the comparisons with the old labels before the store
/// or the barrier that needs them first. Addresses, loops and branches are left out.
///
/// What needs what: a difference its coordinate and the centre's; all else of a point what the kernel's
/// source says; a store what it stores. Throws std::invalid_argument for steps that are not those of that
/// kernel in that shape.
[[nodiscard]] IssueSequence issueSequence(std::span<const simt::WarpStep> steps, const IssueShape& shape);

/// Those of the warps of a block that classifies issueBlock * shape.items points, from a run of the kernel's
/// own source on the simulator, which takes a few milliseconds. Throws RequestError where the kernel cannot
/// run so, std::invalid_argument as above, and std::runtime_error where there is no such kernel.
[[nodiscard]] std::vector<IssueSequence> issueSequences(const IssueShape& shape);

} // namespace lloyd

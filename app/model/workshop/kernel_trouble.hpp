// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/trial_problem.hpp"

#include <QString>

#include <atomic>
#include <cstdint>

namespace lloyd {

/// Where a kernel that its trial found wrong is seen to go wrong: on the trial's problem, in one of its
/// orders.
struct KernelTrouble {
  enum class Kind {
    race,
    fault, ///< what ends the launch: an index out of range, a barrier that not all reach, and the like
    none   ///< neither is met there: values are wrong, or other points are needed
  };
  Kind kind = Kind::none;
  TrialProblem at;
  Tuning tuning; ///< the variant's own
  simt::Schedule schedule;
  std::uint32_t block = 0;
  QString why; ///< why nothing is known, a whole sentence; empty where the rest is
};

/// Runs the variant at the stage on the simulator, in this process, in the orders of a trial until one has a
/// race; else the first order with a fault is meant, else the usual one. Throws Cancelled; all else is in the
/// result. Any thread.
[[nodiscard]] KernelTrouble findTrouble(const Variant& variant, Stage stage, const std::atomic<bool>* cancel);
/// What there is to be seen, in a whole sentence: "Block 0 has a race, with lanes and blocks in reverse
/// order".
[[nodiscard]] QString troubleText(const KernelTrouble& trouble);

} // namespace lloyd

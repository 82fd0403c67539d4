// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/kernel_trial.hpp"

#include <atomic>

namespace lloyd {

/// Tries a person's own schedule of sets (Stage::sets), always in this order: held against double precision
/// and against schedule.single, in several orders of the queues' turns, on the simulator, which reports what
/// no event orders; what it gives to queues counted beside the original; raced against the original. What one
/// part finds wrong ends the trial, and is never timed. A schedule is host code, so it is verified and raced
/// on a card where there is one, else on the processors, whose queues do at once what they are given. As
/// tryKernel() otherwise. Throws Cancelled.
[[nodiscard]] KernelTrial trySchedule(const OwnVariant& own, const AlikeOriginal& alike, BeginningCard& card,
                                      const std::atomic<bool>* cancel, const TrialProgress& progress);

} // namespace lloyd

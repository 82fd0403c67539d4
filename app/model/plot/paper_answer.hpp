// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"

#include <QString>

namespace lloyd {

/// What the Multi-level parallelism paper found best for its classification (Fig. 6 and 7: 128 threads in a
/// block, 8 points a thread, nearly 40 % faster than one), beside what a finished sweep of classify over
/// threads, points or both found here. Gains are between the fastest of each number of points. Empty where
/// the sweep does not answer it.
[[nodiscard]] QString paperAnswer(const SweepResult& result);

} // namespace lloyd

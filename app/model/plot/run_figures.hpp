// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/run_history.hpp"
#include "app/plot/figure.hpp"

#include <deque>
#include <memory>
#include <optional>

namespace lloyd {

/// A run, and the other where two are compared.
struct ConvergenceRuns {
  std::deque<IterationStats> run;
  std::optional<std::deque<IterationStats>> other;
};

/// How a run converges: inertia, points that changed their cluster, and the farthest that a centroid moved,
/// one below the other over the same iterations.
[[nodiscard]] Figure convergence(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic);
/// Inertia alone; the title has the newest value.
[[nodiscard]] Figure inertiaAlone(const std::shared_ptr<const ConvergenceRuns>& runs, bool logarithmic);

/// Where the time of each of the last frames went: stages stacked over frames, in microseconds. Where the
/// worker iterates beside the frames, of each iteration. waiting: with the time that the window waited for
/// the screen.
[[nodiscard]] Figure frameTimes(const std::shared_ptr<const FrameLog>& record, bool simulated, bool waiting);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/cell_run.hpp"

namespace lloyd {

tl::expected<CellRun, std::string> runOfCell(const SweepPlan& plan, std::size_t column, std::size_t row,
                                             std::size_t candidate, const Settings& now,
                                             const Plan& iterating, const DataRequest& request) {
  const Candidate one = plan.candidateAt(column, row, candidate);
  if (one.stage == Stage::layout)
    return tl::unexpected(one.variant->id() + " brings points into another layout: it is measured, and is no "
                                              "part of a run");
  CellRun run{now, std::nullopt};
  run.settings.selection = withVariant(now.selection, iterating, one.stage, *one.variant);
  run.settings.selection.tuning = tuningParametersFor(*one.variant, one.tuning);
  const Problem problem = plan.problemAt(column, row);
  if (plan.sweeps(SweepParameter::k)) run.settings.k = problem.k;
  const DataChanges changes = plan.dataAt(column, row);
  const bool sized = plan.sweeps(SweepParameter::n) || plan.sweeps(SweepParameter::d);
  if (!request.path.empty() || (!sized && changes.empty())) return run;
  auto made = sizedRequest(request, problem.n, problem.d, changes);
  if (!made) return tl::unexpected(made.error());
  run.points = std::move(*made);
  return run;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "gpu/engine/plan.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace lloyd {

/// What a session needs to go on with what was measured at a place of a sweep.
struct CellRun {
  Settings settings;
  std::optional<DataRequest> points; ///< other ones than it has
};

/// now, iterating and request are the session's. Of a file's points all are kept, however many the sweep
/// took of them. The error is a sentence.
[[nodiscard]] tl::expected<CellRun, std::string> runOfCell(const SweepPlan& plan, std::size_t column,
                                                           std::size_t row, std::size_t candidate,
                                                           const Settings& now, const Plan& iterating,
                                                           const DataRequest& request);

} // namespace lloyd

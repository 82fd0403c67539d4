// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/run_report.hpp"
#include "app/model/session/session.hpp"

namespace lloyd {

/// What a session has done so far, as the report of a run. result must belong to the session's present
/// centroids, as Session::fetchLabels hands it over.
[[nodiscard]] RunReport reportOf(const Session& session, const IterationResult& result);

} // namespace lloyd

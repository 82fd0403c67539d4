// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/teach/counter_model.hpp"
#include "gpu/core/contract/variant.hpp"
#include "gpu/engine/seeding.hpp"

#include <QString>

#include <atomic>
#include <map>
#include <optional>

namespace lloyd {

/// What one run took, by the names that questions have for it: of a schedule, what the host ordered; of a
/// variant for processors, what the processor did in the first iteration.
struct RunCounts {
  std::map<QString, double> values = {};
  double sets = 0;       ///< that the run had; 0: none, so that nothing is shared by them
  double iterations = 0; ///< of all sets
  QString setting = {};  ///< what ran, a line or two for people
};

/// A number of a run by its name: "host waits", "copies up", "points taken". Nothing for a name that is no
/// quantity of a run; one without a value where the run has no such number.
[[nodiscard]] std::optional<NamedCount> runQuantity(const QString& name, const RunCounts& run);
[[nodiscard]] inline bool isRunQuantity(const QString& name) { return runQuantity(name, {}).has_value(); }

/// Runs the variant once, on points that it may cut to the first few thousand. A schedule runs on the
/// simulator: four sets of these points, each until no label changes, or a loop of iterations; its copies,
/// launches and waits are those that it orders of any device. A variant for processors does one iteration on
/// the processor. Both begin with the init's centroids of seed 1. Throws RequestError when the variant cannot
/// run it, std::invalid_argument for a kernel, DeviceError, Cancelled. Any thread.
[[nodiscard]] RunCounts countRun(const Variant& variant, const PointSet& points, int k, const Init& init,
                                 const Tuning& tuning, const std::atomic<bool>* cancel);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/stage_harness.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QByteArray>

#include <cstdint>
#include <string>
#include <vector>

namespace lloyd {

/// One stage of one variant on one problem, and what tracing it told.
struct TracedStage {
  Candidate candidate;
  Problem problem;
  simt::Trace trace;
  std::string source{}; ///< of its points: file or generator

  /// Whether a schedule could change a result, or a launch did not reach its end.
  [[nodiscard]] bool ok() const { return trace.races == 0 && trace.faults.empty(); }
};

/// A variant that could not be traced, and why.
struct Untraced {
  std::string variant;
  std::string reason;
};

struct TraceReport {
  std::string source;     ///< file or generator, of the first
  std::uint64_t seed = 1; ///< of the initial centroids
  simt::Schedule schedule;
  std::vector<TracedStage> stages;
  std::vector<Untraced> untraced;

  [[nodiscard]] bool ok() const;
};

/// "forward", "reverse" or "seeded:7"
[[nodiscard]] std::string scheduleText(const simt::Schedule& schedule);

/// Always a list, an object for each stage traced.
[[nodiscard]] QByteArray traceJson(const TraceReport& report);
/// For a terminal: a table for each problem and its points, then races and faults as sentences. Where one
/// stage was traced, its source follows, each line with what it asked for.
[[nodiscard]] QByteArray traceText(const TraceReport& report);

/// The same for stages that were launched on a card and not counted: variant, stage, problem and tuning
/// parameters, in the order of their launches.
[[nodiscard]] QByteArray launchesJson(const std::vector<TracedStage>& launches);
[[nodiscard]] QByteArray launchesText(const std::vector<TracedStage>& launches);

} // namespace lloyd

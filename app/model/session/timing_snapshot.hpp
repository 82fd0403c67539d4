// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Live times of a session summed up at one moment, for everything that shows them: samples are sorted once.
/// It does not change.
struct TimingSnapshot {
  struct Row {
    Stage stage = Stage::unaccounted;
    std::string variant; ///< id; empty for stages that have none
    Summary times;
    double share = 0;         ///< of the median of the sum it belongs to, 0 to 1
    bool inIteration = false; ///< part of the iteration's sum
    bool inFrame = false;     ///< part of the frame's sum
    bool current = false;     ///< used in the last iteration or frame
  };
  std::vector<Row> rows; ///< in the order of stages, then of variants' names
  Summary iteration;
  Summary frame;

  /// The times of a stage and variant; no samples where there is no such row.
  [[nodiscard]] Summary timesOf(Stage stage, std::string_view variant) const;
};

using TimingSnapshotPtr = std::shared_ptr<const TimingSnapshot>;

} // namespace lloyd

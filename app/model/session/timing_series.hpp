// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// Live times of a session summed up at one moment, for everything that shows them: samples are sorted once.
/// It does not change.
struct TimingSnapshot {
  struct Row {
    Stage stage = Stage::unaccounted;
    std::string variant; ///< id; empty for stages that have none
    Summary times;
    double share = 0;                ///< of the median of the sum it belongs to, 0 to 1
    bool inIteration = false;        ///< part of the iteration's sum
    bool inFrame = false;            ///< part of the frame's sum
    bool current = false;            ///< used in the last iteration or frame
    std::optional<double> rechecked; ///< of its points in the last iteration, as Measurement has it
  };
  std::vector<Row> rows; ///< in the order of stages, then of variants' names
  Summary iteration;
  Summary frame;

  /// The times of a stage and variant; no samples where there is no such row.
  [[nodiscard]] Summary timesOf(Stage stage, std::string_view variant) const;
};

using TimingSnapshotPtr = std::shared_ptr<const TimingSnapshot>;

/// Live times of a session: one series for each stage and variant that was used, and two sums. GUI thread.
class TimingSeries {
public:
  struct Row {
    Stage stage = Stage::unaccounted;
    std::string variant; ///< id; empty for stages that have none
    SampleSeries series;
    bool inIteration = false; ///< part of the iteration's sum
    bool inFrame = false;     ///< part of the frame's sum
    bool current = false;     ///< used in the last iteration or frame
    std::optional<double> rechecked;
  };

  void clear() { *this = TimingSeries(); }
  /// Adds one sample. A new row appears where none was.
  void add(Stage stage, const std::string& variant, double us, bool inIteration, bool inFrame);
  /// Adds what happens once, outside iterations and frames: no warm-up is thrown away.
  void addOnce(Stage stage, double us) { add(stage, "", us, false, false); }
  /// Of the points, how many the variant computed distances of because scores could not tell: 0 to 1. For a
  /// row that is there.
  void setRechecked(Stage stage, const std::string& variant, double share);
  /// Begins an iteration or frame: rows not added to until the next are not current.
  void beginIteration() {
    snapshot_.reset();
    for (auto& [key, row] : rows_)
      if (row.inIteration) row.current = false;
  }
  void beginFrame() {
    snapshot_.reset();
    for (auto& [key, row] : rows_)
      if (row.inFrame && !row.inIteration) row.current = false;
  }
  void addIterationSum(double us) {
    snapshot_.reset();
    iteration_.add(us);
  }
  void addFrameSum(double us) {
    snapshot_.reset();
    frame_.add(us);
  }

  /// In the order of stages, then of variants' first use.
  [[nodiscard]] std::vector<const Row*> rows() const;
  [[nodiscard]] const Row* find(Stage stage, const std::string& variant) const;
  [[nodiscard]] const SampleSeries& iteration() const { return iteration_; }
  [[nodiscard]] const SampleSeries& frame() const { return frame_; }
  /// All of it summed up; the same one until something is added.
  [[nodiscard]] TimingSnapshotPtr snapshot() const;

private:
  std::map<std::pair<Stage, std::string>, Row> rows_;
  SampleSeries iteration_;
  SampleSeries frame_;
  mutable TimingSnapshotPtr snapshot_; ///< null: something was added since
};

} // namespace lloyd

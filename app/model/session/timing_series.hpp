// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/timing_snapshot.hpp"
#include "gpu/core/contract/stage.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lloyd {

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
  };

  void clear();
  /// Adds one sample. A new row appears where none was.
  void add(Stage stage, const std::string& variant, double us, bool inIteration, bool inFrame);
  /// Adds what happens once, outside iterations and frames: no warm-up is thrown away.
  void addOnce(Stage stage, double us);
  /// Begins an iteration or frame: rows not added to until the next are not current.
  void beginIteration();
  void beginFrame();
  void addIterationSum(double us);
  void addFrameSum(double us);

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

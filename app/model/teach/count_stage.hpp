// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QString>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace lloyd {

/// What one variant asked, or why nobody knows.
struct StageCount {
  const Variant* variant = nullptr;
  std::optional<simt::Trace> trace;
  QString why; ///< a whole sentence; empty when there is a trace
};

/// Everything that a count needs, copied or shared, so that a session may go on meanwhile.
struct CountInput {
  TeachSubject subject;
  Problem problem;
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
  std::vector<float> used;      ///< what the labels before were found with; empty: there are none
};

/// The labels before the counted classification; empty when there are none, or the stage wants none.
[[nodiscard]] std::vector<Label> labelsBefore(const CountInput& input);
/// Records one launch of a variant at the subject's stage. Throws Cancelled; all else is in the result. A
/// null variant gives an empty count. Any thread.
[[nodiscard]] StageCount countStage(const CountInput& input, const std::vector<Label>& oldLabels,
                                    const Variant* variant, const std::atomic<bool>* cancel);

/// Does work and gives back in words what it throws; Cancelled goes on to the caller. Empty when all went
/// well.
[[nodiscard]] QString describeError(const std::function<void()>& work);

} // namespace lloyd

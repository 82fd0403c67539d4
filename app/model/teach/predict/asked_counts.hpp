// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_service.hpp"
#include "app/model/teach/predict/question.hpp"
#include "app/model/teach/predict/run_counts.hpp"

#include <QString>

#include <atomic>
#include <map>
#include <optional>

namespace lloyd {

/// What questions are answered from that ask for more than the launches that Teach counts: another variant,
/// other points, or a run.
struct AskedCount {
  StageCount launch = {};       ///< for a quantity of a launch
  std::optional<RunCounts> run; ///< for a quantity of a run
  QString why = {};             ///< there is neither, a whole sentence
};
/// By askedKey().
using AskedCounts = std::map<QString, AskedCount>;

/// What a question's answer is counted on; empty where the launches that Teach counts have it.
[[nodiscard]] QString askedKey(const Question& question);
/// The stage that a variant is taught at: what the simulator counts first.
[[nodiscard]] Stage stageTaught(const Variant& variant);

/// Counts what the question asks, whose key is not empty. taught: whose points, k and launch it is asked of;
/// null: for questions with points of their own. Throws Cancelled; all else is in the result. Any thread.
[[nodiscard]] AskedCount countAsked(const Question& question, const TeachCounts* taught,
                                    const std::atomic<bool>* cancel);

} // namespace lloyd

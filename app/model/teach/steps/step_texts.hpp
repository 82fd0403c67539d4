// SPDX-License-Identifier: GPL-3.0-or-later
// What lists, reports and Teach say of a step of the texts, the same everywhere.
#pragma once
#include "app/model/teach/steps/measured_steps.hpp"

#include <QString>
#include <QStringList>

#include <optional>

namespace lloyd {

/// "holds in part"; for undecided ones too.
[[nodiscard]] QString judgementText(StepJudgement judgement);
/// The rule of judgeStep() in a sentence or two.
[[nodiscard]] QString judgementRule();

/// A step as a row of a table.
struct StepCells {
  QString step;    ///< "classify.v2 after v1"
  QString there;   ///< "2.06 (243 to 118 µs)": how many times as fast; an en dash where the text has no time
  QString printed; ///< likewise, of the kernels as printed
  QString here;    ///< "1.01 (1.00 to 1.01)": with its interval
  QString verdict; ///< "the same within 1 %"
  QString judgement; ///< "no longer"
};
/// here: null where it was not measured.
[[nodiscard]] StepCells cellsOf(const TextStep& step, const StepHere* here);

/// "V2: in the text 2.06 times as fast as V1 (243, then 118 µs; lines 73, 142). On an NVIDIA H200: the same
/// within 1 %. The step no longer holds." here: null where it was not measured.
[[nodiscard]] QString stepSentence(const TextStep& step, const StepHere* here);
/// What else there is to say: "V1 at another launch: 170 µs (line 74)."; mostly empty.
[[nodiscard]] QString stepRemark(const TextStep& step);

} // namespace lloyd

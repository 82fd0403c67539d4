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
  QString verdict; ///< "the same within 1 %", "1.63 times as fast", "1.32 times as long"
  QString judgement; ///< "no longer"
};
/// here: null where it was not measured.
[[nodiscard]] StepCells cellsOf(const TextStep& step, const StepHere* here);

/// "V3: in the text 2.62 times as fast as V2 (118, then 45 µs; lines 142 and 214 of the article). On an
/// NVIDIA H200: 1.63 times as fast as V2. The step holds in part." here: null where it was not measured.
[[nodiscard]] QString stepSentence(const TextStep& step, const StepHere* here);
/// What else there is to say: "V1 at another launch: 170 µs with block 128 (line 74 of the article)."; mostly
/// empty.
[[nodiscard]] QString stepRemark(const TextStep& step);

/// "paper: 45.0 µs on its author's card · here: 8.93 µs live"; where a paper has a time at two launches, both
/// with their block. liveUs: the live median on the present data. A time on the simulator is a simulator's
/// and is never shown as if it were the variant's: it reads "simulated".
[[nodiscard]] QString figuresText(const Variant& variant, std::optional<double> liveUs, Backend backend);
/// What the two figures can be compared for, and under which conditions the paper's was taken.
[[nodiscard]] QString figuresMeaning(const Variant& variant);

} // namespace lloyd

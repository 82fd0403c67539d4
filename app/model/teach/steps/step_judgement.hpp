// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/steps/text_steps.hpp"
#include "gpu/core/stats/comparison.hpp"

namespace lloyd {

/// Whether what a text gained by a step is still gained.
enum class StepJudgement {
  untold,    ///< the text has no time of it
  undecided, ///< the samples here do not say
  holds,     ///< the same direction, and as much as in the text
  inPart,    ///< the same direction, and less
  noLonger,  ///< the text has a difference, here there is none
  reversed,  ///< the other direction
  onlyHere   ///< the text has no difference, here there is one
};

/// The rule. A text prints whole microseconds, so its gain lies between (before - 0.5) / (now + 0.5) and
/// (before + 0.5) / (now - 0.5); where that holds 1, the text has no difference. The direction here is the
/// verdict's. As much as in the text means that the end of the interval here that lies farther from 1
/// reaches the end of the text's gain that lies nearer to 1. beforeUs and nowUs: the text's, microseconds;
/// here: time over the time before. What is no positive number is untold there and undecided here.
[[nodiscard]] StepJudgement judgeStep(double beforeUs, double nowUs, const Comparison& here);
[[nodiscard]] inline StepJudgement judgeStep(const TextStep& step, const Comparison& here) {
  return judgeStep(step.thereBefore.us, step.there.us, here);
}

/// For programs: "no_longer".
[[nodiscard]] std::string_view name(StepJudgement judgement);

} // namespace lloyd

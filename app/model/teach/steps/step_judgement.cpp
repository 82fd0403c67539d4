// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/step_judgement.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr double rounding = 0.5; ///< microseconds that a printed time may be off

bool isTime(double us) { return std::isfinite(us) && us > rounding; }

} // namespace

StepJudgement judgeStep(double beforeUs, double nowUs, const Comparison& here) {
  if (!isTime(beforeUs) || !isTime(nowUs)) return StepJudgement::untold;
  const double least = (beforeUs - rounding) / (nowUs + rounding);
  const double most = (beforeUs + rounding) / (nowUs - rounding);
  const bool none = least <= 1 && most >= 1;
  switch (here.verdict) {
  case Verdict::same:
    return none ? StepJudgement::holds : StepJudgement::noLonger;
  case Verdict::faster: {
    if (!(here.low > 0)) break;
    const bool reaches = 1 / here.low >= least;
    if (none) return 1 / here.high <= most ? StepJudgement::holds : StepJudgement::onlyHere;
    if (most < 1) return StepJudgement::reversed;
    return reaches ? StepJudgement::holds : StepJudgement::inPart;
  }
  case Verdict::slower: {
    if (!std::isfinite(here.high)) break;
    const bool reaches = 1 / here.high <= most;
    if (none) return 1 / here.low >= least ? StepJudgement::holds : StepJudgement::onlyHere;
    if (least > 1) return StepJudgement::reversed;
    return reaches ? StepJudgement::holds : StepJudgement::inPart;
  }
  case Verdict::undecided:
    break;
  }
  return StepJudgement::undecided;
}

std::string_view name(StepJudgement judgement) {
  constexpr std::string_view names[] = {"untold",    "undecided", "holds",    "in_part",
                                        "no_longer", "reversed",  "only_here"};
  return names[static_cast<std::size_t>(judgement)];
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/text_table.hpp"
#include "app/model/teach/steps/step_texts.hpp"

#include <QJsonArray>
#include <QString>

#include <vector>

namespace lloyd {

/// A step of the texts and what was measured of it.
struct ReportedStep {
  const TextStep* step = nullptr; ///< never null
  std::optional<StepHere> here;
};

/// The steps of which the race has both versions; none of a race that was not run on an NVIDIA card.
[[nodiscard]] std::vector<ReportedStep> stepsOf(const RaceResult& race);
/// All of them with the figures in the program.
[[nodiscard]] std::vector<ReportedStep> shippedSteps();

/// One line a step: there, as printed, here, the verdict, and what becomes of the step.
[[nodiscard]] TextTable stepTable(const std::vector<ReportedStep>& steps);
/// What the table needs to be read: its units, its rule, and the remarks of single steps.
[[nodiscard]] QStringList stepRemarks(const std::vector<ReportedStep>& steps);

/// [{"variant", "before", "there": {"us", "before_us", "line", "before_line", "gain"}, "printed": {...},
/// "here": {"card", "us", "before_us", "ratio", "low", "high", "pairs", "same_within", "verdict"},
/// "judgement", "cells": [as the table has them]}]; null where something is not known. ratio is a ratio of
/// times, gain how many times as fast.
[[nodiscard]] QJsonArray stepsJson(const std::vector<ReportedStep>& steps);

} // namespace lloyd

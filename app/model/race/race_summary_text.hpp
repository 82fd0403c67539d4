// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/baseline.hpp"

#include <QString>

#include <optional>
#include <vector>

namespace lloyd {

/// The verified variants that share the first rank of a stage, fastest median first; empty when none is
/// ranked.
[[nodiscard]] std::vector<const Measurement*> fastestOf(const RaceResult& race, Stage stage);
/// The stage at which the fastest variant gains most on the first of its family; of equal ones the first. A
/// stage with a single variant gains nothing. Nothing when no variant is ranked.
[[nodiscard]] std::optional<Stage> stageOfLargestGain(const RaceResult& race);
/// What a person should read first of a stage: "reduce.v7 is the fastest way to reduce here: faster by 61.2 %
/// than reduce.v1". Empty when no variant of it is ranked.
[[nodiscard]] QString raceHeadline(const RaceResult& race, Stage stage);
/// How it was measured: "65,536 points, 2 dimensions, k = 16; hot caches, 120 rounds, clock 1,980 MHz stable,
/// 3 throttled samples thrown away, 21.0 s; undecided: 1".
[[nodiscard]] QString raceConditionsText(const RaceResult& race);
/// A finished race in a menu: "14:05:32, 65,536 points, k = 16, hot caches, NVIDIA H200".
[[nodiscard]] QString raceMomentText(const RaceResult& race);

} // namespace lloyd

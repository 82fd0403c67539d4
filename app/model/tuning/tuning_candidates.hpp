// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace lloyd {

/// What tuning finds one winner for: the variants of a stage. Fused ones that work on tiles are apart from
/// the rest, which serve points that move as well.
enum class TunedStage { classify, reduce, fused, tiled, update };
inline constexpr std::array tunedStages{TunedStage::classify, TunedStage::reduce, TunedStage::fused,
                                        TunedStage::tiled, TunedStage::update};

[[nodiscard]] constexpr Stage stageOf(TunedStage part) {
  switch (part) {
  case TunedStage::classify:
    return Stage::classify;
  case TunedStage::reduce:
    return Stage::reduce;
  case TunedStage::fused:
  case TunedStage::tiled:
    return Stage::fused;
  default:
    return Stage::update;
  }
}
[[nodiscard]] TunedStage tunedStageOf(const Candidate& candidate);

/// Every variant of an iteration's stages that the device's backend has: with its own tuning parameters, and
/// with each tuning parameter one step up and one step down. Variants that want records are left out, because
/// making those is no part of the stage's time, and so is one that does not say whether a label changed,
/// because a run could not end by it. wanted, when given, says which variants may be chosen.
[[nodiscard]] std::vector<Candidate> tuningCandidates(const DeviceInfo& device,
                                                      const std::function<bool(const Variant&)>& wanted = {});

/// What the program would take for a part at present, whichever form the iteration has; nothing when no
/// variant can run, or none of tiles was ever the faster.
[[nodiscard]] std::optional<Candidate> presentDefault(TunedStage part, const Problem& problem,
                                                      const DeviceInfo& device, const TuningTable& table);

} // namespace lloyd

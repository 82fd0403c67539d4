// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
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

/// The best of a stage's rows that ran and are not among the excluded: the fastest; but its variant with its
/// own tuning parameters, where the fastest does not displace that, and standing, where the fastest does not
/// displace standing. Rows have samples of the same rounds. Null when none ran.
[[nodiscard]] const Measurement* bestOf(const std::vector<Measurement>& rows, Stage stage,
                                        const std::optional<Candidate>& standing,
                                        const std::vector<Candidate>& excluded);
/// Whether an iteration should fuse: the standing form, unless the other displaces it. The rows have samples
/// of the same rounds; any of them may be null, and a form that lacks one cannot be taken.
[[nodiscard]] bool shouldFuse(const Measurement* fused, const Measurement* classify,
                              const Measurement* reduce, bool standing);

/// Whether points that stand still should be put in order for tiled: the standing form, unless the other
/// displaces it, as above. The other form is fused, or classify and reduce where that is null.
[[nodiscard]] bool shouldTile(const Measurement* tiled, const Measurement* fused, const Measurement* classify,
                              const Measurement* reduce, bool standing);
/// The row with us more in every sample that was kept: what a launch costs beside itself.
[[nodiscard]] Measurement withShare(Measurement row, double us);

/// What measuring one problem found.
struct TunedProblem {
  TuningEntry entry;              ///< without its date
  std::vector<std::string> wrong; ///< candidates that differ from double precision, in words
  std::vector<Candidate> behind;  ///< so far behind the fastest of their part that more points will not help
};

/// Measures one problem. Each candidate that can run is timed a few times; those near the fastest of their
/// part, and the present default, are checked and then race in turns; what is chosen has been checked on this
/// very problem. Variants of tiles are timed with their share of putting the points in order, and left out
/// where memory has no room for tiles. Nothing when no iteration can be made of what is right without them.
/// budgetSeconds bounds the race, and no round less than five is run. tick is called between measurements and
/// may throw Cancelled. Throws DeviceError, Cancelled.
[[nodiscard]] std::optional<TunedProblem> tuneProblem(StageHarness& bench,
                                                      const std::vector<Candidate>& candidates,
                                                      const TuningTable& table, double budgetSeconds,
                                                      const std::function<void()>& tick = {});

} // namespace lloyd

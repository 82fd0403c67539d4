// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "gpu/core/contract/variant.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QString>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lloyd {

// Enough points for several blocks, the last of which has threads without any; and few enough that all of a
// trial takes a second.
inline constexpr std::size_t triedPoints = 2000;
inline constexpr int triedClusters = 16;
inline constexpr std::uint64_t trialSeed = 1;
/// The orders in which the simulator gives lanes and blocks their turns when a trial traces a kernel. A lane
/// that reads too early finds the right value in one order and none in another. Counters are those of the
/// first.
inline constexpr std::array trialOrders{simt::Schedule{}, simt::Schedule{simt::Schedule::Order::reverse},
                                        simt::Schedule{simt::Schedule::Order::seeded, trialSeed}};

/// What a trial traces a kernel on.
struct TrialProblem {
  Problem problem;
  SharedPointSet points;
  std::vector<float> centroids; ///< [k][d]
};

/// Blobs of as many points and clusters; null where there are none.
[[nodiscard]] SharedPointSet trialBlobs(const Problem& problem);
/// With as few dimensions as the variant takes at the stage on the simulator; nothing where it takes none
/// that are tried. Throws Cancelled.
[[nodiscard]] std::optional<TrialProblem> trialProblem(const Variant& variant, Stage stage,
                                                       const Tuning& tuning, const std::atomic<bool>* cancel);

/// What of the variant's templates a trial calls, and what a race against a copy of it with one other
/// parameter calls, as CalledChoices::text() has it; as far as that is found without running a kernel.
[[nodiscard]] QString trialChoices(const Variant& variant);
[[nodiscard]] QString raceChoices(const Variant& variant);

} // namespace lloyd

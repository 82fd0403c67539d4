// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <array>
#include <string>
#include <vector>

namespace lloyd {

/// Which variants a person asked for, by id; an empty one is left to the program.
struct Selection {
  std::string classify = {};
  std::string reduce = {};
  std::string fused = {}; ///< excludes the two above
  std::string update = {};
  /// Repeats whole iterations of a fused variant, or runs several sets; empty: one iteration at a time.
  std::string schedule = {};
  Tuning tuning = {}; ///< tuning parameters that at least one chosen variant must have
  bool operator==(const Selection&) const = default;
};

/// Where the variants that a person left to the program come from.
struct DefaultSource {
  TuningOrigin origin = TuningOrigin::asked;
  MeasuredDevice device; ///< on which they were measured; of a measurement alone, as what follows
  Problem problem;       ///< that was measured, the nearest there is
  std::string date;      ///< of the measurement
  bool operator==(const DefaultSource&) const = default;
};

/// Whether points may be put in order for the program's own choice. A variant that works on tiles may be the
/// fastest, but takes memory and, once, time; where points move that is in every iteration, and does not pay.
/// What a person names is taken in either case.
enum class Ordering { never, once };

/// The variants of one iteration: either fused, or classify and reduce; always update. With a schedule that
/// repeats iterations, fused: it repeats that, and does what update does. With one that runs sets, none of
/// tiles.
struct Plan {
  const Variant* classify = nullptr;
  const Variant* reduce = nullptr;
  const Variant* fused = nullptr;
  const Variant* update = nullptr;
  const Variant* schedule = nullptr; ///< null: one iteration at a time
  Tuning tuning; ///< the tuning parameters that a person set; each variant takes those that it has and allows
  /// By stage: the tuning parameters that were measured to be faster than the variant's own.
  std::array<Tuning, stageCount> measured{};
  DefaultSource source;

  [[nodiscard]] bool repeats() const { return schedule && schedule->has(Stage::iterate); }
  [[nodiscard]] bool runsSets() const { return schedule && schedule->has(Stage::sets); }
  [[nodiscard]] SetStages setStages() const;
  [[nodiscard]] std::vector<const Variant*> variants() const;
  [[nodiscard]] const Variant* of(Stage stage) const;
  /// The tuning parameters to run the stage with: the person's, else the measured ones, else none, which
  /// means the variant's own.
  [[nodiscard]] Tuning tuningOf(Stage stage) const;
  /// Points of a tile, of a plan that works on tiles; 0: it does not.
  [[nodiscard]] unsigned tileSize(const Problem& problem) const;
  bool operator==(const Plan&) const = default;
};

/// Completes a selection with the variants that the table says are the fastest for the problem on the device,
/// and that can run it; where it has none, in a fixed order of preference. What a person named is taken as it
/// is, with its own tuning parameters. Throws RequestError in words: unknown id, a variant of another backend
/// (absent), a reason from Variant::whyNot, a tuning parameter that no chosen variant has.
[[nodiscard]] Plan makePlan(const Selection& selection, const Problem& problem, const DeviceInfo& device,
                            const TuningTable& table = TuningTable::present(),
                            Ordering ordering = Ordering::never);

/// The first variant in the fixed order of preference for stage that can run; null when none can.
[[nodiscard]] const Variant* preferred(Stage stage, const Problem& problem, const DeviceInfo& device);

} // namespace lloyd

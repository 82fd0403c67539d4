// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measurement.hpp"
#include "gpu/engine/choice_table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// Every variant of an iteration's stages that the device's backend has: with its own knobs, and with each
/// knob one step up and one step down. Variants that want records or tiles are left out, because making those
/// is no part of the stage's time, and so is one that does not say whether a label changed, because a run
/// could not end by it. wanted, when given, says which variants may be chosen.
[[nodiscard]] std::vector<Candidate> tuningCandidates(const DeviceInfo& device,
                                                      const std::function<bool(const Variant&)>& wanted = {});

/// What the program would take for a stage at present, whichever form the iteration has; nothing when no
/// variant can run.
[[nodiscard]] std::optional<Candidate> presentDefault(Stage stage, const Problem& problem,
                                                      const DeviceInfo& device, const ChoiceTable& table);

/// What measuring one problem found.
struct TunedProblem {
  MeasuredChoice choice;          ///< without its date
  std::vector<std::string> wrong; ///< candidates that differ from double precision, in words
  std::vector<Candidate> behind;  ///< so far behind the fastest of their stage that more points will not help
};

/// Measures one problem. Each candidate that can run is timed a few times; those near the fastest of their
/// stage, and the present default, are checked and then race in turns; what is chosen has been checked on
/// this very problem. Nothing when no iteration can be made of what is right. budgetSeconds bounds the race,
/// and no round less than five is run. tick is called between measurements and may throw Cancelled. Throws
/// DeviceError, Cancelled.
[[nodiscard]] std::optional<TunedProblem> tuneProblem(StageBench& bench,
                                                      const std::vector<Candidate>& candidates,
                                                      const ChoiceTable& table, double budgetSeconds,
                                                      const std::function<void()>& tick = {});

} // namespace lloyd

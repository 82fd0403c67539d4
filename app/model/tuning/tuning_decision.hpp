// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <optional>
#include <vector>

namespace lloyd {

/// The rules by which a measured candidate takes the place of another.
struct DisplaceRules {
  double by = 0.03;    ///< a gain below 3 % is none, so that tables are the same from run to run
  double error = 0.01; ///< the chance of a gain that is not there
};

/// The best of a stage's rows that ran and are not among the excluded: the fastest; but its variant with its
/// own tuning parameters, where the fastest does not displace that, and standing, where the fastest does not
/// displace standing. Rows have samples of the same rounds. Null when none ran.
[[nodiscard]] const Measurement* bestOf(const std::vector<Measurement>& rows, Stage stage,
                                        const std::optional<Candidate>& standing,
                                        const std::vector<Candidate>& excluded,
                                        const DisplaceRules& rules = {});
/// Whether an iteration should fuse: the standing form, unless the other displaces it. The rows have samples
/// of the same rounds; any of them may be null, and a form that lacks one cannot be taken.
[[nodiscard]] bool shouldFuse(const Measurement* fused, const Measurement* classify,
                              const Measurement* reduce, bool standing, const DisplaceRules& rules = {});

/// Whether points that stand still should be put in order for tiled: the standing form, unless the other
/// displaces it, as above. The other form is fused, or classify and reduce where that is null.
[[nodiscard]] bool shouldTile(const Measurement* tiled, const Measurement* fused, const Measurement* classify,
                              const Measurement* reduce, bool standing, const DisplaceRules& rules = {});
/// The row with us more in every sample that was kept: what a launch costs beside itself.
[[nodiscard]] Measurement withShare(Measurement row, double us);

} // namespace lloyd

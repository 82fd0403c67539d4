// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/plot/figure.hpp"

namespace lloyd {

/// The samples of two variants of one race.
struct Duel {
  const Measurement* a = nullptr; ///< rows of the race, both or neither
  const Measurement* b = nullptr;
  Comparison comparison{};
  QString why{}; ///< why there is nothing to compare
};

/// race may be null. Candidates that it lacks, or that have no samples, are a reason why not.
[[nodiscard]] Duel duelOf(const RaceResult* race, const Candidate& a, const Candidate& b);

/// At the left all times on one axis, A's upwards and B's downwards, medians marked; or each sorted, from its
/// fastest sample to its slowest. At the right B's time over A's in the same round, which is what the verdict
/// in the title is about, with its interval.
[[nodiscard]] Figure distribution(const Duel& duel, double sameWithin, bool sorted);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// One way to compute a whole iteration out of the rows of a race: the fastest classification and the fastest
/// reduction, one pass that does both, each with the fastest update where there is one, or a schedule.
struct WholeIteration {
  std::vector<const Measurement*> parts; ///< of the race, in the order in which they run
  double us = 0;                         ///< the sum of their medians
  int rank = 0;           ///< as Measurement::rank, by the sums of the parts' medians in each place
  Comparison againstBest; ///< the time over that of the fastest

  /// "classify.v7 + reduce.general + update.v1"
  [[nodiscard]] QString text() const;
};

/// The ways that the race has, the fastest first. None where there is but one: it has nothing to be ranked
/// against. Verified rows alone take part.
[[nodiscard]] std::vector<WholeIteration> wholeIterations(const RaceResult& race);

/// "A whole iteration is fastest by fused.v3 + update.v1: 11.5 µs, 2.07 times as fast as classify.v7 + ...";
/// empty where there is nothing to rank.
[[nodiscard]] QString wholeIterationText(const RaceResult& race);

} // namespace lloyd

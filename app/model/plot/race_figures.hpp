// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/measure/roofline.hpp"
#include "app/plot/figure.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

/// Equal bins side by side: bin i counts what lies in [from + i * width, from + (i + 1) * width).
struct Bins {
  double from = 0;
  double width = 0; ///< 0: there is nothing to count
  std::size_t count = 0;

  [[nodiscard]] double centre(std::size_t bin) const {
    return from + (static_cast<double>(bin) + 0.5) * width;
  }
};

/// Bins for one or two series that are to be shown together, as wide as Freedman and Diaconis advise (1981)
/// for the narrower of them, at least 8 and at most 80 over the middle 98 % of all samples, and one more at
/// either end for what lies farther out. Samples that are not finite are passed over.
[[nodiscard]] Bins binsFor(std::span<const double> samples, std::span<const double> others = {});

/// How many samples each bin has; those outside count for the bin at that end.
[[nodiscard]] std::vector<std::size_t> countInto(const Bins& bins, std::span<const double> samples);

/// a[i] / b[i] of the rounds in which both are there.
[[nodiscard]] std::vector<double> pairedRatios(std::span<const double> a, std::span<const double> b);

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

/// What memory and arithmetic allow, and how near each variant comes, both axes logarithmic. stages: whose
/// variants are shown.
[[nodiscard]] Figure rooflineFigure(const RaceResult& race, const Roofline& roofline,
                                    const std::vector<Stage>& stages);

} // namespace lloyd

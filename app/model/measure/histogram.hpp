// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
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

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace lloyd {

/// How one variant's times stand to another's.
enum class Verdict {
  undecided, ///< more samples are needed to say any of the others
  faster,
  slower,
  same ///< whatever the difference is, it is smaller than CompareRules::sameWithin
};
[[nodiscard]] std::string_view name(Verdict verdict);

/// What a verdict has to hold.
struct CompareRules {
  double sameWithin = 0.01; ///< a difference below 1 % is none
  /// The chance that a whole race calls any difference that is not there. It is shared among its comparisons
  /// and, since looking twice gives chance a second try, among the looks (Bonferroni).
  double error = 1e-4;
  std::size_t comparisons = 1; ///< that the race makes
  std::size_t looks = 1;       ///< how often the race may judge the samples while it goes on
};

/// A ratio of times with its interval.
struct Comparison {
  Verdict verdict = Verdict::undecided;
  double ratio = 1; ///< time over the baseline's time: 0.8 is "faster by 20 %"; NaN without pairs
  double low = 0;   ///< of the interval that holds the true ratio but for the chance in the rules
  double high = 0;  ///< +infinity while there are too few pairs for an interval
  std::size_t pairs = 0;
};

/// Compares samples that were taken in turns: us[i] and baselineUs[i] belong to the same round, and a round
/// in which either is NaN (thrown away) counts for neither. The estimate is the median of the pairs' log
/// ratios, which agrees with the medians that tables show; the interval is that of the sign test, exact
/// whatever the noise looks like (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd ed.,
/// section 3.6). Long series are taken as the medians of short blocks of consecutive pairs, so that what
/// neighbours share is not taken for independent evidence. No outlier, however large, moves either far. Both
/// spans have the same length.
[[nodiscard]] Comparison comparePaired(std::span<const double> us, std::span<const double> baselineUs,
                                       const CompareRules& rules = {});

/// Two summaries of runs that were not taken in turns (an earlier moment, a saved report).
struct Spread {
  double median = 0; ///< microseconds
  double iqr = 0;    ///< microseconds
  std::size_t samples = 0;
};
/// A difference between such runs is called only when it is beyond the noise of both: larger than half of the
/// two interquartile ranges together and than sameWithin. What is inside is `same` when the noise itself is
/// within sameWithin, else undecided. low and high are the ratio less and plus that noise.
[[nodiscard]] Comparison compareApart(const Spread& now, const Spread& before,
                                      const CompareRules& rules = {});

} // namespace lloyd

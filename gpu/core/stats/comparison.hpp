// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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
  /// Between two runs: what a difference must exceed to be called one, with its whole interval.
  double slowerThan = 0.02;
  /// The chance that a whole race calls any difference that is not there. It is shared among its comparisons
  /// and, since looking twice gives chance a second try, among the interim analyses (Bonferroni).
  double error = 1e-4;
  std::size_t comparisons = 1; ///< that the race makes
  std::size_t analyses = 1;    ///< how often the race may judge the samples while it goes on
};

/// What a difference between two runs must exceed, with its whole interval, to be called slower or faster:
/// 0.02 is 2 %.
struct Tolerance {
  double slower = 0;
  double faster = 0;
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
/// section 3.6). places, when there are any, tell by round where memory was placed: rounds in a row in one
/// place share what that place does to them and are one piece of evidence, their median. Long series are
/// taken as the medians of short blocks of consecutive pairs, so that what neighbours share is not taken for
/// independent evidence. No outlier, however large, moves either far. All spans have the same length.
[[nodiscard]] Comparison comparePaired(std::span<const double> us, std::span<const double> baselineUs,
                                       const CompareRules& rules = {},
                                       std::span<const std::uint32_t> places = {});

/// The medians of the samples of each place, in their order; of each sample its own where places is empty.
/// Samples that are NaN do not count.
[[nodiscard]] std::vector<double> placeMedians(std::span<const double> us,
                                               std::span<const std::uint32_t> places);

/// The ends of the interval of the sign test over places that holds the median of the samples in 19 of 20
/// cases, in their unit; nothing where there are too few places.
[[nodiscard]] std::optional<std::pair<double, double>>
medianInterval(std::span<const double> us, std::span<const std::uint32_t> places = {});

/// Whether the median of the samples is known to within CompareRules::sameWithin, by medianInterval().
[[nodiscard]] bool isSettled(std::span<const double> us, const CompareRules& rules,
                             std::span<const std::uint32_t> places);

/// Compares two runs that were not taken in turns (an earlier moment, a saved report), each given by the
/// medians of its places. Two runs of one program differ by more than the noise inside either, because memory
/// lies elsewhere, so a place is one piece of evidence: the sign test over pairs of places, the first of one
/// run with the first of the other, and so on. The same means that the interval lies within the tolerance.
/// CompareRules::analyses is not used.
[[nodiscard]] Comparison compareRuns(std::span<const double> placesUs, std::span<const double> baselineUs,
                                     const Tolerance& tolerance, const CompareRules& rules = {});

/// Ranks of count operations that are given fastest first. A new rank begins where everyone from there on is
/// slower than everyone before, so that two of different ranks have always been told apart; a rank is one
/// more than how many are before it. slower(b, a) says whether b is known to be slower than a, which is
/// before it.
[[nodiscard]] std::vector<int> ranksOf(std::size_t count,
                                       const std::function<bool(std::size_t b, std::size_t a)>& slower);

} // namespace lloyd

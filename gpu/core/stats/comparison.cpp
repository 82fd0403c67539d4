// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/stats/comparison.hpp"

#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t enoughBlocks = 60; ///< longer series get longer blocks instead of more
constexpr double medianError = 0.05;

double medianOf(std::span<const double> values) { return summarise(values).median; }

/// NaN where either is missing.
std::vector<double> logRatios(std::span<const double> us, std::span<const double> baselineUs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(us.size(), baselineUs.size()); ++i) {
    const double ratio = std::log(us[i] / baselineUs[i]);
    ratios.push_back(us[i] > 0 && baselineUs[i] > 0 && std::isfinite(ratio) ? ratio : unknown);
  }
  return ratios;
}

/// Medians of consecutive values. Blocks have an odd length, because then the median of their medians is that
/// of the values, however lopsided these are; what is left over at the end is too short to count.
std::vector<double> blockMedians(std::span<const double> values) {
  const std::size_t longest = std::max<std::size_t>(1, values.size() / enoughBlocks);
  const std::size_t length = longest % 2 == 1 ? longest : longest - 1;
  std::vector<double> medians;
  for (std::size_t at = 0; at + length <= values.size(); at += length)
    medians.push_back(medianOf(values.subspan(at, length)));
  return medians;
}

/// How many of count values may be cut off at either end so that the interval of the rest misses their median
/// with a chance of at most error: how many lie below the median is the number of heads in count tosses of a
/// coin. Less than half of them, whatever the chance. 0: none may, and there is no interval.
std::size_t cutOff(std::size_t count, double error) {
  double chance = std::exp2(-static_cast<double>(count)); ///< of exactly so many heads
  double tail = 0;
  std::size_t heads = 0;
  for (; 2 * heads + 1 < count && 2 * (tail + chance) <= error; ++heads) {
    tail += chance;
    chance *= static_cast<double>(count - heads) / static_cast<double>(heads + 1);
  }
  return heads;
}

/// The interval of the sign test that holds the median of the values but for that chance; nothing where there
/// are too few of them.
std::optional<std::pair<double, double>> intervalOf(std::vector<double> values, double error) {
  const std::size_t cut = cutOff(values.size(), error);
  if (cut == 0) return std::nullopt;
  std::sort(values.begin(), values.end());
  return std::pair(values[cut - 1], values[values.size() - cut]);
}

Verdict judge(double low, double high, double sameWithin) {
  if (low >= 1 - sameWithin && high <= 1 + sameWithin) return Verdict::same;
  if (high < 1) return Verdict::faster;
  if (low > 1) return Verdict::slower;
  return Verdict::undecided;
}

} // namespace

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"undecided", "faster", "slower", "same"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<double> placeMedians(std::span<const double> us, std::span<const std::uint32_t> places) {
  std::vector<double> medians;
  for (std::size_t from = 0, to = 0; from < us.size(); from = to) {
    while (to < us.size() && (to == from || (to < places.size() && places[to] == places[from])))
      ++to;
    const std::vector<double> kept = sortedFinite(us.subspan(from, to - from));
    if (!kept.empty()) medians.push_back(quantile(kept, 0.5));
  }
  return medians;
}

Comparison comparePaired(std::span<const double> us, std::span<const double> baselineUs,
                         const CompareRules& rules, std::span<const std::uint32_t> places) {
  const std::vector<double> ratios = logRatios(us, baselineUs);
  Comparison comparison{.ratio = unknown, .low = 0, .high = unbounded, .pairs = sortedFinite(ratios).size()};
  const std::vector<double> blocks = blockMedians(placeMedians(ratios, places));
  if (blocks.empty()) return comparison;
  comparison.ratio = std::exp(medianOf(blocks));
  const double error =
      rules.error / static_cast<double>(std::max<std::size_t>(1, rules.comparisons * rules.analyses));
  const auto interval = intervalOf(blocks, error);
  if (!interval) return comparison;
  comparison.low = std::exp(interval->first);
  comparison.high = std::exp(interval->second);
  comparison.verdict = judge(comparison.low, comparison.high, rules.sameWithin);
  return comparison;
}

std::optional<std::pair<double, double>> medianInterval(std::span<const double> us,
                                                        std::span<const std::uint32_t> places) {
  return intervalOf(placeMedians(us, places), medianError);
}

bool isSettled(std::span<const double> us, const CompareRules& rules, std::span<const std::uint32_t> places) {
  const auto interval = medianInterval(us, places);
  const double middle = medianOf(placeMedians(us, places));
  return interval && interval->first >= middle * (1 - rules.sameWithin) &&
         interval->second <= middle * (1 + rules.sameWithin);
}

Comparison compareRuns(std::span<const double> placesUs, std::span<const double> baselineUs,
                       const Tolerance& tolerance, const CompareRules& rules) {
  const std::size_t pairs = std::min(placesUs.size(), baselineUs.size());
  Comparison comparison{.ratio = unknown, .low = 0, .high = unbounded, .pairs = pairs};
  comparison.ratio = medianOf(placesUs) / medianOf(baselineUs);
  const std::vector<double> ratios = sortedFinite(logRatios(placesUs.first(pairs), baselineUs.first(pairs)));
  if (ratios.empty() || !std::isfinite(comparison.ratio)) return comparison;
  const double error = rules.error / static_cast<double>(std::max<std::size_t>(1, rules.comparisons));
  const auto interval = intervalOf(ratios, error);
  if (!interval) return comparison;
  comparison.low = std::exp(interval->first);
  comparison.high = std::exp(interval->second);
  const double slower = 1 + tolerance.slower, faster = 1 / (1 + tolerance.faster);
  if (comparison.low > slower)
    comparison.verdict = Verdict::slower;
  else if (comparison.high < faster)
    comparison.verdict = Verdict::faster;
  else if (comparison.low >= faster && comparison.high <= slower)
    comparison.verdict = Verdict::same;
  return comparison;
}

std::vector<int> ranksOf(std::size_t count, const std::function<bool(std::size_t b, std::size_t a)>& slower) {
  std::vector<int> ranks(count);
  std::size_t begins = 0; // where the present rank does
  std::size_t reach = 0;  // the last who is not slower than someone seen so far
  for (std::size_t a = 0; a < count; ++a) {
    if (a > reach) begins = a;
    ranks[a] = static_cast<int>(begins) + 1;
    for (std::size_t b = a + 1; b < count; ++b)
      if (!slower(b, a)) reach = std::max(reach, b);
  }
  return ranks;
}

} // namespace lloyd

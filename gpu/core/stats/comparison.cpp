// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/stats/comparison.hpp"

#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lloyd {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t enoughBlocks = 60; ///< longer series get longer blocks instead of more

double medianOf(std::span<const double> values) { return summarise(values).median; }

std::vector<double> logRatios(std::span<const double> us, std::span<const double> baselineUs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(us.size(), baselineUs.size()); ++i) {
    const double ratio = std::log(us[i] / baselineUs[i]);
    if (us[i] > 0 && baselineUs[i] > 0 && std::isfinite(ratio)) ratios.push_back(ratio);
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
/// coin. 0: none may, and there is no interval.
std::size_t cutOff(std::size_t count, double error) {
  double chance = std::exp2(-static_cast<double>(count)); ///< of exactly so many heads
  double tail = 0;
  std::size_t heads = 0;
  for (; 2 * (tail + chance) <= error; ++heads) {
    tail += chance;
    chance *= static_cast<double>(count - heads) / static_cast<double>(heads + 1);
  }
  return heads;
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

Comparison comparePaired(std::span<const double> us, std::span<const double> baselineUs,
                         const CompareRules& rules) {
  const std::vector<double> ratios = logRatios(us, baselineUs);
  Comparison comparison{.ratio = unknown, .low = 0, .high = unbounded, .pairs = ratios.size()};
  std::vector<double> blocks = blockMedians(ratios);
  if (blocks.empty()) return comparison;
  std::sort(blocks.begin(), blocks.end());
  comparison.ratio = std::exp(medianOf(blocks));
  const double error =
      rules.error / static_cast<double>(std::max<std::size_t>(1, rules.comparisons * rules.looks));
  const std::size_t cut = cutOff(blocks.size(), error);
  if (cut == 0) return comparison;
  comparison.low = std::exp(blocks[cut - 1]);
  comparison.high = std::exp(blocks[blocks.size() - cut]);
  comparison.verdict = judge(comparison.low, comparison.high, rules.sameWithin);
  return comparison;
}

Comparison compareApart(const Spread& now, const Spread& before, const CompareRules& rules) {
  Comparison comparison{
      .ratio = unknown, .low = 0, .high = unbounded, .pairs = std::min(now.samples, before.samples)};
  if (!(now.median > 0) || !(before.median > 0) || comparison.pairs == 0) return comparison;
  const double noise = (now.iqr + before.iqr) / 2 / before.median;
  comparison.ratio = now.median / before.median;
  if (!std::isfinite(comparison.ratio) || !std::isfinite(noise)) return comparison;
  comparison.low = comparison.ratio - noise;
  comparison.high = comparison.ratio + noise;
  const double difference = std::abs(comparison.ratio - 1);
  if (difference > std::max(noise, rules.sameWithin))
    comparison.verdict = comparison.ratio < 1 ? Verdict::faster : Verdict::slower;
  else if (noise <= rules.sameWithin)
    comparison.verdict = Verdict::same;
  return comparison;
}

} // namespace lloyd

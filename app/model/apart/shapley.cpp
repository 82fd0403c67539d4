// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/apart/shapley.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lloyd {
namespace {

/// Nothing where the gains are none of a whole number of switches, or one is not finite.
std::optional<std::size_t> switchesOf(std::span<const double> gains) {
  const bool whole = std::has_single_bit(gains.size());
  if (!whole || !std::ranges::all_of(gains, [](double gain) { return std::isfinite(gain); }))
    return std::nullopt;
  return static_cast<std::size_t>(std::countr_zero(gains.size()));
}

double factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1); }

/// How many of all orders of others + 1 switches have just those before one, which is on's place among them.
double shareOfOrders(std::size_t before, std::size_t others) {
  return factorial(before) * factorial(others - before) / factorial(others + 1);
}

std::size_t bitOf(std::size_t one) { return std::size_t{1} << one; }

} // namespace

std::optional<std::vector<double>> shapleyShares(std::span<const double> gains) {
  const auto switches = switchesOf(gains);
  if (!switches) return std::nullopt;
  std::vector<double> shares(*switches, 0.0);
  for (std::size_t one = 0; one < *switches; ++one)
    for (std::size_t on = 0; on < gains.size(); ++on)
      if ((on & bitOf(one)) == 0)
        shares[one] += shareOfOrders(static_cast<std::size_t>(std::popcount(on)), *switches - 1) *
                       (gains[on | bitOf(one)] - gains[on]);
  return shares;
}

std::optional<PairGain> pairGain(std::span<const double> gains, std::size_t one, std::size_t other) {
  const auto switches = switchesOf(gains);
  if (!switches || one == other || one >= *switches || other >= *switches) return std::nullopt;
  PairGain gain;
  for (std::size_t on = 0; on < gains.size(); ++on) {
    if ((on & (bitOf(one) | bitOf(other))) != 0) continue;
    const double share = shareOfOrders(static_cast<std::size_t>(std::popcount(on)), *switches - 2);
    gain.without += share * (gains[on | bitOf(one)] - gains[on]);
    gain.with += share * (gains[on | bitOf(one) | bitOf(other)] - gains[on | bitOf(other)]);
  }
  return gain;
}

} // namespace lloyd

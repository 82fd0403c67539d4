// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/histogram.hpp"

#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

/// 0 when the samples say nothing.
double advisedWidth(const std::vector<double>& sorted) {
  if (sorted.empty()) return 0;
  const double iqr = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  return 2 * iqr / std::cbrt(static_cast<double>(sorted.size()));
}

} // namespace

Bins binsFor(std::span<const double> samples, std::span<const double> others) {
  std::vector<double> sorted = sortedFinite(samples);
  const std::vector<double> second = sortedFinite(others);
  const double widths[] = {advisedWidth(sorted), advisedWidth(second)};
  sorted.insert(sorted.end(), second.begin(), second.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty()) return {};
  const double low = quantile(sorted, 0.01);
  const double high = quantile(sorted, 0.99);
  if (!(high > low)) { // all alike: one bin of some width around them
    const double width = std::max(std::abs(low) * 0.01, 1e-9);
    return {low - width / 2, width, 1};
  }
  double wanted = 8;
  for (const double width : widths)
    if (width > 0) wanted = std::max(wanted, std::ceil((high - low) / width));
  const auto count = static_cast<std::size_t>(std::min(wanted, 80.0));
  const double width = (high - low) / static_cast<double>(count);
  return {low - width, width, count + 2};
}

std::vector<std::size_t> countInto(const Bins& bins, std::span<const double> samples) {
  std::vector<std::size_t> counts(bins.count);
  if (bins.count == 0) return counts;
  const auto last = static_cast<double>(bins.count - 1);
  for (const double value : samples) {
    if (!std::isfinite(value)) continue;
    const double bin = std::clamp(std::floor((value - bins.from) / bins.width), 0.0, last);
    ++counts[static_cast<std::size_t>(bin)];
  }
  return counts;
}

std::vector<double> pairedRatios(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i]) && a[i] > 0 && b[i] > 0) ratios.push_back(a[i] / b[i]);
  return ratios;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/stats/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lloyd {
double quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - std::floor(position)) * (sorted[above] - sorted[below]);
}

std::vector<double> sortedFinite(std::span<const double> samples) {
  std::vector<double> sorted;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(sorted),
               [](double value) { return std::isfinite(value); });
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

Summary summarise(std::span<const double> us) {
  Summary summary;
  if (us.empty()) return summary;
  std::vector<double> sorted(us.begin(), us.end());
  std::sort(sorted.begin(), sorted.end());
  summary.samples = us.size();
  summary.last = us.back();
  summary.median = quantile(sorted, 0.5);
  summary.p95 = quantile(sorted, 0.95);
  summary.min = sorted.front();
  summary.iqr = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  summary.noise = summary.median > 0 ? summary.iqr / summary.median : 0;
  return summary;
}

void SampleSeries::add(double us) {
  if (seen_++ < warmUp_) return;
  if (samples_.size() == capacity_) samples_.erase(samples_.begin());
  samples_.push_back(us);
}

void SampleSeries::clear() {
  seen_ = 0;
  samples_.clear();
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/sampler.hpp"

#include <algorithm>

namespace lloyd {

Runs::Runs(std::size_t n, const std::vector<double>& weights) {
  double total = 0;
  for (const double weight : weights)
    total += weight;
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
    ends_.push_back(static_cast<std::uint64_t>(static_cast<double>(n) * (sum / total)));
  }
  ends_.back() = n;
}

std::size_t Runs::operator()(std::uint64_t b) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), b) - ends_.begin());
}

} // namespace lloyd

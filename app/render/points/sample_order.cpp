// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/sample_order.hpp"

#include <algorithm>
#include <numeric>

namespace lloyd {

SampleOrder::SampleOrder(std::size_t n)
    : n_(n), combs_(std::max<std::size_t>(1, (n + kMostIndices - 1) / kMostIndices)), teeth_(n / combs_) {
  step_ =
      std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(teeth_) * 0.6180339887498949));
  while (teeth_ > 1 && std::gcd(step_, teeth_) != 1)
    ++step_;
}

std::vector<std::uint32_t> SampleOrder::indices() const {
  std::vector<std::uint32_t> table(teeth_);
  std::size_t tooth = 0;
  for (std::uint32_t& index : table) {
    index = static_cast<std::uint32_t>(tooth * combs_);
    tooth = (tooth + step_) % teeth_;
  }
  return table;
}

std::vector<SampleOrder::Piece> SampleOrder::pieces(std::size_t first, std::size_t count) const {
  std::vector<Piece> found;
  first = std::min(first, n_);
  const std::size_t end = first + std::min(count, n_ - first);
  const std::size_t combed = combs_ * teeth_;
  while (first < end) {
    if (first >= combed) {
      found.push_back({false, first, end - first, 0});
      break;
    }
    const std::size_t within = first % teeth_;
    const std::size_t here = std::min(end - first, teeth_ - within);
    found.push_back({true, within, here, first / teeth_});
    first += here;
  }
  return found;
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/accumulators.hpp"

#include <cstring>

namespace lloyd {
namespace {

std::size_t roundedUp(std::size_t bytes, std::size_t line) { return (bytes + line - 1) / line * line; }

} // namespace

Accumulators::Accumulators(Device& device, const Problem& problem)
    : device_(device), k_(static_cast<std::size_t>(problem.k)),
      sums_(3 * line + roundedUp(k_ * sizeof(std::uint32_t), line)),
      block_(device, sums_ + roundedUp(problem.centroidValues() * sizeof(double), line)) {}

void Accumulators::clearSums() {
  const std::size_t begin = 3 * line;
  device_.fill(block_.data() + begin, 0, block_.bytes() - begin);
}

Accumulators::Values Accumulators::read() const {
  std::vector<std::byte> bytes(sums_);
  device_.download(bytes.data(), block_.data(), bytes.size());
  Values values;
  values.counts.resize(k_);
  std::memcpy(&values.changed, bytes.data(), sizeof(values.changed));
  std::memcpy(&values.outcome, bytes.data() + line, sizeof(values.outcome));
  std::memcpy(&values.inertia, bytes.data() + 2 * line, sizeof(values.inertia));
  std::memcpy(values.counts.data(), bytes.data() + 3 * line, k_ * sizeof(std::uint32_t));
  return values;
}

} // namespace lloyd

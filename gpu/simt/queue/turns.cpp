// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/turns.hpp"

#include "gpu/core/math/random.hpp"

#include <algorithm>

namespace lloyd::simt {
namespace {

/// Keeps these lots apart from those of blocks and lanes, which the same seed draws.
constexpr std::uint64_t stream = 0x71756575; // "queu"

} // namespace

void Turns::follow(const Schedule& schedule) {
  schedule_ = schedule;
  drawn_ = 0;
}

std::size_t Turns::next(std::span<const Ready> ready) {
  switch (schedule_.order) {
  case Schedule::Order::reverse:
    return ready.size() - 1;
  case Schedule::Order::seeded:
    return static_cast<std::size_t>(randomBits(schedule_.seed, stream, drawn_++) % ready.size());
  case Schedule::Order::forward:
    break;
  }
  const auto first = std::min_element(ready.begin(), ready.end(),
                                      [](const Ready& a, const Ready& b) { return a.number < b.number; });
  return static_cast<std::size_t>(first - ready.begin());
}

} // namespace lloyd::simt

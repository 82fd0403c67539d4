// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/math/random.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "gpu/simt/lane/lane.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace lloyd::simt {

/// Fisher and Yates (1938), with one draw of the counter-based generator a position.
template <class T>
void shuffleBySeed(std::span<T> values, std::uint64_t seed, std::uint32_t stream) {
  for (std::size_t left = values.size(); left > 1; --left) {
    const std::uint64_t bits = randomBits(seed, stream, static_cast<std::uint32_t>(left));
    std::swap(values[left - 1], values[static_cast<std::size_t>(bits % left)]);
  }
}

/// The blocks of a grid in the order of their turns.
[[nodiscard]] inline std::vector<std::uint32_t> blockOrder(const Schedule& schedule, std::size_t blocks) {
  std::vector<std::uint32_t> order(blocks);
  std::iota(order.begin(), order.end(), 0u);
  if (schedule.order == Schedule::Order::reverse) std::reverse(order.begin(), order.end());
  if (schedule.order == Schedule::Order::seeded)
    shuffleBySeed<std::uint32_t>(order, schedule.seed, 0xffffffff);
  return order;
}

/// The order of a block's lanes: warps is filled with the warps' turns; lanes with the threads of warp 0 in
/// their order, then those of warp 1, and so on. A warp's lanes follow each other without another warp
/// between them, as on a card they would move together. What was filled for another block of the same
/// launch may be passed again and is then kept where it is right; both are empty for the first.
inline void orderLanes(const Schedule& schedule, std::uint32_t block, std::size_t threads,
                       std::vector<std::uint16_t>& warps, std::vector<std::uint16_t>& lanes) {
  const bool keeps = schedule.order != Schedule::Order::seeded && lanes.size() == threads;
  if (keeps) return; // the same for every block
  warps.resize((threads + warpSize - 1) / warpSize);
  lanes.resize(threads);
  std::iota(warps.begin(), warps.end(), std::uint16_t{0});
  std::iota(lanes.begin(), lanes.end(), std::uint16_t{0});
  if (schedule.order == Schedule::Order::forward) return;

  const auto arrange = [&](std::span<std::uint16_t> values, std::uint32_t stream) {
    if (schedule.order == Schedule::Order::reverse)
      std::reverse(values.begin(), values.end());
    else
      shuffleBySeed(values, randomBits(schedule.seed, block, 0), stream);
  };
  arrange(warps, 0);
  for (std::size_t first = 0; first < threads; first += warpSize)
    arrange(std::span(lanes).subspan(first, std::min<std::size_t>(warpSize, threads - first)),
            static_cast<std::uint32_t>(first / warpSize + 1));
}

} // namespace lloyd::simt

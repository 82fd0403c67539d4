// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/simt_device.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd::simt {

/// The blocks of a grid in the order of their turns.
[[nodiscard]] std::vector<std::uint32_t> blockOrder(const Schedule& schedule, std::size_t blocks);

/// The order of a block's lanes: warps is filled with the warps' turns; lanes with the threads of warp 0 in
/// their order, then those of warp 1, and so on. A warp's lanes follow each other without another warp
/// between them, as on a card they would move together. What was filled for another block of the same
/// launch may be passed again and is then kept where it is right; both are empty for the first.
void orderLanes(const Schedule& schedule, std::uint32_t block, std::size_t threads,
                std::vector<std::uint16_t>& warps, std::vector<std::uint16_t>& lanes);

} // namespace lloyd::simt

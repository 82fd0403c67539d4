// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"

#include <cstdint>
#include <span>

namespace lloyd::simt {

/// Brings the waiting lanes of one warp together. lanes: the warp's, 32 or fewer at a block's end; waiting:
/// those at a collective. Computes the results of one collective whose lanes have all come, and returns their
/// mask; 0 when none is complete. Throws Fault for a mask that cannot be right.
[[nodiscard]] std::uint32_t meet(std::span<Lane> lanes, std::uint32_t waiting, unsigned block);

/// The lanes that ask for __activemask at one place, when no other lane of the warp can move: they get their
/// own mask.
[[nodiscard]] std::uint32_t meetActive(std::span<Lane> lanes, std::uint32_t waiting);

/// Throws Fault when what lane asks makes no sense whatever the others do.
void requireSensible(const Lane& lane, unsigned block);

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/record/sites.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lloyd::simt {

/// One memory instruction of one warp.
struct Request {
  std::uint32_t lanes = 0;                  ///< those that took part
  std::array<std::uint64_t, warpSize> at{}; ///< their addresses; of shared memory, offsets
};

/// Distinct 32-byte sectors that the lanes' accesses of bytes each touch.
[[nodiscard]] std::size_t sectors(const Request& request, std::size_t bytes);

/// Turns that shared memory needs beyond one. It has 32 banks of 4-byte words and serves each bank once a
/// turn; lanes that read the same word share it. Accesses of 8 bytes go by half warps and those of 16 by
/// quarters, each with turns of its own. (The rule of GPGPU-Sim, Bakhoda et al., 2009.)
[[nodiscard]] std::size_t bankConflicts(const Request& request, std::size_t bytes);

/// Adds what the request asks for to the site's counters.
void count(Site& site, const Request& request);

} // namespace lloyd::simt

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

/// Adds what the request asks for to the site's counters.
void count(Site& site, const Request& request);

} // namespace lloyd::simt

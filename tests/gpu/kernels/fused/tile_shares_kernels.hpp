// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstdint>

namespace lloyd::test {

struct ShareShape {
  std::size_t blocks;
  int threads;
};

/// Bytes that say which of so many tiles were mixed.
std::size_t mixedBytes(unsigned tiles);

/// Shares tiles among blocks as they begin. wasMixed: [mixedBytes]; order: [tiles]. Device memory, as below.
void beginShares(LaunchContext& context, std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                 const ShareShape& shape);
/// Shares them anew, by what was mixed.
void shareTiles(LaunchContext& context, const std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                const ShareShape& shape);

} // namespace lloyd::test

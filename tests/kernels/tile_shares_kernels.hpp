// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/device.hpp"

#include <cstdint>

namespace lloyd::test {

/// Shares tiles among blocks of threads by wasMixed [tiles], or as they begin where that is null; order:
/// [tiles]. Device memory.
void shareTiles(LaunchContext& context, const std::uint8_t* wasMixed, unsigned* order, unsigned tiles,
                std::size_t blocks, int threads);

} // namespace lloyd::test

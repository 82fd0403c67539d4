// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::cpu {

/// Points in tiles, on all threads; throws Cancelled, and std::bad_alloc while ordering. The arguments mean
/// what they mean in Device.
void orderTiles(const OrderTilesArgs& args, LaunchContext& context);
void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context);
void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context);
void tileInertia(const TileInertiaArgs& args, LaunchContext& context);

} // namespace lloyd::cpu

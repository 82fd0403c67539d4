// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::cuda {

/// Device memory that ordering needs for as long as its kernels run.
struct OrderScratch {
  std::uint64_t* keys = nullptr;    ///< [2][n]
  std::uint32_t* indices = nullptr; ///< [2][n]
  void* sorting = nullptr;
  std::size_t sortingBytes = 0; ///< sortingBytes(n)
};
[[nodiscard]] std::size_t sortingBytes(std::size_t n);

/// Points in tiles, as kernels. The arguments mean what they mean in Device.
void orderTiles(const OrderTilesArgs& args, const OrderScratch& scratch, LaunchContext& context);
void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context);
void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context);
void tileInertia(const TileInertiaArgs& args, LaunchContext& context);

} // namespace lloyd::cuda

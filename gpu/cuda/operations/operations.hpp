// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::cuda {

/// What every device must do and nobody compares, as kernels. The arguments mean what they mean in Device.
void inertia(const InertiaArgs& args, LaunchContext& context);
void seedStep(const SeedArgs& args, LaunchContext& context);
void advance(const AdvanceArgs& args, LaunchContext& context);
void interleave(const InterleaveArgs& args, LaunchContext& context);
void convertLabels(const ConvertLabelsArgs& args, LaunchContext& context);
void orderTiles(const OrderTilesArgs& args, LaunchContext& context);
void writeTileLabels(const WriteTileLabelsArgs& args, LaunchContext& context);
void readTileLabels(const ReadTileLabelsArgs& args, LaunchContext& context);
void tileInertia(const TileInertiaArgs& args, LaunchContext& context);
/// cyclesAndNs [2], device memory: what the clock of one multiprocessor and the card's timer counted while
/// one thread waited for some tens of microseconds.
void countCycles(unsigned long long* cyclesAndNs, LaunchContext& context);

/// Throws DeviceError (absent) when this build holds no code for the calling thread's CUDA device.
void requireKernelImage();

} // namespace lloyd::cuda

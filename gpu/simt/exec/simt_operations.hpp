// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::simt {

/// The operations of the simulator: the processor's, which no launchKernel() tells the checker of, with word
/// of what each touches. Those of tiles, which no queue runs, are the processor's own.
[[nodiscard]] const Operations& operations() noexcept;

} // namespace lloyd::simt

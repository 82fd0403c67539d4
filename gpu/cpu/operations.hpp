// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

namespace lloyd::cpu {

/// On all threads. Results do not depend on how many there are. Each operation throws Cancelled within a few
/// milliseconds of being asked to stop, and what works in memory of its own std::bad_alloc.
[[nodiscard]] const Operations& operations() noexcept;

} // namespace lloyd::cpu

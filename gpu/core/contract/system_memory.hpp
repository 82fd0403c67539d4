// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <limits>

namespace lloyd {

/// What is answered where the system does not say.
inline constexpr std::size_t unknownMemory = std::numeric_limits<std::size_t>::max();

/// Bytes that the machine has, or that the program's container may have where that is less.
[[nodiscard]] std::size_t installedMemory();
/// Bytes that programs can still have without the machine swapping, or the container going over its limit.
[[nodiscard]] std::size_t availableMemory();

} // namespace lloyd

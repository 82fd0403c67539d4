// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/system_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lloyd {

/// A piece of a file in double quotes: shortened when long, with what cannot be printed shown as '?'.
[[nodiscard]] std::string quoted(std::string_view text);

/// "a, b, c", and "a, b and 97 more" past the limit.
[[nodiscard]] std::string listed(std::span<const std::string> words, std::size_t limit = 8);

/// "1 row", "2 rows", "1,000,000 rows".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view noun);

/// "512 MB", "1.5 GB".
[[nodiscard]] std::string byteText(double bytes);

/// Bytes of n points of d float32 values.
[[nodiscard]] constexpr double pointBytes(std::uint64_t n, int d) { return 4.0 * static_cast<double>(n) * d; }

/// Throws ReadFailure when so many bytes cannot be had. Asked before an allocation whose size a person or a
/// file chose, since Linux grants more than there is and ends the program later.
void refuseTooLarge(double bytes, double available = static_cast<double>(availableMemory()));

} // namespace lloyd

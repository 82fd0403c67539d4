// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
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

/// Throws ReadFailure when this machine cannot hold so many points. Asked before an allocation whose size a
/// person or a file chose, since Linux grants more than there is and ends the program later.
void refuseTooLarge(std::uint64_t n, int d);

} // namespace lloyd

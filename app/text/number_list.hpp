// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The parts between commas. "a,,b" has an empty part.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);
/// Numbers and ranges between commas: "1,3,32:256" is 1, 3, 32, 64, 128, 256 (a range doubles). Throws
/// RequestError naming option, for anything else, and for values below low or above high.
[[nodiscard]] std::vector<std::uint64_t> parseCounts(std::string_view option, std::string_view text,
                                                     std::uint64_t low, std::uint64_t high);

} // namespace lloyd

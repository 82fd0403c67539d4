// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <span>

namespace lloyd {

/// The most bytes that one byte of LZF can stand for: a copy of 264 bytes takes three.
inline constexpr std::size_t lzfMostRatio = 88;

/// Unpacks LZF, as PCD files have it: whether the packed bytes fill `to` exactly, and are all used. Never
/// reads or writes beside the two.
[[nodiscard]] bool unpackLzf(std::span<const char> packed, std::span<char> to);

} // namespace lloyd

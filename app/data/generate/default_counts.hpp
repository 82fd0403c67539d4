// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

/// How many points a generator makes when neither its text nor an option gives a number, by what they are
/// for.
namespace lloyd::default_counts {

inline constexpr std::size_t clustered = 1'000'000;            ///< without a window
inline constexpr std::size_t raced = std::size_t{1} << 20;     ///< by bench
inline constexpr std::size_t simulated = std::size_t{1} << 16; ///< a second a variant, and every warp is full
// As many as move fluidly: on a GPU with OpenGL beside it, and on a CPU that draws as well.
inline constexpr std::size_t drawnByGpu = std::size_t{1} << 20;
inline constexpr std::size_t drawnByCpu = std::size_t{1} << 16;

} // namespace lloyd::default_counts

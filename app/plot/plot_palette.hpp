// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"

#include <cstddef>
#include <cstdint>

namespace lloyd {

/// 0xrrggbb
using PlotRgb = std::uint32_t;

/// Colours of plots: eight hues that remain apart for every kind of colour blindness (after Okabe and Ito,
/// 2008), darker for light panels, each with a contrast of at least 3 to 1 against the panel.
inline constexpr std::size_t plotHues = 8;
[[nodiscard]] PlotRgb seriesRgb(std::size_t series, bool dark);
/// A stage has the same colour in every plot.
[[nodiscard]] PlotRgb stageRgb(Stage stage, bool dark);

/// From dark at 0 to bright at 1 in even steps of lightness, readable without seeing hues (viridis, van der
/// Walt and Smith, 2015). Outside, and for what is not finite, the nearer end or the dark one.
[[nodiscard]] PlotRgb rampRgb(double part);

/// Black or white, whichever is easier to read on the ground.
[[nodiscard]] PlotRgb inkOn(PlotRgb ground);
/// Of WCAG 2: 1 to 21.
[[nodiscard]] double contrastOf(PlotRgb a, PlotRgb b);

} // namespace lloyd

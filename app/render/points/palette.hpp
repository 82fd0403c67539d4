// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/colour.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

enum class Theme { dark, light };

/// Behind the points.
[[nodiscard]] constexpr Rgb backgroundOf(Theme theme) {
  return theme == Theme::dark ? Rgb{0x10, 0x12, 0x16} : Rgb{0xf7, 0xf8, 0xfa};
}
/// Points that have no cluster yet.
[[nodiscard]] constexpr Rgb unlabelledOf(Theme theme) {
  return theme == Theme::dark ? Rgb{0x7c, 0x80, 0x86} : Rgb{0x80, 0x84, 0x8a};
}

/// What the tests hold the palettes to. Distances are in OKLab.
inline constexpr double kLeastContrast = 3.0;      ///< of every colour against its background
inline constexpr double kLeastDistanceOf16 = 0.10; ///< between any two of the first 16
inline constexpr double kLeastDistanceDeficient =
    0.07; ///< between any two of the first 7, as seen without red or green cones

/// 256 colours for clusters: on dark the seven of Okabe and Ito (2008) other than black, on light seven of
/// about the same hues dark enough for paper; then always the colour of an OKLCH grid that is farthest from
/// all before it and from the grey of unlabelled points. Any prefix is therefore about as far apart as that
/// many colours can be.
[[nodiscard]] const std::vector<Rgb>& palette(Theme theme);

/// Entry number index; past 256 the colours come again, lighter and darker in turn, as far as contrast
/// allows.
[[nodiscard]] Rgb paletteColour(Theme theme, std::size_t index);

/// Which palette entry each of k clusters gets, a permutation of 0 to k - 1: neighbours among the centroids,
/// [k][d] as they lie, get colours far apart. Pairs of colours are swapped as long as that makes neighbours
/// less alike; the same centroids always give the same answer, for both themes. To be asked for when clusters
/// are seeded and kept while they move, so that no cluster changes its colour under the eye. Beyond 256
/// clusters neighbours cannot be told apart by colour anyway, and each gets its own number.
[[nodiscard]] std::vector<std::size_t> assignColours(std::span<const float> centroids, std::size_t k,
                                                     std::size_t d);

/// The colours of an assignment.
[[nodiscard]] std::vector<Rgb> coloursOf(Theme theme, std::span<const std::size_t> assignment);

/// The most groups that get a colour each; of more, nobody could name one by its colour.
inline constexpr std::size_t kMostDistinctGroups = 32;

/// Colours for count groups whose order means nothing, warps or blocks for example. Up to
/// kMostDistinctGroups all differ, and up to seven also for eyes without red or green cones. Of more groups
/// what counts is that neighbours differ for everyone: those first seven come again and again.
[[nodiscard]] std::vector<Rgb> groupColours(std::size_t count, Theme theme);

/// Colours for count groups whose order is what matters, the lanes of a warp for example: a path through
/// OKLCH whose lightness only ever rises, from violet by blue and green to yellow, in steps of one length.
/// Neighbours look alike, the ends do not, and the order can be read without seeing hues.
[[nodiscard]] std::vector<Rgb> rampColours(std::size_t count, Theme theme);

/// Two colours, for what stayed the same (0: a calm grey) and what changed (1: an accent).
[[nodiscard]] std::vector<Rgb> changeColours(Theme theme);

} // namespace lloyd

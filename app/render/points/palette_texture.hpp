// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"
#include "app/render/points/colour.hpp"

#include <cstdint>
#include <span>

namespace lloyd {

/// Fills a texture, made when it is not there yet, with one texel for each cluster, as shaders look them up:
/// 256 a row, at least one row. The context must be current.
void fillPaletteTexture(GlTexture& texture, std::span<const Rgb> colours);
void fillPaletteTexture(GlTexture& texture, std::span<const std::int32_t> numbers);

} // namespace lloyd

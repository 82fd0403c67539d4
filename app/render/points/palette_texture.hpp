// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"
#include "app/render/points/colour.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace lloyd {

/// Fills a texture, made when it is not there yet, with one texel for each cluster, as shaders look them up:
/// 256 a row, at least one row. Texel is Rgb or, for numbers, std::int32_t. The context must be current.
template <class Texel>
void fillPaletteTexture(GlTexture& texture, std::span<const Texel> entries) {
  constexpr bool colours = std::is_same_v<Texel, Rgb>;
  constexpr std::size_t width = 256;
  Gl& gl = currentGl();
  const std::size_t rows = std::max<std::size_t>(1, (entries.size() + width - 1) / width);
  std::vector<Texel> texels(rows * width);
  std::copy(entries.begin(), entries.end(), texels.begin());
  if (!texture) texture = GlTexture::create();
  gl.glBindTexture(GL_TEXTURE_2D, texture.id());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl.glTexImage2D(GL_TEXTURE_2D, 0, colours ? GL_RGB8 : GL_R32I, static_cast<GLsizei>(width),
                  static_cast<GLsizei>(rows), 0, colours ? GL_RGB : GL_RED_INTEGER,
                  colours ? GL_UNSIGNED_BYTE : GL_INT, texels.data());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.glBindTexture(GL_TEXTURE_2D, 0);
}

} // namespace lloyd

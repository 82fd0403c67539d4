// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette_texture.hpp"

#include <algorithm>
#include <vector>

namespace lloyd {

namespace {

constexpr std::size_t kWidth = 256;

template <class Texel>
void fill(GlTexture& texture, std::span<const Texel> entries, GLint internal, GLenum format, GLenum type) {
  Gl& gl = currentGl();
  const std::size_t rows = std::max<std::size_t>(1, (entries.size() + kWidth - 1) / kWidth);
  std::vector<Texel> texels(rows * kWidth);
  std::copy(entries.begin(), entries.end(), texels.begin());
  if (!texture) texture = GlTexture::create();
  gl.glBindTexture(GL_TEXTURE_2D, texture.id());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl.glTexImage2D(GL_TEXTURE_2D, 0, internal, static_cast<GLsizei>(kWidth), static_cast<GLsizei>(rows), 0,
                  format, type, texels.data());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.glBindTexture(GL_TEXTURE_2D, 0);
}

} // namespace

void fillPaletteTexture(GlTexture& texture, std::span<const Rgb> colours) {
  fill(texture, colours, GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE);
}

void fillPaletteTexture(GlTexture& texture, std::span<const std::int32_t> numbers) {
  fill(texture, numbers, GL_R32I, GL_RED_INTEGER, GL_INT);
}

} // namespace lloyd

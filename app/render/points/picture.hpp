// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/screen_triangle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"

#include <glm/glm.hpp>

namespace lloyd {

/// The picture of the points, kept from frame to frame so that it can grow: premultiplied colour, depth, and
/// counts when crowds are drawn as density. All calls need the context current.
class Picture {
public:
  Picture();

  /// Binds it for drawing, at least 1x1 pixels, and clears it when asked. A new size, or counts for the first
  /// time, lose what was drawn: returns whether the picture is empty now. Throws std::runtime_error when
  /// there is no memory for it.
  bool bind(glm::ivec2 size, bool counts, bool clear);
  /// Blends it over the framebuffer that is bound, pixel for pixel from the lower left corner.
  void show() const;
  /// The same with counts as lightness; fullCount is the count of a pixel drawn in the full colour of its
  /// cluster.
  void showDensity(float fullCount, Rgb background, Rgb beyond) const;

private:
  void resize(glm::ivec2 size, bool counts);
  void cover() const;

  ShaderProgram plain_, density_;
  ScreenTriangle screen_;
  GlFramebuffer framebuffer_;
  GlTexture colour_, counts_, depth_;
  glm::ivec2 size_{0};
};

} // namespace lloyd

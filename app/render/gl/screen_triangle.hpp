// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"

namespace lloyd {

/// One triangle that covers the viewport, for programs with picture.vert. The context must be current.
class ScreenTriangle {
public:
  ScreenTriangle() : noAttributes_(GlVertexArray::create()) {}
  /// By the program in use, with the tests and the blending that are set.
  void draw() const {
    Gl& gl = currentGl();
    gl.glBindVertexArray(noAttributes_.id());
    gl.glDrawArrays(GL_TRIANGLES, 0, 3);
    gl.glBindVertexArray(0);
  }

private:
  GlVertexArray noAttributes_;
};

} // namespace lloyd

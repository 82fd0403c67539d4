// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"

#include <glm/glm.hpp>

#include <array>
#include <stdexcept>

namespace lloyd {

/// The picture of the points, kept from frame to frame so that it can grow: premultiplied colour, depth, and
/// counts when crowds are drawn as density. All calls need the context current.
class Picture {
public:
  Picture() : plain_(loadShaders("picture", "picture")), density_(loadShaders("picture", "density")) {}

  /// Binds it for drawing, at least 1x1 pixels, and clears it when asked. A new size, or counts for the first
  /// time, lose what was drawn: returns whether the picture is empty now. Throws std::runtime_error when
  /// there is no memory for it.
  bool bind(glm::ivec2 size, bool counts, bool clear) {
    Gl& gl = currentGl();
    size = glm::max(size, glm::ivec2(1));
    if (size != size_ || (counts && !counts_)) {
      resize(size, counts);
      clear = true;
    }
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    gl.glViewport(0, 0, size.x, size.y);
    gl.glDisable(GL_SCISSOR_TEST);
    const std::array<GLenum, 2> targets{GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    gl.glDrawBuffers(counts ? 2 : 1, targets.data());
    if (clear) {
      constexpr std::array<GLfloat, 4> nothing{0, 0, 0, 0};
      constexpr GLfloat farthest = 1;
      gl.glDepthMask(GL_TRUE);
      gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
      gl.glClearBufferfv(GL_COLOR, 0, nothing.data());
      if (counts) gl.glClearBufferfv(GL_COLOR, 1, nothing.data());
      gl.glClearBufferfv(GL_DEPTH, 0, &farthest);
    }
    return clear;
  }
  /// Blends it over the framebuffer that is bound, pixel for pixel from the lower left corner.
  void show() const {
    Gl& gl = currentGl();
    plain_.use(gl);
    plain_.set(gl, "picture", 0);
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, colour_.id());
    cover();
  }
  /// The same with counts as lightness; fullCount is the count of a pixel drawn in the full colour of its
  /// cluster. background: premultiplied.
  void showDensity(float fullCount, glm::vec4 background, Rgb beyond) const {
    Gl& gl = currentGl();
    density_.use(gl);
    density_.set(gl, "picture", 0);
    density_.set(gl, "counts", 1);
    density_.set(gl, "full_count", fullCount);
    density_.set(gl, "background", background);
    density_.set(gl, "beyond", toVec(beyond));
    gl.glActiveTexture(GL_TEXTURE1);
    gl.glBindTexture(GL_TEXTURE_2D, counts_.id());
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, colour_.id());
    cover();
  }

private:
  static GlTexture makeTexture(Gl& gl, glm::ivec2 size, GLint internal, GLenum format, GLenum type) {
    GlTexture made = GlTexture::create();
    gl.glBindTexture(GL_TEXTURE_2D, made.id());
    gl.glTexImage2D(GL_TEXTURE_2D, 0, internal, size.x, size.y, 0, format, type, nullptr);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    return made;
  }

  void resize(glm::ivec2 size, bool counts) {
    Gl& gl = currentGl();
    size_ = {0, 0};
    colour_ = makeTexture(gl, size, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    depth_ = makeTexture(gl, size, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    counts_ = counts ? makeTexture(gl, size, GL_R32F, GL_RED, GL_FLOAT) : GlTexture();
    framebuffer_ = GlFramebuffer::create();
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_.id(), 0);
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
    if (counts)
      gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, counts_.id(), 0);
    const GLenum status = gl.glCheckFramebufferStatus(GL_FRAMEBUFFER);
    throwOnGlError(gl, "Making room for the picture of the points");
    if (status != GL_FRAMEBUFFER_COMPLETE)
      throw std::runtime_error("This OpenGL cannot draw into a picture of the window's size (status " +
                               std::to_string(status) + ")");
    size_ = size;
  }
  void cover() const {
    Gl& gl = currentGl();
    gl.glDisable(GL_DEPTH_TEST);
    gl.glEnable(GL_BLEND);
    gl.glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    screen_.draw();
    gl.glDisable(GL_BLEND);
    gl.glActiveTexture(GL_TEXTURE1);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    gl.glUseProgram(0);
  }

  ShaderProgram plain_, density_;
  ScreenTriangle screen_;
  GlFramebuffer framebuffer_;
  GlTexture colour_, counts_, depth_;
  glm::ivec2 size_{0};
};

} // namespace lloyd

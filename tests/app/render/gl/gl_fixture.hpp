// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"

#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>

#include <memory>
#include <stdexcept>

namespace lloyd {

/// An OpenGL 3.3 context with nothing on the screen, current while this lives, and a framebuffer to draw
/// into.
class GlFixture {
public:
  explicit GlFixture(QSize size) {
    QSurfaceFormat format;
    format.setVersion(kGlMajor, kGlMinor);
    format.setProfile(QSurfaceFormat::CoreProfile);
    context_.setFormat(format);
    surface_.setFormat(format);
    surface_.create();
    if (!context_.create() || !context_.makeCurrent(&surface_))
      throw std::runtime_error("No OpenGL 3.3 here");
    resize(size);
  }

  void resize(QSize size) { target_ = std::make_unique<QOpenGLFramebufferObject>(size); }
  [[nodiscard]] GLuint target() const { return target_->handle(); }
  [[nodiscard]] QImage image() const { return target_->toImage().convertToFormat(QImage::Format_RGB32); }
  [[nodiscard]] QOpenGLContext& context() { return context_; }
  void makeCurrent() { context_.makeCurrent(&surface_); }

private:
  QOffscreenSurface surface_;
  QOpenGLContext context_;
  std::unique_ptr<QOpenGLFramebufferObject> target_;
};

} // namespace lloyd

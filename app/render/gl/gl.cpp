// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/gl.hpp"

#include <QOpenGLVersionFunctionsFactory>

#include <stdexcept>
#include <string>

namespace lloyd {

Gl* glOf(QOpenGLContext* context) {
  // On an OpenGL ES context the factory would hand out functions that are not there.
  if (!context || !context->isValid() || context->isOpenGLES()) return nullptr;
  return QOpenGLVersionFunctionsFactory::get<Gl>(context);
}

Gl& currentGl() {
  Gl* gl = glOf(QOpenGLContext::currentContext());
  if (!gl) throw std::runtime_error("Drawing needs a current OpenGL 3.3 context, and there is none");
  return *gl;
}

void throwOnGlError(Gl& gl, const char* what) {
  const GLenum first = gl.glGetError();
  if (first == GL_NO_ERROR) return;
  // A lost context reports errors for ever, hence the bound.
  for (int i = 0; i < 16 && gl.glGetError() != GL_NO_ERROR; ++i) {
  }
  const std::string action(what);
  if (first == GL_OUT_OF_MEMORY)
    throw std::runtime_error(action +
                             ": the graphics memory is full. Fewer points or a smaller window need less");
  throw std::runtime_error(action + ": OpenGL reports error " + std::to_string(first));
}

} // namespace lloyd

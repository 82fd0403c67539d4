// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/gl_report.hpp"

#include "app/render/gl/gl.hpp"

#include <QOpenGLFunctions>

#include <algorithm>
#include <array>
#include <cctype>

namespace lloyd {

namespace {

std::string text(QOpenGLFunctions& gl, GLenum what) {
  const GLubyte* found = gl.glGetString(what);
  std::string copy;
  for (; found && *found; ++found)
    copy += static_cast<char>(*found);
  return copy;
}

} // namespace

bool isSoftwareRenderer(std::string_view renderer) {
  std::string lower(renderer);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array names{"llvmpipe",
                             "softpipe",
                             "swrast",
                             "software rasterizer",
                             "swiftshader",
                             "gdi generic",
                             "microsoft basic render",
                             "apple software"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* known) { return lower.find(known) != std::string::npos; });
}

GlReport reportGl(QOpenGLContext* context) {
  GlReport report;
  if (!context || !context->isValid()) return report;
  QOpenGLFunctions* gl = context->functions();
  report.embedded = context->isOpenGLES();
  report.version = text(*gl, GL_VERSION);
  report.renderer = text(*gl, GL_RENDERER);
  report.vendor = text(*gl, GL_VENDOR);
  report.software = isSoftwareRenderer(report.renderer);
  // The format holds what the driver granted, read back by Qt when the context was made.
  report.major = context->format().majorVersion();
  report.minor = context->format().minorVersion();
  return report;
}

std::string GlReport::whyNot() const {
  if (major == 0) {
    return "OpenGL 3.3 is needed to draw the points, and this display offers no OpenGL; a graphics driver, "
           "or Mesa's "
           "software one, would give it.";
  }
  const bool newEnough = major > kGlMajor || (major == kGlMajor && minor >= kGlMinor);
  if (newEnough && !embedded) return {};
  return "OpenGL 3.3 is needed to draw the points, this window has " +
         std::string(embedded ? "OpenGL ES " : "") + std::to_string(major) + "." + std::to_string(minor) +
         " by " + (renderer.empty() ? "an unnamed driver" : renderer) +
         "; a newer graphics driver may offer it.";
}

} // namespace lloyd

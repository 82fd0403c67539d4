// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

class QOpenGLContext;

namespace lloyd {

/// What a person, a report and the choice of a drawing budget need to know of an OpenGL.
struct GlReport {
  int major = 0;
  int minor = 0;
  bool embedded = false; ///< an OpenGL ES
  std::string version;
  std::string renderer;
  std::string vendor;
  bool software = false; ///< drawn by the CPU

  /// Empty when the program can draw with it, else one sentence with what was found and what is needed.
  [[nodiscard]] std::string whyNot() const;
};

/// The context must be current; null gives a report whose whyNot() says that there is no OpenGL.
[[nodiscard]] GlReport reportGl(QOpenGLContext* context);

/// Whether a renderer string names one of the known software implementations.
[[nodiscard]] bool isSoftwareRenderer(std::string_view renderer);

} // namespace lloyd

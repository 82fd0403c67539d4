// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QOpenGLContext>
#include <QOpenGLFunctions_3_3_Core>

#include <cstddef>

namespace lloyd {

/// The OpenGL that this program is written against.
using Gl = QOpenGLFunctions_3_3_Core;
inline constexpr int kGlMajor = 3;
inline constexpr int kGlMinor = 3;

/// The functions of a context, owned by it; null when it is older than OpenGL 3.3 or an OpenGL ES. The
/// context must be current.
[[nodiscard]] Gl* glOf(QOpenGLContext* context);

/// Of the current context. Throws std::runtime_error when there is none, or it is too old.
[[nodiscard]] Gl& currentGl();

/// An offset into the bound buffer, as OpenGL spells it.
[[nodiscard]] inline const void* glOffset(std::size_t bytes) {
  return reinterpret_cast<const void*>(bytes); // NOLINT(performance-no-int-to-ptr)
}

/// Throws std::runtime_error, with what was being done in its words, when an OpenGL call failed since the
/// last check.
void throwOnGlError(Gl& gl, const char* what);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lloyd {

/// What compute shaders over buffers need beyond OpenGL 3.3. The functions belong to the context they were
/// found in.
struct GlCompute {
  void(QOPENGLF_APIENTRYP dispatch)(GLuint groupsX, GLuint groupsY, GLuint groupsZ) = nullptr;
  void(QOPENGLF_APIENTRYP barrier)(GLbitfield kinds) = nullptr;
  void(QOPENGLF_APIENTRYP clear)(GLenum target, GLenum internal, GLenum format, GLenum type,
                                 const void* value) = nullptr;
  std::size_t mostBlockBytes = 0;  ///< of a buffer, or of a part of one, that a shader sees at a time
  std::size_t offsetAlignment = 1; ///< bytes; where such a part may begin
};

/// Nothing when the context (current) is neither OpenGL 4.3 nor has the extensions that became it, or when
/// its fragment shaders cannot read such buffers.
[[nodiscard]] std::optional<GlCompute> computeOf(QOpenGLContext* context);

/// A buffer for shaders to read and write, its words undefined. The caller asks OpenGL whether there was
/// memory (throwOnGlError).
[[nodiscard]] GlBuffer makeStorage(std::size_t bytes);
/// The same value in every word.
void fillStorage(const GlCompute& compute, const GlBuffer& buffer, std::uint32_t value);

// Qt's header for OpenGL 3.3 stops short of these.
inline constexpr GLenum kShaderStorageBuffer = 0x90D2;
inline constexpr GLenum kComputeShader = 0x91B9;
inline constexpr GLbitfield kShaderStorageBarrier = 0x2000;
inline constexpr GLbitfield kBufferUpdateBarrier = 0x200;

} // namespace lloyd

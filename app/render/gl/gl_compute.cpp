// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/gl/gl_compute.hpp"

#include <algorithm>
#include <array>

namespace lloyd {

namespace {

constexpr GLenum kMostFragmentBlocks = 0x90DA;
constexpr GLenum kMostComputeBlocks = 0x90DB;
constexpr GLenum kMostBlockBytes = 0x90DE;
constexpr GLenum kOffsetAlignment = 0x90DF;

/// What the shaders of the program bind at a time.
constexpr GLint kFragmentBlocks = 2;
constexpr GLint kComputeBlocks = 7;

template <class Function>
void find(QOpenGLContext& context, Function& function, const char* name) {
  function = reinterpret_cast<Function>(context.getProcAddress(name)); // NOLINT(*-reinterpret-cast)
}

} // namespace

std::optional<GlCompute> computeOf(QOpenGLContext* context) {
  Gl* gl = glOf(context);
  if (!gl) return std::nullopt;
  // The shaders ask for the extensions by name, which a driver may grant in a context of 3.3 too; a driver
  // of 4.3 or more has them all.
  constexpr std::array needed{"GL_ARB_compute_shader", "GL_ARB_shader_image_load_store",
                              "GL_ARB_shader_storage_buffer_object", "GL_ARB_shading_language_420pack",
                              "GL_ARB_clear_buffer_object"};
  const bool named = std::all_of(needed.begin(), needed.end(),
                                 [&](const char* name) { return context->hasExtension(name); });
  if (!named) return std::nullopt;

  GlCompute found;
  find(*context, found.dispatch, "glDispatchCompute");
  find(*context, found.barrier, "glMemoryBarrier");
  find(*context, found.clear, "glClearBufferData");
  if (!found.dispatch || !found.barrier || !found.clear) return std::nullopt;
  GLint fragmentBlocks = 0, computeBlocks = 0, alignment = 0;
  GLint64 bytes = 0;
  gl->glGetIntegerv(kMostFragmentBlocks, &fragmentBlocks);
  gl->glGetIntegerv(kMostComputeBlocks, &computeBlocks);
  gl->glGetIntegerv(kOffsetAlignment, &alignment);
  gl->glGetInteger64v(kMostBlockBytes, &bytes);
  if (fragmentBlocks < kFragmentBlocks || computeBlocks < kComputeBlocks || bytes <= 0) return std::nullopt;
  found.mostBlockBytes = static_cast<std::size_t>(bytes);
  found.offsetAlignment = static_cast<std::size_t>(std::max(alignment, 1));
  return found;
}

GlBuffer makeStorage(std::size_t bytes) {
  Gl& gl = currentGl();
  GlBuffer made = GlBuffer::create();
  gl.glBindBuffer(kShaderStorageBuffer, made.id());
  gl.glBufferData(kShaderStorageBuffer, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
  gl.glBindBuffer(kShaderStorageBuffer, 0);
  return made;
}

void fillStorage(const GlCompute& compute, const GlBuffer& buffer, std::uint32_t value) {
  Gl& gl = currentGl();
  gl.glBindBuffer(kShaderStorageBuffer, buffer.id());
  compute.clear(kShaderStorageBuffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
  gl.glBindBuffer(kShaderStorageBuffer, 0);
}

} // namespace lloyd

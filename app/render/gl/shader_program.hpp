// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_compute.hpp"

#include <QString>

#include <glm/glm.hpp>
#include <tl/expected.hpp>

#include <initializer_list>
#include <string>
#include <utility>

namespace lloyd {

/// A vertex and a fragment shader, or a compute shader, linked. A line #include "NAME" in one stands for the
/// file NAME beside it. All calls need the context current.
class ShaderProgram {
public:
  /// Reads, compiles and links two files (":/shaders/..." for the program's own). On failure the program that
  /// was there before stays in use, and the error names the file and carries the driver's log.
  tl::expected<void, std::string> load(const QString& vertexFile, const QString& fragmentFile) {
    return build({{GL_VERTEX_SHADER, vertexFile}, {GL_FRAGMENT_SHADER, fragmentFile}});
  }

  /// The same for a compute shader, in a context that has them (computeOf).
  tl::expected<void, std::string> loadCompute(const QString& file) { return build({{kComputeShader, file}}); }

  explicit operator bool() const { return static_cast<bool>(program_); }
  void use(Gl& gl) const { gl.glUseProgram(program_.id()); }

  // The program must be in use. A uniform that the compiler removed is ignored, as OpenGL does.
  void set(Gl& gl, const char* name, int value) const { gl.glUniform1i(location(gl, name), value); }
  void set(Gl& gl, const char* name, float value) const { gl.glUniform1f(location(gl, name), value); }
  void set(Gl& gl, const char* name, glm::ivec2 value) const {
    gl.glUniform2i(location(gl, name), value.x, value.y);
  }
  void set(Gl& gl, const char* name, glm::vec2 value) const {
    gl.glUniform2f(location(gl, name), value.x, value.y);
  }
  void set(Gl& gl, const char* name, glm::vec3 value) const {
    gl.glUniform3f(location(gl, name), value.x, value.y, value.z);
  }
  void set(Gl& gl, const char* name, glm::vec4 value) const {
    gl.glUniform4f(location(gl, name), value.x, value.y, value.z, value.w);
  }
  void set(Gl& gl, const char* name, const glm::mat4& value) const {
    gl.glUniformMatrix4fv(location(gl, name), 1, GL_FALSE, &value[0][0]);
  }

private:
  tl::expected<void, std::string> build(std::initializer_list<std::pair<GLenum, QString>> stages);
  [[nodiscard]] GLint location(Gl& gl, const char* name) const {
    return gl.glGetUniformLocation(program_.id(), name);
  }

  GlProgram program_;
};

/// Loads ":/shaders/NAME.vert" and ":/shaders/NAME.frag"; throws std::runtime_error, because a program whose
/// own shaders fail cannot draw.
[[nodiscard]] ShaderProgram loadShaders(const char* vertexName, const char* fragmentName);
/// The same for ":/shaders/NAME.comp".
[[nodiscard]] ShaderProgram loadCompute(const char* name);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QOpenGLContext>
#include <QOpenGLFunctions_3_3_Core>
#include <QPointer>

#include <cstddef>
#include <utility>

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

/// Owns one OpenGL object. It is deleted when the context it was made in, or for kinds that contexts share
/// one that shares with it, is current; when its context has died the id is forgotten, because it may already
/// name something else. A live context that is not current keeps the object until it dies itself: owners make
/// it current first.
template <class Kind>
class GlHandle {
public:
  GlHandle() = default;
  /// Makes an object in the current context.
  [[nodiscard]] static GlHandle create() {
    GlHandle made;
    made.id_ = Kind::create(currentGl());
    made.context_ = QOpenGLContext::currentContext();
    return made;
  }
  GlHandle(GlHandle&& other) noexcept
      : id_(std::exchange(other.id_, Id{})), context_(std::exchange(other.context_, nullptr)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    GlHandle taken(std::move(other));
    std::swap(id_, taken.id_);
    std::swap(context_, taken.context_);
    return *this;
  }
  GlHandle(const GlHandle&) = delete;
  GlHandle& operator=(const GlHandle&) = delete;
  ~GlHandle() { reset(); }

  void reset() {
    const Id id = std::exchange(id_, Id{});
    QOpenGLContext* current = QOpenGLContext::currentContext();
    const bool reachable =
        current && context_ && context_->isValid() &&
        (current == context_ || (Kind::kShared && QOpenGLContext::areSharing(current, context_)));
    if (id && reachable) {
      if (Gl* gl = glOf(current)) Kind::destroy(*gl, id);
    }
    context_ = nullptr;
  }

  using Id = typename Kind::Id;
  [[nodiscard]] Id id() const { return id_; }
  explicit operator bool() const { return id_ != Id{}; }

private:
  Id id_{};
  QPointer<QOpenGLContext> context_;
};

/// Objects that OpenGL makes and deletes by the array. shared: with the contexts of a group.
template <void (Gl::*make)(GLsizei, GLuint*), void (Gl::*remove)(GLsizei, const GLuint*), bool shared>
struct GlNameKind {
  using Id = GLuint;
  static constexpr bool kShared = shared;
  static Id create(Gl& gl) {
    Id id = 0;
    (gl.*make)(1, &id);
    return id;
  }
  static void destroy(Gl& gl, Id id) { (gl.*remove)(1, &id); }
};

/// A fence after all commands given so far.
struct GlSyncKind {
  using Id = GLsync;
  static constexpr bool kShared = true;
  static Id create(Gl& gl) { return gl.glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0); }
  static void destroy(Gl& gl, Id id) { gl.glDeleteSync(id); }
};

struct GlProgramKind {
  using Id = GLuint;
  static constexpr bool kShared = true;
  static Id create(Gl& gl) { return gl.glCreateProgram(); }
  static void destroy(Gl& gl, Id id) { gl.glDeleteProgram(id); }
};

using GlBuffer = GlHandle<GlNameKind<&Gl::glGenBuffers, &Gl::glDeleteBuffers, true>>;
using GlVertexArray = GlHandle<GlNameKind<&Gl::glGenVertexArrays, &Gl::glDeleteVertexArrays, false>>;
using GlTexture = GlHandle<GlNameKind<&Gl::glGenTextures, &Gl::glDeleteTextures, true>>;
using GlFramebuffer = GlHandle<GlNameKind<&Gl::glGenFramebuffers, &Gl::glDeleteFramebuffers, false>>;
using GlQuery = GlHandle<GlNameKind<&Gl::glGenQueries, &Gl::glDeleteQueries, false>>;
using GlSync = GlHandle<GlSyncKind>;
using GlProgram = GlHandle<GlProgramKind>;

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

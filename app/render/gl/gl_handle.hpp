// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"

#include <QPointer>

#include <utility>

namespace lloyd {

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

} // namespace lloyd

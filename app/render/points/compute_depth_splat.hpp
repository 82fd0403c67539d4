// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"
#include "app/render/points/compute_point_source.hpp"
#include "app/render/points/sample_order.hpp"

#include <glm/glm.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd {

/// The point of a drawing in space that is nearest to the eye in each pixel, found by a compute shader: what
/// a depth test does, by all of the GPU's cores and not only by the few units that rasterise. Points are
/// squares. Minima of integers only, so the picture does not depend on the order of the points. After
/// Schuetz, Kerbl and Wimmer, "Rendering Point Clouds with Compute Shaders and Vertex Order Optimization",
/// 2021, whose depth and colour share a word of 64 bits; two rounds over the points need no more than
/// OpenGL 4.3 has. All calls need the context current.
class ComputeDepthSplat {
public:
  /// windowPoints: as ComputePointSource's. Throws std::runtime_error when a shader fails.
  explicit ComputeDepthSplat(const GlCompute& compute,
                             std::size_t windowPoints = ComputePointSource::kMostWindow)
      : compute_(compute), source_(compute, windowPoints), find_(loadCompute("compute_depth_splat")),
        show_(loadShaders("picture", "compute_depth_splat")) {}

  /// How points are drawn.
  struct Look {
    float size = 1;     ///< their edge in pixels, in the middle of the data
    GLuint palette = 0; ///< texture with the colour of each cluster, 256 texels a row
    int clusters = 0;
    Rgb unlabelled;
    Rgb background;
    float largest = 48; ///< their edge in pixels at most, however near
  };
  /// fresh: the picture is empty; otherwise what was found before hides what comes and is farther, unless the
  /// picture has another size. Throws std::runtime_error when there is no memory.
  void begin(const ComputePointSource::Points& points, const CameraView& view, const Look& look, bool fresh) {
    Gl& gl = currentGl();
    const glm::ivec2 viewport = glm::max(view.viewport, glm::ivec2(1));
    if (viewport != viewport_) {
      release();
      const std::size_t words = static_cast<std::size_t>(viewport.x) * static_cast<std::size_t>(viewport.y);
      nearest_ = makeStorage(words * sizeof(std::uint32_t));
      owner_ = makeStorage(words * sizeof(std::uint32_t));
      throwOnGlError(gl, "Making room to find the nearest points");
      viewport_ = viewport;
      fresh = true;
    }
    if (fresh) fillStorage(compute_, nearest_, kNoOwner);
    fillStorage(compute_, owner_, kNoOwner);
    added_.clear();
    look_ = look;
    eyeRange_ = glm::vec2(view.nearest, view.farthest);

    find_.use(gl);
    source_.begin(find_, points, view, look.clusters);
    find_.set(gl, "point_size", look.size);
    find_.set(gl, "largest_size", look.largest);
    find_.set(gl, "eye_range", eyeRange_);
    find_.set(gl, "orthographic", view.orthographic ? 1 : 0);
    find_.set(gl, "naming", 0);
    gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding, nearest_.id());
    gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding + 1, owner_.id());
  }
  void addRange(std::size_t first, std::size_t count) { addOrdered(0, {false, first, count, 0}); }
  /// order: the buffer with the table of the sample order that piece is a part of.
  void addOrdered(GLuint order, const SampleOrder::Piece& piece) {
    source_.feed(order, piece);
    added_.push_back({order, piece});
  }
  /// Writes the colour of every pixel in which a point added since begin() is the nearest into the
  /// framebuffer that is bound.
  void finish() {
    Gl& gl = currentGl();
    compute_.barrier(kShaderStorageBarrier);
    find_.set(gl, "naming", 1);
    for (const Added& added : added_)
      source_.feed(added.order, added.piece);
    // What follows reads them, and the next frame may fill them anew.
    compute_.barrier(kShaderStorageBarrier | kBufferUpdateBarrier);
    show_.use(gl);
    show_.set(gl, "viewport", viewport_);
    show_.set(gl, "eye_range", eyeRange_);
    show_.set(gl, "palette", 0);
    show_.set(gl, "clusters", look_.clusters);
    show_.set(gl, "unlabelled", toVec(look_.unlabelled));
    show_.set(gl, "background", toVec(look_.background));
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, look_.palette);
    gl.glDisable(GL_BLEND);
    gl.glDisable(GL_DEPTH_TEST);
    screen_.draw();
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    ComputePointSource::end();
    gl.glUseProgram(0);
  }

  /// Gives the memory back until the next begin().
  void release() {
    nearest_.reset();
    owner_.reset();
    viewport_ = {0, 0};
  }

private:
  static constexpr std::uint32_t kNoOwner =
      ~std::uint32_t{0}; ///< no_owner of compute_depth_splat.frag; farther than any point too

  /// A piece of the sample order, and the buffer with its table.
  struct Added {
    GLuint order;
    SampleOrder::Piece piece;
  };

  GlCompute compute_;
  ComputePointSource source_;
  ShaderProgram find_, show_;
  ScreenTriangle screen_;
  GlBuffer nearest_, owner_;
  glm::ivec2 viewport_{0};
  glm::vec2 eyeRange_{0};
  Look look_;
  std::vector<Added> added_; ///< since begin(), for the second round
};

} // namespace lloyd

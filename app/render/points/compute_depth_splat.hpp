// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/screen_triangle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"
#include "app/render/points/compute_point_source.hpp"
#include "app/render/points/sample_order.hpp"

#include <glm/glm.hpp>

#include <cstddef>
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
                             std::size_t windowPoints = ComputePointSource::kMostWindow);

  /// How points are drawn.
  struct Look {
    float size = 1;     ///< their edge in pixels, in the middle of the data
    GLuint palette = 0; ///< texture with the colour of each cluster, 256 texels a row
    int clusters = 0;
    Rgb unlabelled;
    Rgb background;
  };
  /// fresh: the picture is empty; otherwise what was found before hides what comes and is farther, unless the
  /// picture has another size. Throws std::runtime_error when there is no memory.
  void begin(const ComputePointSource::Points& points, const CameraView& view, const Look& look, bool fresh);
  void addRange(std::size_t first, std::size_t count) { addOrdered(0, {false, first, count, 0}); }
  /// order: the buffer with the table of the sample order that piece is a part of.
  void addOrdered(GLuint order, const SampleOrder::Piece& piece);
  /// Writes the colour of every pixel in which a point added since begin() is the nearest into the
  /// framebuffer that is bound.
  void finish();

  /// Gives the memory back until the next begin().
  void release();

private:
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

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
#include <span>

namespace lloyd {

/// How many points of each colour lie in each pixel of a flat drawing, counted by a compute shader: nothing
/// is blended. Sums of integers only, so the picture depends on neither the order of the points nor the cuts
/// between slices. All calls need the context current.
class PixelHistogram {
public:
  /// What is never exceeded, whatever the picture's size and the number of clusters; the context may ask for
  /// less.
  struct Limits {
    /// A pixel needs four bytes for each colour and four more. When that is beyond the limit, colours are
    /// counted in cells of 2x2, 4x4 ... pixels. A pixel then has its own number of points, and one bit for
    /// each colour as long as half of the limit holds those: it takes, of the colours it has itself, the one
    /// that most points of its cell have. Without bits all pixels of a cell share a colour.
    std::size_t bytes = std::size_t{256} << 20;
    std::size_t windowPoints = ComputePointSource::kMostWindow; ///< as ComputePointSource's
  };

  /// Throws std::runtime_error when a shader fails.
  PixelHistogram(const GlCompute& compute, const Limits& limits);

  /// The colours of the clusters; clusters of one colour count together.
  void setColours(std::span<const Rgb> colours);

  /// size: the points' edge in pixels. fresh: what was counted before is forgotten, as it also is when the
  /// picture or the number of colours has changed. Throws std::runtime_error when there is no memory.
  void begin(const ComputePointSource::Points& points, const CameraView& view, float size, bool fresh);
  void countRange(std::size_t first, std::size_t count) { source_.range(first, count); }
  /// order: the buffer with the table of the sample order that piece is a part of.
  void countOrdered(GLuint order, const SampleOrder::Piece& piece) { source_.feed(order, piece); }
  /// Writes colour and count of every pixel, empty ones included, into the two attachments of the framebuffer
  /// that is bound.
  void finish(Rgb unlabelled);

  /// Gives the memory back until the next begin().
  void release();
  /// The edge of a cell in pixels.
  [[nodiscard]] int cellPixels() const { return 1 << shape_.cellShift; }
  /// Whether pixels know which colours they have.
  [[nodiscard]] bool coloursByPixel() const { return shape_.cellShift == 0 || shape_.presentSheets > 0; }

private:
  /// What the table's meaning depends on.
  struct Shape {
    glm::ivec2 viewport{0};
    int kinds = 0;
    int cellShift = 0;
    int presentSheets = 0;
    bool operator==(const Shape&) const = default;
    [[nodiscard]] glm::ivec2 cells() const { return (viewport + ((1 << cellShift) - 1)) >> cellShift; }
    [[nodiscard]] std::size_t tableBytes() const;
    [[nodiscard]] std::size_t pixelBytes() const;
  };
  [[nodiscard]] Shape shapeFor(glm::ivec2 viewport) const;
  void makeRoom(const Shape& shape);
  void bindTable() const;

  GlCompute compute_;
  std::size_t bytes_;
  ComputePointSource source_;
  ShaderProgram count_, majority_;
  ScreenTriangle screen_;
  GlTexture kindOf_, kindColours_;
  int clusters_ = 0;
  int kinds_ = 0;
  GlBuffer table_, pixels_;
  Shape shape_;
};

} // namespace lloyd

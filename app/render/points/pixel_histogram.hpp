// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"
#include "app/render/points/compute_point_source.hpp"
#include "app/render/points/palette_texture.hpp"
#include "app/render/points/sample_order.hpp"

#include <glm/glm.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

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
  PixelHistogram(const GlCompute& compute, const Limits& limits)
      : compute_(compute), bytes_(std::min(limits.bytes, compute.mostBlockBytes)),
        source_(compute, limits.windowPoints), count_(loadCompute("pixel_histogram")),
        majority_(loadShaders("picture", "pixel_histogram")) {
    setColours({});
  }

  /// The colours of the clusters; clusters of one colour count together.
  void setColours(std::span<const Rgb> colours) {
    std::unordered_map<std::uint32_t, std::int32_t> known;
    std::vector<std::int32_t> kinds;
    std::vector<Rgb> distinct;
    kinds.reserve(colours.size());
    for (const Rgb colour : colours) {
      const auto [place, added] =
          known.try_emplace(numberOf(colour), static_cast<std::int32_t>(distinct.size()));
      if (added) distinct.push_back(colour);
      kinds.push_back(place->second);
    }
    clusters_ = static_cast<int>(colours.size());
    kinds_ = static_cast<int>(distinct.size());
    fillPaletteTexture<std::int32_t>(kindOf_, kinds);
    fillPaletteTexture<Rgb>(kindColours_, distinct);
  }

  /// size: the points' edge in pixels. fresh: what was counted before is forgotten, as it also is when the
  /// picture or the number of colours has changed. Throws std::runtime_error when there is no memory.
  void begin(const ComputePointSource::Points& points, const CameraView& view, float size, bool fresh) {
    Gl& gl = currentGl();
    const Shape shape = shapeFor(view.viewport);
    if (shape != shape_) {
      makeRoom(shape);
      fresh = true;
    }
    if (fresh) {
      fillStorage(compute_, table_, 0);
      fillStorage(compute_, pixels_, 0);
    }
    count_.use(gl);
    source_.begin(count_, points, view, clusters_);
    count_.set(gl, "point_size", size);
    count_.set(gl, "kind_of", 0);
    count_.set(gl, "kinds", shape.kinds);
    count_.set(gl, "cell_shift", shape.cellShift);
    count_.set(gl, "cells", shape.cells());
    count_.set(gl, "present_sheets", shape.presentSheets);
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, kindOf_.id());
    bindTable();
  }
  void countRange(std::size_t first, std::size_t count) { source_.range(first, count); }
  /// order: the buffer with the table of the sample order that piece is a part of.
  void countOrdered(GLuint order, const SampleOrder::Piece& piece) { source_.feed(order, piece); }
  /// Writes colour and count of every pixel, empty ones included, into the two attachments of the framebuffer
  /// that is bound.
  void finish(Rgb unlabelled) {
    Gl& gl = currentGl();
    // What follows reads the counts, and the next frame may clear them.
    compute_.barrier(kShaderStorageBarrier | kBufferUpdateBarrier);
    majority_.use(gl);
    majority_.set(gl, "kinds", shape_.kinds);
    majority_.set(gl, "cell_shift", shape_.cellShift);
    majority_.set(gl, "cells", shape_.cells());
    majority_.set(gl, "viewport", shape_.viewport);
    majority_.set(gl, "present_sheets", shape_.presentSheets);
    majority_.set(gl, "kind_colours", 0);
    majority_.set(gl, "unlabelled", toVec(unlabelled));
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, kindColours_.id());
    bindTable();
    gl.glDisable(GL_BLEND);
    gl.glDisable(GL_DEPTH_TEST);
    screen_.draw();
    ComputePointSource::end();
    gl.glBindTexture(GL_TEXTURE_2D, 0);
    gl.glUseProgram(0);
  }

  /// Gives the memory back until the next begin().
  void release() {
    table_.reset();
    pixels_.reset();
    shape_ = {};
  }
  /// The edge of a cell in pixels.
  [[nodiscard]] int cellPixels() const { return 1 << shape_.cellShift; }
  /// Whether pixels know which colours they have.
  [[nodiscard]] bool coloursByPixel() const { return shape_.cellShift == 0 || shape_.presentSheets > 0; }

private:
  static std::uint32_t numberOf(Rgb colour) {
    return std::uint32_t{colour.r} << 16U | std::uint32_t{colour.g} << 8U | colour.b;
  }
  static std::size_t pixelsOf(glm::ivec2 size) {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
  }

  /// What the table's meaning depends on.
  struct Shape {
    glm::ivec2 viewport{0};
    int kinds = 0;
    int cellShift = 0;
    int presentSheets = 0;
    bool operator==(const Shape&) const = default;
    [[nodiscard]] glm::ivec2 cells() const { return (viewport + ((1 << cellShift) - 1)) >> cellShift; }
    [[nodiscard]] std::size_t tableBytes() const {
      return pixelsOf(cells()) * (static_cast<std::size_t>(kinds) + 1) * sizeof(std::uint32_t);
    }
    [[nodiscard]] std::size_t pixelBytes() const {
      // A buffer must have some bytes even when nothing is in it.
      if (cellShift == 0) return sizeof(std::uint32_t);
      return pixelsOf(viewport) * (1 + static_cast<std::size_t>(presentSheets)) * sizeof(std::uint32_t);
    }
  };
  [[nodiscard]] Shape shapeFor(glm::ivec2 viewport) const {
    Shape shape{glm::max(viewport, glm::ivec2(1)), kinds_, 0, 0};
    if (shape.tableBytes() <= bytes_) return shape;
    shape.cellShift = 1;
    shape.presentSheets = kinds_ / 32 + 1;
    if (shape.pixelBytes() > bytes_ / 2) shape.presentSheets = 0;
    while (shape.tableBytes() + shape.pixelBytes() > bytes_ && shape.cells() != glm::ivec2(1))
      ++shape.cellShift;
    return shape;
  }
  void makeRoom(const Shape& shape) {
    shape_ = {};
    table_ = makeStorage(shape.tableBytes());
    pixels_ = makeStorage(shape.pixelBytes());
    throwOnGlError(currentGl(), "Making room to count points by pixel");
    shape_ = shape;
  }
  void bindTable() const {
    Gl& gl = currentGl();
    gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding, table_.id());
    gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding + 1, pixels_.id());
  }

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

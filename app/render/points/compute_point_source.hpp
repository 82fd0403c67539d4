// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/render/points/sample_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lloyd {

/// Hands points to compute shaders that begin with compute_point_source.glsl, one an invocation, straight
/// from the buffers that are drawn (and lent to CUDA): nothing is copied. All calls need the context current.
class ComputePointSource {
public:
  /// Whose coordinates a shader sees at a time. More would carry a label's place in bits beyond its integers.
  static constexpr std::size_t kMostWindow = std::size_t{1} << 25;

  /// windowPoints: fewer at a time; the context may ask for less.
  ComputePointSource(const GlCompute& compute, std::size_t windowPoints) : compute_(compute) {
    // A part of a buffer begins at an aligned byte, up to one alignment before its first point.
    const std::size_t bytes =
        compute.mostBlockBytes - std::min(compute.offsetAlignment, compute.mostBlockBytes);
    windowPoints_ = std::clamp(bytes / sizeof(float), std::size_t{1}, std::min(windowPoints, kMostWindow));
  }

  /// OpenGL buffers, positions as rows of stride floats.
  struct Points {
    GLuint positions = 0;
    GLuint labels = 0;
    int labelBits = 32; ///< 8 and 16 without a sign, 32 with
    std::size_t n = 0;
    std::size_t stride = 0;
    bool hides = false; ///< labels of hiddenGroup are those of points that are not drawn
    /// What is drawn of the buffers: with their groups as labels, or with their labels.
    [[nodiscard]] static Points of(const PointBuffers& buffers, bool grouped = false) {
      const GlPointBuffers names = buffers.names();
      const auto front = static_cast<std::size_t>(buffers.frontLabels());
      const LabelWidth width = grouped ? LabelWidth::four : names.labelWidths[front];
      return {.positions = buffers.drawnName(),
              .labels = grouped ? buffers.groupsName() : names.labels[front],
              .labelBits = static_cast<int>(8 * bytesOf(width)),
              .n = names.n,
              .stride = names.stride,
              .hides = grouped};
    }
  };
  /// What is fed from now on, and to which program, which is in use and stays so until the last call.
  void begin(const ShaderProgram& program, const Points& points, const CameraView& view, int clusters) {
    Gl& gl = currentGl();
    program_ = &program;
    points_ = points;
    dimensions_ = view.dimensions;
    const ShaderCamera camera = shaderCamera(view);
    program.set(gl, "dimensions", view.dimensions);
    program.set(gl, "origin", camera.origin);
    program.set(gl, "clip_from_offset", camera.clipFromOffset);
    program.set(gl, "viewport", glm::max(view.viewport, glm::ivec2(1)));
    program.set(gl, "label_bits", points.labelBits);
    program.set(gl, "clusters", clusters);
    program.set(gl, "hides", points.hides ? 1 : 0);
  }
  /// A piece of the sample order; order: the buffer with its table.
  void feed(GLuint order, const SampleOrder::Piece& piece) const {
    if (!piece.indexed) return range(piece.first, piece.count);
    Gl& gl = currentGl();
    program_->set(gl, "ordered", 1);
    program_->set(gl, "base", static_cast<int>(piece.base));
    gl.glBindBufferBase(kShaderStorageBuffer, kOrder, order);
    // The order leaps through all of the memory: each window takes its own of the positions in it.
    for (std::size_t first = 0; first < points_.n; first += windowPoints_) {
      bindWindow(first, std::min(points_.n, first + windowPoints_));
      dispatch(piece.first, piece.count);
    }
  }
  void range(std::size_t first, std::size_t count) const {
    Gl& gl = currentGl();
    program_->set(gl, "ordered", 0);
    gl.glBindBufferBase(kShaderStorageBuffer, kOrder, points_.positions); // not read
    const std::size_t end = first + count;
    for (; first < end; first += windowPoints_) {
      const std::size_t windowEnd = std::min(end, first + windowPoints_);
      bindWindow(first, windowEnd);
      dispatch(first, windowEnd - first);
    }
  }
  /// After the last call, whatever was in use by then: a buffer that stays bound could not be lent to CUDA,
  /// nor its name given again, without surprises.
  static void end() {
    Gl& gl = currentGl();
    for (GLuint index = 0; index < kOwnBinding + kOwnBuffers; ++index)
      gl.glBindBufferBase(kShaderStorageBuffer, index, 0);
  }

  /// The first binding that is left to the shader's own buffers: as many as kOwnBuffers.
  static constexpr GLuint kOwnBinding = 5;
  static constexpr GLuint kOwnBuffers = 2;

private:
  static constexpr std::size_t kGroup = 256; ///< local_size_x of compute_point_source.glsl
  /// Of one dispatch: far below the 65,535 groups that every OpenGL grants.
  static constexpr std::size_t kMostInvocations = std::size_t{1} << 22;
  static constexpr GLuint kLabels = 3, kOrder = 4; ///< bindings; coordinates have those before
  static constexpr std::array kRowSkips{"row_skip_0", "row_skip_1", "row_skip_2"};

  /// Bytes [begin, end) of a buffer, begin already aligned.
  void bindPart(GLuint index, GLuint buffer, std::size_t begin, std::size_t end) const {
    currentGl().glBindBufferRange(kShaderStorageBuffer, index, buffer, static_cast<GLintptr>(begin),
                                  static_cast<GLsizeiptr>(end - begin));
  }
  /// Coordinates and labels of the points [first, end).
  void bindWindow(std::size_t first, std::size_t end) const {
    Gl& gl = currentGl();
    const auto aligned = [this](std::size_t byte) { return byte - byte % compute_.offsetAlignment; };
    // Rows may begin anywhere on a line of 128 bytes, so they can need different skips.
    for (std::size_t row = 0; row < kRowSkips.size(); ++row) {
      const std::size_t stored = std::min(row, static_cast<std::size_t>(dimensions_) - 1);
      const std::size_t begin = (stored * points_.stride + first) * sizeof(float);
      bindPart(static_cast<GLuint>(row), points_.positions, aligned(begin),
               begin + (end - first) * sizeof(float));
      program_->set(gl, kRowSkips[row], static_cast<int>((begin - aligned(begin)) / sizeof(float)));
    }
    const auto labelBytes = static_cast<std::size_t>(points_.labelBits) / 8;
    const std::size_t begin = first * labelBytes;
    // A shader reads whole words.
    const std::size_t wordEnd = (end * labelBytes + 3) / 4 * 4;
    bindPart(kLabels, points_.labels, aligned(begin), wordEnd);
    program_->set(gl, "label_skip", static_cast<int>((begin - aligned(begin)) / labelBytes));
    program_->set(gl, "window_first", static_cast<int>(first));
    program_->set(gl, "window_end", static_cast<int>(end));
  }
  void dispatch(std::size_t first, std::size_t invocations) const {
    Gl& gl = currentGl();
    for (std::size_t done = 0; done < invocations; done += kMostInvocations) {
      const std::size_t now = std::min(kMostInvocations, invocations - done);
      program_->set(gl, "first", static_cast<int>(first + done));
      program_->set(gl, "invocations", static_cast<int>(now));
      compute_.dispatch(static_cast<GLuint>((now + kGroup - 1) / kGroup), 1, 1);
    }
  }

  GlCompute compute_;
  std::size_t windowPoints_;
  const ShaderProgram* program_ = nullptr;
  Points points_;
  int dimensions_ = 2;
};

} // namespace lloyd

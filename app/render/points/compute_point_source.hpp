// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/point_buffers.hpp"
#include "app/render/points/sample_order.hpp"

#include <cstddef>

namespace lloyd {

/// Hands points to compute shaders that begin with compute_point_source.glsl, one an invocation, straight
/// from the buffers that are drawn (and lent to CUDA): nothing is copied. All calls need the context current.
class ComputePointSource {
public:
  /// Whose coordinates a shader sees at a time. More would carry a label's place in bits beyond its integers.
  static constexpr std::size_t kMostWindow = std::size_t{1} << 25;

  /// windowPoints: fewer at a time; the context may ask for less.
  ComputePointSource(const GlCompute& compute, std::size_t windowPoints);

  /// OpenGL buffers, positions as rows of stride floats.
  struct Points {
    GLuint positions = 0;
    GLuint labels = 0;
    int labelBits = 32; ///< 8 and 16 without a sign, 32 with
    std::size_t n = 0;
    std::size_t stride = 0;
    /// What is drawn of the buffers: with their groups as labels, or with their labels.
    [[nodiscard]] static Points of(const PointBuffers& buffers, bool grouped = false);
  };
  /// What is fed from now on, and to which program, which is in use and stays so until the last call.
  void begin(const ShaderProgram& program, const Points& points, const CameraView& view, int clusters);
  /// A piece of the sample order; order: the buffer with its table.
  void feed(GLuint order, const SampleOrder::Piece& piece) const;
  void range(std::size_t first, std::size_t count) const;
  /// After the last call, whatever was in use by then: a buffer that stays bound could not be lent to CUDA,
  /// nor its name given again, without surprises.
  static void end();

  /// The first binding that is left to the shader's own buffers: as many as kOwnBuffers.
  static constexpr GLuint kOwnBinding = 5;
  static constexpr GLuint kOwnBuffers = 2;

private:
  void bindPart(GLuint index, GLuint buffer, std::size_t begin, std::size_t end) const;
  void bindWindow(std::size_t first, std::size_t end) const;
  void dispatch(std::size_t first, std::size_t invocations) const;

  GlCompute compute_;
  std::size_t windowPoints_;
  const ShaderProgram* program_ = nullptr;
  Points points_;
  int dimensions_ = 2;
};

} // namespace lloyd

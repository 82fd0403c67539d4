// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/compute_point_source.hpp"

#include <glm/glm.hpp>

#include <cstddef>
#include <optional>

namespace lloyd {

/// The point under a pixel, searched by a compute shader in the buffers that are drawn: eight bytes come
/// back, however many points there are. All calls need the context current.
class ComputePointSearch {
public:
  /// windowPoints: as ComputePointSource's. Throws std::runtime_error when the shader fails.
  explicit ComputePointSearch(const GlCompute& compute,
                              std::size_t windowPoints = ComputePointSource::kMostWindow);

  /// The point drawn nearest to a device pixel, counted from the top left, of those nearer than reach; of
  /// several as near, the first.
  [[nodiscard]] std::optional<std::size_t> nearest(const ComputePointSource::Points& points,
                                                   const CameraView& view, glm::dvec2 pixel, double reach);

private:
  GlCompute compute_;
  ComputePointSource source_;
  ShaderProgram search_;
  GlBuffer found_;
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/compute_point_source.hpp"

#include <glm/glm.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lloyd {

/// The point under a pixel, searched by a compute shader in the buffers that are drawn: eight bytes come
/// back, however many points there are. All calls need the context current.
class ComputePointSearch {
public:
  /// windowPoints: as ComputePointSource's. Throws std::runtime_error when the shader fails.
  explicit ComputePointSearch(const GlCompute& compute,
                              std::size_t windowPoints = ComputePointSource::kMostWindow)
      : compute_(compute), source_(compute, windowPoints), search_(loadCompute("compute_point_search")),
        found_(makeStorage(2 * sizeof(std::uint32_t))) {}

  /// The point drawn nearest to a device pixel, counted from the top left, of those nearer than reach; of
  /// several as near, the first.
  [[nodiscard]] std::optional<std::size_t> nearest(const ComputePointSource::Points& points,
                                                   const CameraView& view, glm::dvec2 pixel, double reach) {
    Gl& gl = currentGl();
    std::array<std::uint32_t, 2> found{std::bit_cast<std::uint32_t>(static_cast<float>(reach * reach)),
                                       kNoPoint};
    gl.glBindBuffer(kShaderStorageBuffer, found_.id());
    gl.glBufferSubData(kShaderStorageBuffer, 0, sizeof found, found.data());
    gl.glBindBuffer(kShaderStorageBuffer, 0);
    search_.use(gl);
    source_.begin(search_, points, view, 0);
    search_.set(gl, "pixel", glm::vec2(pixel.x, view.viewport.y - pixel.y));
    gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding, found_.id());
    for (const int naming : {0, 1}) {
      search_.set(gl, "naming", naming);
      source_.range(0, points.n);
      compute_.barrier(kShaderStorageBarrier | kBufferUpdateBarrier);
    }
    ComputePointSource::end();
    gl.glUseProgram(0);
    gl.glBindBuffer(kShaderStorageBuffer, found_.id());
    gl.glGetBufferSubData(kShaderStorageBuffer, 0, sizeof found, found.data());
    gl.glBindBuffer(kShaderStorageBuffer, 0);
    return found[1] == kNoPoint ? std::nullopt : std::optional<std::size_t>(found[1]);
  }

private:
  static constexpr std::uint32_t kNoPoint = ~std::uint32_t{0};

  GlCompute compute_;
  ComputePointSource source_;
  ShaderProgram search_;
  GlBuffer found_;
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/compute_point_source.hpp"
#include "app/render/points/point_buffers.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace lloyd {

/// Points in the buffers of the current context, as compute shaders are fed with them.
class SourcedPoints {
public:
  SourcedPoints(int d, const std::vector<float>& values, const std::vector<Label>& labels)
      : buffers_(labels.size(), d, values.data(), false), order_(labels.size()),
        indices_(GlBuffer::create()) {
    buffers_.upload({labels.data(), LabelWidth::four});
    const std::vector<std::uint32_t> indices = order_.indices();
    Gl& gl = currentGl();
    gl.glBindBuffer(GL_ARRAY_BUFFER, indices_.id());
    gl.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                    indices.data(), GL_STATIC_DRAW);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  }

  [[nodiscard]] ComputePointSource::Points points() const { return ComputePointSource::Points::of(buffers_); }
  /// Calls with the buffer of the sample order and each piece of its positions [first, first + count).
  void ordered(std::size_t first, std::size_t count,
               const std::function<void(GLuint, const SampleOrder::Piece&)>& feed) const {
    for (const SampleOrder::Piece& piece : order_.pieces(first, count))
      feed(indices_.id(), piece);
  }

private:
  PointBuffers buffers_;
  SampleOrder order_;
  GlBuffer indices_;
};

} // namespace lloyd

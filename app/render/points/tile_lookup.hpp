// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/point_buffers.hpp"

#include <array>

namespace lloyd {

/// How shaders look up labels by tiles (tile_labels.glsl): textures over the very buffers that are drawn and
/// lent to CUDA, so that nothing is copied. All calls need the context current.
class TileLookup {
public:
  /// The points to look up from now on; they must outlive their use here.
  void attach(const PointBuffers& points);

  /// Lets program, which is in use, look up the front labels, which are by tiles. Unit 0 stays active, and
  /// what it has.
  void bind(const ShaderProgram& program);
  /// Lets it take labels as they lie in the points' own order. Every program needs either before it draws.
  static void bindNone(const ShaderProgram& program);
  /// After drawing: a buffer that stayed in use could not be lent to CUDA without surprises.
  static void unbind();

private:
  /// Over one buffer of labels.
  struct Labels {
    GlTexture tiles;
    GlTexture points;
  };

  const PointBuffers* points_ = nullptr;
  GlTexture places_; ///< these are made when first needed
  std::array<Labels, 2> labels_;
};

} // namespace lloyd

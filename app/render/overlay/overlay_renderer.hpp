// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"

#include <glm/glm.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

/// Lines and markers in device pixels from the top left, collected on the CPU and drawn in one call each.
/// There are few of them, and in pixels they keep their width at every zoom. All calls but the adding need
/// the context current.
class OverlayRenderer {
public:
  OverlayRenderer();

  void line(glm::dvec2 from, glm::dvec2 to, float width, glm::vec4 fromInk, glm::vec4 toInk);
  void line(glm::dvec2 from, glm::dvec2 to, float width, glm::vec4 ink) { line(from, to, width, ink, ink); }
  /// radius is that of the ring's outer edge.
  void marker(glm::dvec2 at, float radius, float ring, glm::vec4 fill, glm::vec4 edge);

  /// Draws what was added, lines first, over the framebuffer that is bound, and forgets it.
  void draw(glm::ivec2 viewport);

private:
  struct LineVertex {
    glm::vec2 pixel;
    float across;
    float halfWidth;
    glm::vec4 ink;
  };
  struct MarkerVertex {
    glm::vec2 pixel;
    glm::vec2 offset;
    float radius;
    float ring;
    glm::vec4 fill;
    glm::vec4 edge;
  };

  ShaderProgram lineProgram_, markerProgram_;
  GlBuffer lineBuffer_, markerBuffer_;
  GlVertexArray lineArray_, markerArray_;
  std::vector<LineVertex> lines_;
  std::vector<MarkerVertex> markers_;
};

/// A colour with straight alpha, as lines and markers take it.
[[nodiscard]] inline glm::vec4 ink(Rgb colour, float alpha = 1) { return {toVec(colour), alpha}; }

} // namespace lloyd

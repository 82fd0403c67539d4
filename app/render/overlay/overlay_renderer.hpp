// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"
#include "app/render/gl/shader_program.hpp"
#include "app/render/points/colour.hpp"

#include <glm/glm.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

/// Lines and markers in device pixels from the top left, collected on the CPU and drawn in one call each.
/// There are few of them, and in pixels they keep their width at every zoom. All calls but the adding need
/// the context current.
class OverlayRenderer {
public:
  OverlayRenderer()
      : lineProgram_(loadShaders("line", "line")), markerProgram_(loadShaders("marker", "marker")),
        lineBuffer_(GlBuffer::create()), markerBuffer_(GlBuffer::create()) {
    Gl& gl = currentGl();
    const std::array line{
        Attribute{2, offsetof(LineVertex, pixel)}, Attribute{1, offsetof(LineVertex, across)},
        Attribute{1, offsetof(LineVertex, halfWidth)}, Attribute{4, offsetof(LineVertex, ink)}};
    lineArray_ = describe(gl, lineBuffer_, sizeof(LineVertex), line);
    const std::array marker{
        Attribute{2, offsetof(MarkerVertex, pixel)},  Attribute{2, offsetof(MarkerVertex, offset)},
        Attribute{1, offsetof(MarkerVertex, radius)}, Attribute{1, offsetof(MarkerVertex, ring)},
        Attribute{4, offsetof(MarkerVertex, fill)},   Attribute{4, offsetof(MarkerVertex, edge)}};
    markerArray_ = describe(gl, markerBuffer_, sizeof(MarkerVertex), marker);
  }

  /// Where the framebuffer's top left is among the pixels that what is added from now on is told in, and how
  /// wide the shadows of markers are in them.
  void setFrame(glm::dvec2 topLeft, float shadow) {
    topLeft_ = topLeft;
    shadow_ = shadow;
  }

  void line(glm::dvec2 from, glm::dvec2 to, float width, glm::vec4 fromInk, glm::vec4 toInk) {
    from -= topLeft_;
    to -= topLeft_;
    const glm::dvec2 along = to - from;
    const double length = std::hypot(along.x, along.y);
    // Far outside, single precision would bend what is seen of the line.
    constexpr double kFarthest = 1e6;
    if (!(length > 0.01) || !(length < kFarthest)) return;
    const float half = width / 2;
    const double reach = half + 1;
    const glm::dvec2 side = glm::dvec2(-along.y, along.x) * (reach / length);
    for (const glm::vec2 corner : kCorners) {
      const bool end = corner.x > 0;
      const double across = corner.y;
      lines_.push_back({glm::vec2((end ? to : from) + side * across), static_cast<float>(across * reach),
                        half, end ? toInk : fromInk});
    }
  }
  void line(glm::dvec2 from, glm::dvec2 to, float width, glm::vec4 ink) { line(from, to, width, ink, ink); }
  /// radius is that of the ring's outer edge.
  void marker(glm::dvec2 at, float radius, float ring, glm::vec4 fill, glm::vec4 edge) {
    at -= topLeft_;
    for (const glm::vec2 corner : kCorners) {
      const glm::vec2 offset = corner * (radius + shadow_ + 1);
      markers_.push_back({glm::vec2(at) + offset, offset, radius, ring, fill, edge});
    }
  }

  /// Draws what was added, lines first, over the framebuffer that is bound, and forgets it.
  void draw(glm::ivec2 viewport) {
    Gl& gl = currentGl();
    gl.glDisable(GL_DEPTH_TEST);
    gl.glEnable(GL_BLEND);
    gl.glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    drawTriangles(gl, lineProgram_, lineBuffer_, lineArray_, lines_, viewport);
    markerProgram_.use(gl);
    markerProgram_.set(gl, "shadow_width", shadow_);
    drawTriangles(gl, markerProgram_, markerBuffer_, markerArray_, markers_, viewport);
    gl.glDisable(GL_BLEND);
    gl.glUseProgram(0);
  }

private:
  struct Attribute {
    int floats;
    std::size_t offset;
  };
  static GlVertexArray describe(Gl& gl, const GlBuffer& buffer, std::size_t vertexBytes,
                                std::span<const Attribute> attributes) {
    GlVertexArray made = GlVertexArray::create();
    gl.glBindVertexArray(made.id());
    gl.glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    GLuint index = 0;
    for (const Attribute& attribute : attributes) {
      gl.glEnableVertexAttribArray(index);
      gl.glVertexAttribPointer(index++, attribute.floats, GL_FLOAT, GL_FALSE,
                               static_cast<GLsizei>(vertexBytes), glOffset(attribute.offset));
    }
    gl.glBindVertexArray(0);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    return made;
  }
  template <class Vertex>
  static void drawTriangles(Gl& gl, const ShaderProgram& program, const GlBuffer& buffer,
                            const GlVertexArray& array, std::vector<Vertex>& vertices, glm::ivec2 viewport) {
    if (vertices.empty()) return;
    program.use(gl);
    program.set(gl, "viewport", glm::vec2(viewport));
    gl.glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    gl.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)),
                    vertices.data(), GL_STREAM_DRAW);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    gl.glBindVertexArray(array.id());
    gl.glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
    gl.glBindVertexArray(0);
    vertices.clear();
  }
  /// The corners of the two triangles of a square.
  static constexpr std::array<glm::vec2, 6> kCorners{glm::vec2(-1, -1), {1, -1}, {1, 1},
                                                     {-1, -1},          {1, 1},  {-1, 1}};

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
  glm::dvec2 topLeft_{0};
  float shadow_ = 3;
  std::vector<LineVertex> lines_;
  std::vector<MarkerVertex> markers_;
};

/// A colour with straight alpha, as lines and markers take it.
[[nodiscard]] inline glm::vec4 ink(Rgb colour, float alpha = 1) { return {toVec(colour), alpha}; }

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/point_renderer.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lloyd {

namespace {

constexpr int kPaletteWidth = 256;

} // namespace

PointRenderer::PointRenderer()
    : square_(loadShaders("points", "point_square")), disc_(loadShaders("points", "point_disc")),
      ball_(loadShaders("points", "point_ball")), density_(loadShaders("points", "point_density")) {
  setColours({});
}

void PointRenderer::setColours(std::span<const Rgb> colours) {
  Gl& gl = currentGl();
  clusters_ = static_cast<int>(colours.size());
  const int rows = std::max(1, (clusters_ + kPaletteWidth - 1) / kPaletteWidth);
  std::vector<Rgb> texels(static_cast<std::size_t>(rows) * kPaletteWidth);
  std::copy(colours.begin(), colours.end(), texels.begin());
  if (!palette_) palette_ = GlTexture::create();
  gl.glBindTexture(GL_TEXTURE_2D, palette_.id());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, kPaletteWidth, rows, 0, GL_RGB, GL_UNSIGNED_BYTE, texels.data());
  gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.glBindTexture(GL_TEXTURE_2D, 0);
}

void PointRenderer::setPoints(const PointBuffers& points) {
  Gl& gl = currentGl();
  points_ = &points;
  order_ = SampleOrder(points.size());
  const std::vector<std::uint32_t> table = order_.indices();
  indices_ = GlBuffer::create();
  gl.glBindVertexArray(0);
  gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  gl.glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(table.size() * sizeof(std::uint32_t)),
                  table.data(), GL_STATIC_DRAW);
  const GlPointBuffers names = points.names();
  for (std::size_t positions = 0; positions < 2; ++positions) {
    arrays_[positions][kGroups].reset(); // made when there are groups to draw
    for (std::size_t labels = 0; labels < 2; ++labels)
      if (names.positions[positions] != 0) makeVertexArray(positions, labels);
  }
  throwOnGlError(gl, "Preparing to draw the points");
}

void PointRenderer::makeVertexArray(std::size_t positions, std::size_t source) {
  Gl& gl = currentGl();
  const GlPointBuffers names = points_->names();
  GlVertexArray& array = arrays_[positions][source];
  array = GlVertexArray::create();
  gl.glBindVertexArray(array.id());
  gl.glBindBuffer(GL_ARRAY_BUFFER, names.positions[positions]);
  for (int row = 0; row < std::min(names.d, 3); ++row) {
    const auto attribute = static_cast<GLuint>(row);
    gl.glEnableVertexAttribArray(attribute);
    gl.glVertexAttribPointer(attribute, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                             glOffset(static_cast<std::size_t>(row) * names.stride * sizeof(float)));
  }
  gl.glBindBuffer(GL_ARRAY_BUFFER, source == kGroups ? points_->groupsName() : names.labels[source]);
  gl.glEnableVertexAttribArray(3);
  gl.glVertexAttribIPointer(3, 1, GL_INT, sizeof(Label), glOffset(0));
  gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  gl.glBindVertexArray(0);
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void PointRenderer::begin(const CameraView& view, const PointLook& look, bool byLabels) {
  if (!points_) return;
  Gl& gl = currentGl();
  const bool flat = view.dimensions < 3;
  const bool counting = flat && look.density;
  const bool small = look.size <= 2;
  const ShaderProgram& program = counting ? density_ : small ? square_ : flat ? disc_ : ball_;
  program.use(gl);
  // What rounding the origin to single precision lost goes into the matrix, where it is small against its
  // surroundings.
  const glm::vec3 origin(view.origin);
  const glm::dmat4 clipFromOffset = glm::translate(view.clipFromOffset, glm::dvec3(origin) - view.origin);
  program.set(gl, "dimensions", view.dimensions);
  program.set(gl, "origin", origin);
  program.set(gl, "clip_from_offset", glm::mat4(clipFromOffset));
  program.set(gl, "point_size", std::max(look.size, 1.0F));
  program.set(gl, "eye_range", glm::vec2(view.nearest, view.farthest));
  program.set(gl, "palette", 0);
  program.set(gl, "clusters", clusters_);
  program.set(gl, "unlabelled", toVec(look.unlabelled));
  program.set(gl, "background", toVec(look.background));
  gl.glActiveTexture(GL_TEXTURE0);
  gl.glBindTexture(GL_TEXTURE_2D, palette_.id());

  gl.glEnable(GL_PROGRAM_POINT_SIZE);
  gl.glDisable(GL_BLEND);
  if (counting) {
    gl.glDisable(GL_DEPTH_TEST);
    gl.glEnablei(GL_BLEND, 1);
    gl.glBlendFunc(GL_ONE, GL_ONE);
    gl.glBlendEquation(GL_FUNC_ADD);
  } else {
    gl.glEnable(GL_DEPTH_TEST);
    gl.glDepthMask(GL_TRUE);
    gl.glDepthFunc(GL_LESS);
  }
  const auto positions = static_cast<std::size_t>(points_->frontPositions());
  const bool grouped = points_->grouped() && !byLabels;
  const std::size_t source = grouped ? kGroups : static_cast<std::size_t>(points_->frontLabels());
  if (!arrays_[positions][source]) makeVertexArray(positions, source);
  gl.glBindVertexArray(arrays_[positions][source].id());
}

void PointRenderer::drawRange(std::size_t first, std::size_t count) {
  if (!points_ || first >= points_->size()) return;
  count = std::min(count, points_->size() - first);
  if (count > 0) currentGl().glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(count));
}

void PointRenderer::drawOrdered(std::size_t first, std::size_t count) {
  if (!points_) return;
  Gl& gl = currentGl();
  for (const SampleOrder::Piece& piece : order_.pieces(first, count)) {
    if (piece.indexed) {
      gl.glDrawElementsBaseVertex(GL_POINTS, static_cast<GLsizei>(piece.count), GL_UNSIGNED_INT,
                                  glOffset(piece.first * sizeof(std::uint32_t)),
                                  static_cast<GLint>(piece.base));
    } else {
      gl.glDrawArrays(GL_POINTS, static_cast<GLint>(piece.first), static_cast<GLsizei>(piece.count));
    }
  }
}

void PointRenderer::end() {
  Gl& gl = currentGl();
  gl.glBindVertexArray(0);
  gl.glBindTexture(GL_TEXTURE_2D, 0);
  gl.glUseProgram(0);
  gl.glDisable(GL_DEPTH_TEST);
  gl.glDisable(GL_BLEND);
  gl.glDisable(GL_PROGRAM_POINT_SIZE);
}

} // namespace lloyd

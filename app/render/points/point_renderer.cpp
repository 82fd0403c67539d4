// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/point_renderer.hpp"

#include "app/render/points/palette_texture.hpp"

#include <QDebug>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

GLenum typeOf(LabelWidth width) {
  switch (width) {
  case LabelWidth::one:
    return GL_UNSIGNED_BYTE;
  case LabelWidth::two:
    return GL_UNSIGNED_SHORT;
  case LabelWidth::four:
    break;
  }
  return GL_INT;
}

} // namespace

PointRenderer::PointRenderer(CrowdDrawing most)
    : square_(loadShaders("points", "point_square")), disc_(loadShaders("points", "point_disc")),
      ball_(loadShaders("points", "point_ball")), density_(loadShaders("points", "point_density")) {
  const auto compute = computeOf(QOpenGLContext::currentContext());
  if (compute && most == CrowdDrawing::computed) {
    // A driver that promises compute shaders and then refuses these can still draw.
    try {
      computed_.emplace(ComputedCrowds{PixelHistogram(*compute, {}), ComputeDepthSplat(*compute)});
    } catch (const std::runtime_error& error) {
      qWarning("Crowds are drawn point by point, not computed: %s", error.what());
    }
  }
  setColours({});
}

void PointRenderer::setColours(std::span<const Rgb> colours) {
  clusters_ = static_cast<int>(colours.size());
  fillPaletteTexture(palette_, colours);
  if (computed_) computed_->histogram.setColours(colours);
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
    arrays_[positions][kGroups] = {}; // made when there are groups to draw
    for (std::size_t labels = 0; labels < 2; ++labels)
      if (names.positions[positions] != 0) makeVertexArray(positions, labels);
  }
  throwOnGlError(gl, "Preparing to draw the points");
}

LabelWidth PointRenderer::widthOf(std::size_t source) const {
  return source == kGroups ? LabelWidth::four : points_->labelWidth(static_cast<int>(source));
}

void PointRenderer::makeVertexArray(std::size_t positions, std::size_t source) {
  Gl& gl = currentGl();
  const GlPointBuffers names = points_->names();
  const LabelWidth width = widthOf(source);
  arrays_[positions][source] = {GlVertexArray::create(), width};
  gl.glBindVertexArray(arrays_[positions][source].array.id());
  gl.glBindBuffer(GL_ARRAY_BUFFER, names.positions[positions]);
  for (int row = 0; row < std::min(names.d, 3); ++row) {
    const auto attribute = static_cast<GLuint>(row);
    gl.glEnableVertexAttribArray(attribute);
    gl.glVertexAttribPointer(attribute, 1, GL_FLOAT, GL_FALSE, sizeof(float),
                             glOffset(static_cast<std::size_t>(row) * names.stride * sizeof(float)));
  }
  gl.glBindBuffer(GL_ARRAY_BUFFER, source == kGroups ? points_->groupsName() : names.labels[source]);
  gl.glEnableVertexAttribArray(3);
  gl.glVertexAttribIPointer(3, 1, typeOf(width), static_cast<GLsizei>(bytesOf(width)), glOffset(0));
  gl.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.id());
  gl.glBindVertexArray(0);
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void PointRenderer::begin(const CameraView& view, const PointLook& look, const PointPass& pass) {
  if (!points_) return;
  const auto positions = static_cast<std::size_t>(points_->frontPositions());
  const bool grouped = points_->grouped() && !pass.byLabels;
  const std::size_t source = grouped ? kGroups : static_cast<std::size_t>(points_->frontLabels());
  const bool flat = view.dimensions < 3;
  const bool crowd = look.crowd(view.dimensions);
  const float size = std::max(look.size, 1.0F);
  unlabelled_ = look.unlabelled;
  way_ = Way::drawn;
  if (computed_) {
    if (!crowd || !flat) computed_->histogram.release();
    if (!crowd || flat) computed_->splat.release();
    if (crowd && pass.crowds == CrowdDrawing::computed) way_ = flat ? Way::counted : Way::nearest;
  }
  switch (way_) {
  case Way::drawn:
    return beginDrawing(view, look, positions, source);
  case Way::counted:
    return computed_->histogram.begin(ComputePointSource::Points::of(*points_, grouped), view, size,
                                      pass.fresh);
  case Way::nearest:
    return computed_->splat.begin(ComputePointSource::Points::of(*points_, grouped), view,
                                  {size, palette_.id(), clusters_, look.unlabelled, look.background},
                                  pass.fresh);
  }
}

void PointRenderer::beginDrawing(const CameraView& view, const PointLook& look, std::size_t positions,
                                 std::size_t source) {
  Gl& gl = currentGl();
  const bool flat = view.dimensions < 3;
  const bool blended = flat && look.density;
  const ShaderProgram& program = blended ? density_ : look.size <= 2 ? square_ : flat ? disc_ : ball_;
  program.use(gl);
  const ShaderCamera camera = shaderCamera(view);
  program.set(gl, "dimensions", view.dimensions);
  program.set(gl, "origin", camera.origin);
  program.set(gl, "clip_from_offset", camera.clipFromOffset);
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
  if (blended) {
    gl.glDisable(GL_DEPTH_TEST);
    gl.glEnablei(GL_BLEND, 1);
    gl.glBlendFunc(GL_ONE, GL_ONE);
    gl.glBlendEquation(GL_FUNC_ADD);
  } else {
    gl.glEnable(GL_DEPTH_TEST);
    gl.glDepthMask(GL_TRUE);
    gl.glDepthFunc(GL_LESS);
  }
  if (!arrays_[positions][source].array || arrays_[positions][source].width != widthOf(source))
    makeVertexArray(positions, source);
  gl.glBindVertexArray(arrays_[positions][source].array.id());
}

void PointRenderer::drawRange(std::size_t first, std::size_t count) {
  if (!points_ || first >= points_->size()) return;
  count = std::min(count, points_->size() - first);
  if (count == 0) return;
  if (way_ == Way::counted) return computed_->histogram.countRange(first, count);
  if (way_ == Way::nearest) return computed_->splat.addRange(first, count);
  currentGl().glDrawArrays(GL_POINTS, static_cast<GLint>(first), static_cast<GLsizei>(count));
}

void PointRenderer::drawOrdered(std::size_t first, std::size_t count) {
  if (!points_) return;
  Gl& gl = currentGl();
  for (const SampleOrder::Piece& piece : order_.pieces(first, count)) {
    if (way_ == Way::counted) {
      computed_->histogram.countOrdered(indices_.id(), piece);
    } else if (way_ == Way::nearest) {
      computed_->splat.addOrdered(indices_.id(), piece);
    } else if (piece.indexed) {
      gl.glDrawElementsBaseVertex(GL_POINTS, static_cast<GLsizei>(piece.count), GL_UNSIGNED_INT,
                                  glOffset(piece.first * sizeof(std::uint32_t)),
                                  static_cast<GLint>(piece.base));
    } else {
      gl.glDrawArrays(GL_POINTS, static_cast<GLint>(piece.first), static_cast<GLsizei>(piece.count));
    }
  }
}

void PointRenderer::end() {
  const Way way = std::exchange(way_, Way::drawn);
  if (way == Way::counted) return computed_->histogram.finish(unlabelled_);
  if (way == Way::nearest) return computed_->splat.finish();
  Gl& gl = currentGl();
  gl.glBindVertexArray(0);
  gl.glBindTexture(GL_TEXTURE_2D, 0);
  gl.glUseProgram(0);
  gl.glDisable(GL_DEPTH_TEST);
  gl.glDisable(GL_BLEND);
  gl.glDisable(GL_PROGRAM_POINT_SIZE);
}

} // namespace lloyd

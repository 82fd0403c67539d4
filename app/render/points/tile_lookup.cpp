// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/tile_lookup.hpp"

#include "gpu/core/tiles/tiles.hpp"

namespace lloyd {

namespace {

// Texture units. Samplers of different kinds may not share one, even while they are not read.
constexpr int kPlaces = 1;
constexpr int kTileLabels = 2;
constexpr int kPointLabels = 3;

void setUnits(Gl& gl, const ShaderProgram& program) {
  program.set(gl, "places", kPlaces);
  program.set(gl, "tile_labels", kTileLabels);
  program.set(gl, "point_labels", kPointLabels);
}

void bindTo(Gl& gl, int unit, GLuint texture) {
  gl.glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  gl.glBindTexture(GL_TEXTURE_BUFFER, texture);
}

/// texture over buffer, whose values are seen as format.
void look(Gl& gl, int unit, GlTexture& texture, GLenum format, GLuint buffer) {
  const bool isNew = !texture;
  if (isNew) texture = GlTexture::create();
  bindTo(gl, unit, texture.id());
  if (isNew) gl.glTexBuffer(GL_TEXTURE_BUFFER, format, buffer);
}

} // namespace

void TileLookup::attach(const PointBuffers& points) {
  points_ = &points;
  places_ = {};
  labels_ = {};
}

void TileLookup::bind(const ShaderProgram& program) {
  Gl& gl = currentGl();
  const GlPointBuffers names = points_->names();
  const int front = points_->frontLabels();
  const unsigned tile = points_->labelForm(front).tile;
  const GLuint buffer = names.labels[front];
  Labels& labels = labels_.at(static_cast<std::size_t>(front));
  setUnits(gl, program);
  program.set(gl, "tile_size", static_cast<int>(tile));
  program.set(gl, "point_labels_at", static_cast<int>(pointLabelsAt(names.n, tile)));
  look(gl, kPlaces, places_, GL_R32UI, names.places);
  look(gl, kTileLabels, labels.tiles, GL_R16UI, buffer);
  look(gl, kPointLabels, labels.points, GL_R8UI, buffer);
  gl.glActiveTexture(GL_TEXTURE0);
}

void TileLookup::bindNone(const ShaderProgram& program) {
  Gl& gl = currentGl();
  setUnits(gl, program);
  program.set(gl, "tile_size", 0);
}

void TileLookup::unbind() {
  Gl& gl = currentGl();
  for (const int unit : {kPlaces, kTileLabels, kPointLabels})
    bindTo(gl, unit, 0);
  gl.glActiveTexture(GL_TEXTURE0);
}

} // namespace lloyd

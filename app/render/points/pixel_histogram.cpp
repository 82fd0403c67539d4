// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/pixel_histogram.hpp"

#include "app/render/points/palette_texture.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace lloyd {

namespace {

std::uint32_t numberOf(Rgb colour) {
  return std::uint32_t{colour.r} << 16U | std::uint32_t{colour.g} << 8U | colour.b;
}

std::size_t pixelsOf(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

} // namespace

std::size_t PixelHistogram::Shape::tableBytes() const {
  return pixelsOf(cells()) * (static_cast<std::size_t>(kinds) + 1) * sizeof(std::uint32_t);
}
std::size_t PixelHistogram::Shape::pixelBytes() const {
  // A buffer must have some bytes even when nothing is in it.
  if (cellShift == 0) return sizeof(std::uint32_t);
  return pixelsOf(viewport) * (1 + static_cast<std::size_t>(presentSheets)) * sizeof(std::uint32_t);
}

PixelHistogram::PixelHistogram(const GlCompute& compute, const Limits& limits)
    : compute_(compute), bytes_(std::min(limits.bytes, compute.mostBlockBytes)),
      source_(compute, limits.windowPoints), count_(loadCompute("pixel_histogram")),
      majority_(loadShaders("picture", "pixel_histogram")) {
  setColours({});
}

void PixelHistogram::setColours(std::span<const Rgb> colours) {
  std::unordered_map<std::uint32_t, std::int32_t> known;
  std::vector<std::int32_t> kinds;
  std::vector<Rgb> distinct;
  kinds.reserve(colours.size());
  for (const Rgb colour : colours) {
    const auto [place, added] =
        known.try_emplace(numberOf(colour), static_cast<std::int32_t>(distinct.size()));
    if (added) distinct.push_back(colour);
    kinds.push_back(place->second);
  }
  clusters_ = static_cast<int>(colours.size());
  kinds_ = static_cast<int>(distinct.size());
  fillPaletteTexture(kindOf_, kinds);
  fillPaletteTexture(kindColours_, distinct);
}

PixelHistogram::Shape PixelHistogram::shapeFor(glm::ivec2 viewport) const {
  Shape shape{glm::max(viewport, glm::ivec2(1)), kinds_, 0, 0};
  if (shape.tableBytes() <= bytes_) return shape;
  shape.cellShift = 1;
  shape.presentSheets = kinds_ / 32 + 1;
  if (shape.pixelBytes() > bytes_ / 2) shape.presentSheets = 0;
  while (shape.tableBytes() + shape.pixelBytes() > bytes_ && shape.cells() != glm::ivec2(1))
    ++shape.cellShift;
  return shape;
}

void PixelHistogram::makeRoom(const Shape& shape) {
  shape_ = {};
  table_ = makeStorage(shape.tableBytes());
  pixels_ = makeStorage(shape.pixelBytes());
  throwOnGlError(currentGl(), "Making room to count points by pixel");
  shape_ = shape;
}

void PixelHistogram::release() {
  table_.reset();
  pixels_.reset();
  shape_ = {};
}

void PixelHistogram::begin(const ComputePointSource::Points& points, const CameraView& view, float size,
                           bool fresh) {
  Gl& gl = currentGl();
  const Shape shape = shapeFor(view.viewport);
  if (shape != shape_) {
    makeRoom(shape);
    fresh = true;
  }
  if (fresh) {
    fillStorage(compute_, table_, 0);
    fillStorage(compute_, pixels_, 0);
  }
  count_.use(gl);
  source_.begin(count_, points, view, clusters_);
  count_.set(gl, "point_size", size);
  count_.set(gl, "kind_of", 0);
  count_.set(gl, "kinds", shape.kinds);
  count_.set(gl, "cell_shift", shape.cellShift);
  count_.set(gl, "cells", shape.cells());
  count_.set(gl, "present_sheets", shape.presentSheets);
  gl.glActiveTexture(GL_TEXTURE0);
  gl.glBindTexture(GL_TEXTURE_2D, kindOf_.id());
  bindTable();
}

void PixelHistogram::bindTable() const {
  Gl& gl = currentGl();
  gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding, table_.id());
  gl.glBindBufferBase(kShaderStorageBuffer, ComputePointSource::kOwnBinding + 1, pixels_.id());
}

void PixelHistogram::finish(Rgb unlabelled) {
  Gl& gl = currentGl();
  // What follows reads the counts, and the next frame may clear them.
  compute_.barrier(kShaderStorageBarrier | kBufferUpdateBarrier);
  majority_.use(gl);
  majority_.set(gl, "kinds", shape_.kinds);
  majority_.set(gl, "cell_shift", shape_.cellShift);
  majority_.set(gl, "cells", shape_.cells());
  majority_.set(gl, "viewport", shape_.viewport);
  majority_.set(gl, "present_sheets", shape_.presentSheets);
  majority_.set(gl, "kind_colours", 0);
  majority_.set(gl, "unlabelled", toVec(unlabelled));
  gl.glActiveTexture(GL_TEXTURE0);
  gl.glBindTexture(GL_TEXTURE_2D, kindColours_.id());
  bindTable();
  gl.glDisable(GL_BLEND);
  gl.glDisable(GL_DEPTH_TEST);
  screen_.draw();
  ComputePointSource::end();
  gl.glBindTexture(GL_TEXTURE_2D, 0);
  gl.glUseProgram(0);
}

} // namespace lloyd

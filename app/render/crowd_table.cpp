// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/crowd_table.hpp"

#include "app/render/palette_texture.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace lloyd {

namespace {

constexpr std::size_t kGroup = 256; ///< local_size_x of crowd_count.comp
/// Of one dispatch: far below the 65,535 groups that every OpenGL grants.
constexpr std::size_t kMostInvocations = std::size_t{1} << 22;

std::uint32_t numberOf(Rgb colour) {
  return std::uint32_t{colour.r} << 16U | std::uint32_t{colour.g} << 8U | colour.b;
}

std::size_t pixelsOf(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

} // namespace

std::size_t CrowdTable::Shape::tableBytes() const {
  return pixelsOf(cells()) * (static_cast<std::size_t>(kinds) + 1) * sizeof(std::uint32_t);
}
std::size_t CrowdTable::Shape::pixelBytes() const {
  // A buffer must have some bytes even when nothing is in it.
  if (cellShift == 0) return sizeof(std::uint32_t);
  return pixelsOf(viewport) * (1 + static_cast<std::size_t>(presentSheets)) * sizeof(std::uint32_t);
}

CrowdTable::CrowdTable(const GlCompute& compute, const Limits& limits)
    : compute_(compute), limits_(limits), count_(loadCompute("crowd_count")),
      majority_(loadShaders("picture", "crowd_majority")), noAttributes_(GlVertexArray::create()) {
  limits_.bytes = std::min(limits.bytes, compute.mostBlockBytes);
  // A part of a buffer begins at an aligned byte, up to one alignment before its first point.
  const std::size_t bytes =
      compute.mostBlockBytes - std::min(compute.offsetAlignment, compute.mostBlockBytes);
  limits_.windowPoints = std::clamp(bytes / sizeof(float), std::size_t{1}, limits.windowPoints);
  setColours({});
}

void CrowdTable::setColours(std::span<const Rgb> colours) {
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

CrowdTable::Shape CrowdTable::shapeFor(glm::ivec2 viewport) const {
  Shape shape{glm::max(viewport, glm::ivec2(1)), kinds_, 0, 0};
  if (shape.tableBytes() <= limits_.bytes) return shape;
  shape.cellShift = 1;
  shape.presentSheets = kinds_ / 32 + 1;
  if (shape.pixelBytes() > limits_.bytes / 2) shape.presentSheets = 0;
  while (shape.tableBytes() + shape.pixelBytes() > limits_.bytes && shape.cells() != glm::ivec2(1))
    ++shape.cellShift;
  return shape;
}

void CrowdTable::makeRoom(const Shape& shape) {
  Gl& gl = currentGl();
  shape_ = {};
  const auto make = [&gl](GlBuffer& buffer, std::size_t bytes) {
    buffer = GlBuffer::create();
    gl.glBindBuffer(kShaderStorageBuffer, buffer.id());
    gl.glBufferData(kShaderStorageBuffer, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
    gl.glBindBuffer(kShaderStorageBuffer, 0);
  };
  make(table_, shape.tableBytes());
  make(pixels_, shape.pixelBytes());
  throwOnGlError(gl, "Making room to count points by pixel");
  shape_ = shape;
}

void CrowdTable::release() {
  table_.reset();
  pixels_.reset();
  shape_ = {};
}

void CrowdTable::begin(const Points& points, const CameraView& view, float size, bool fresh) {
  Gl& gl = currentGl();
  const Shape shape = shapeFor(view.viewport);
  if (shape != shape_) {
    makeRoom(shape);
    fresh = true;
  }
  if (fresh) {
    for (const GlBuffer* buffer : {&table_, &pixels_}) {
      gl.glBindBuffer(kShaderStorageBuffer, buffer->id());
      compute_.clear(kShaderStorageBuffer, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    }
    gl.glBindBuffer(kShaderStorageBuffer, 0);
  }
  points_ = points;
  dimensions_ = view.dimensions;

  count_.use(gl);
  const ShaderCamera camera = shaderCamera(view);
  count_.set(gl, "dimensions", view.dimensions);
  count_.set(gl, "origin", camera.origin);
  count_.set(gl, "clip_from_offset", camera.clipFromOffset);
  count_.set(gl, "point_size", size);
  count_.set(gl, "label_bits", points.labelBits);
  count_.set(gl, "kind_of", 0);
  count_.set(gl, "clusters", clusters_);
  count_.set(gl, "kinds", shape.kinds);
  count_.set(gl, "viewport", shape.viewport);
  count_.set(gl, "cell_shift", shape.cellShift);
  count_.set(gl, "cells", shape.cells());
  count_.set(gl, "present_sheets", shape.presentSheets);
  gl.glActiveTexture(GL_TEXTURE0);
  gl.glBindTexture(GL_TEXTURE_2D, kindOf_.id());
  points.lookup ? points.lookup->bind(count_) : TileLookup::bindNone(count_);
  bindTable();
}

void CrowdTable::bindTable() const {
  Gl& gl = currentGl();
  gl.glBindBufferBase(kShaderStorageBuffer, 4, table_.id());
  gl.glBindBufferBase(kShaderStorageBuffer, 5, pixels_.id());
}

/// Bytes [begin, end) of a buffer, begin already aligned.
void CrowdTable::bindPart(GLuint index, GLuint buffer, std::size_t begin, std::size_t end) const {
  currentGl().glBindBufferRange(kShaderStorageBuffer, index, buffer, static_cast<GLintptr>(begin),
                                static_cast<GLsizeiptr>(end - begin));
}

/// Coordinates and labels of the points [first, end).
void CrowdTable::bindWindow(std::size_t first, std::size_t end) const {
  Gl& gl = currentGl();
  const auto aligned = [this](std::size_t byte) { return byte - byte % compute_.offsetAlignment; };
  // Rows may begin anywhere on a line of 128 bytes, so they can need different skips.
  for (GLuint row = 0; row < 2; ++row) {
    const std::size_t stored = dimensions_ == 1 ? 0 : row;
    const std::size_t begin = (stored * points_.stride + first) * sizeof(float);
    bindPart(row, points_.positions, aligned(begin), begin + (end - first) * sizeof(float));
    const auto skip = static_cast<int>((begin - aligned(begin)) / sizeof(float));
    count_.set(gl, row == 0 ? "row_skip_0" : "row_skip_1", skip);
  }
  const auto labelBytes = static_cast<std::size_t>(points_.labelBits) / 8;
  const std::size_t begin = first * labelBytes;
  // A shader reads whole words.
  const std::size_t wordEnd = (end * labelBytes + 3) / 4 * 4;
  bindPart(2, points_.labels, aligned(begin), wordEnd);
  count_.set(gl, "label_skip", static_cast<int>((begin - aligned(begin)) / labelBytes));
  count_.set(gl, "window_first", static_cast<int>(first));
  count_.set(gl, "window_end", static_cast<int>(end));
}

void CrowdTable::dispatch(std::size_t first, std::size_t invocations) const {
  Gl& gl = currentGl();
  for (std::size_t done = 0; done < invocations; done += kMostInvocations) {
    const std::size_t now = std::min(kMostInvocations, invocations - done);
    count_.set(gl, "first", static_cast<int>(first + done));
    count_.set(gl, "invocations", static_cast<int>(now));
    compute_.dispatch(static_cast<GLuint>((now + kGroup - 1) / kGroup), 1, 1);
  }
}

void CrowdTable::countRange(std::size_t first, std::size_t count) {
  Gl& gl = currentGl();
  count_.set(gl, "ordered", 0);
  gl.glBindBufferBase(kShaderStorageBuffer, 3, points_.positions); // not read
  const std::size_t end = first + count;
  for (; first < end; first += limits_.windowPoints) {
    const std::size_t windowEnd = std::min(end, first + limits_.windowPoints);
    bindWindow(first, windowEnd);
    dispatch(first, windowEnd - first);
  }
}

void CrowdTable::countOrdered(GLuint order, const SampleOrder::Piece& piece) {
  if (!piece.indexed) return countRange(piece.first, piece.count);
  Gl& gl = currentGl();
  count_.set(gl, "ordered", 1);
  count_.set(gl, "base", static_cast<int>(piece.base));
  gl.glBindBufferBase(kShaderStorageBuffer, 3, order);
  // The order leaps through all of the memory: each window takes its own of the positions in it.
  for (std::size_t first = 0; first < points_.n; first += limits_.windowPoints) {
    bindWindow(first, std::min(points_.n, first + limits_.windowPoints));
    dispatch(piece.first, piece.count);
  }
}

void CrowdTable::finish(Rgb unlabelled) {
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
  gl.glBindVertexArray(noAttributes_.id());
  gl.glDrawArrays(GL_TRIANGLES, 0, 3);
  gl.glBindVertexArray(0);
  // A buffer that stays bound here could not be lent to CUDA, nor its name given again, without surprises.
  for (GLuint index = 0; index < 6; ++index)
    gl.glBindBufferBase(kShaderStorageBuffer, index, 0);
  TileLookup::unbind();
  gl.glBindTexture(GL_TEXTURE_2D, 0);
  gl.glUseProgram(0);
}

} // namespace lloyd

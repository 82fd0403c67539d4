// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/point_buffers.hpp"

#include "app/render/gl/gl_compute.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

/// A buffer of no bytes can neither be drawn from nor registered.
constexpr std::size_t kLeastBytes = 128;

GlBuffer makeBuffer(Gl& gl, std::size_t bytes, const void* data, GLenum usage) {
  GlBuffer made = GlBuffer::create();
  gl.glBindBuffer(GL_ARRAY_BUFFER, made.id());
  gl.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, usage);
  return made;
}

/// Every label is -1. The card writes that itself where it can.
GlBuffer makeUnlabelled(Gl& gl, std::size_t bytes) {
  if (const auto compute = computeOf(QOpenGLContext::currentContext())) {
    GlBuffer made = makeBuffer(gl, bytes, nullptr, GL_DYNAMIC_DRAW);
    throwOnGlError(gl, "Making room for the labels");
    fillStorage(*compute, made, ~std::uint32_t{0});
    return made;
  }
  return makeBuffer(gl, bytes, std::vector<Label>(bytes / sizeof(Label), -1).data(), GL_DYNAMIC_DRAW);
}

template <class Value>
std::vector<Value> read(const GlBuffer& buffer, std::size_t first, std::size_t count) {
  std::vector<Value> values(count);
  Gl& gl = currentGl();
  gl.glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
  gl.glGetBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(first * sizeof(Value)),
                        static_cast<GLsizeiptr>(count * sizeof(Value)), values.data());
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  return values;
}

std::size_t nextNumber() {
  static std::atomic<std::size_t> last{0};
  return ++last;
}

} // namespace

PointBuffers::PointBuffers(std::size_t n, int d, const float* values, bool moving)
    : number_(nextNumber()), n_(n), d_(d), stride_(rowStride(n)) {
  if (d < 1) throw std::invalid_argument("Points need at least one column to be drawn");
  Gl& gl = currentGl();
  const std::size_t positionBytes =
      std::max(kLeastBytes, static_cast<std::size_t>(d) * stride_ * sizeof(float));
  const std::size_t labelBytes = std::max(kLeastBytes, stride_ * sizeof(Label));
  for (std::size_t i = 0; i < (moving ? 2U : 1U); ++i) {
    positions_[i] = makeBuffer(gl, positionBytes, nullptr, GL_DYNAMIC_DRAW);
    throwOnGlError(gl, "Making room for the points");
    if (values && n > 0) writePositions(i, values, n);
  }
  for (GlBuffer& buffer : labels_)
    buffer = makeUnlabelled(gl, labelBytes);
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  throwOnGlError(gl, "Making room for the labels");
}

GlPointBuffers PointBuffers::names() const {
  GlPointBuffers names;
  for (std::size_t i = 0; i < 2; ++i) {
    names.positions[i] = positions_[i].id();
    names.labels[i] = labels_[i].id();
    names.labelWidths[i] = widths_[i];
  }
  names.n = n_;
  names.d = d_;
  names.stride = stride_;
  return names;
}

void PointBuffers::writePositions(std::size_t which, const float* values, std::size_t sourceStride) {
  Gl& gl = currentGl();
  gl.glBindBuffer(GL_ARRAY_BUFFER, positions_[which].id());
  if (sourceStride == stride_) {
    gl.glBufferSubData(GL_ARRAY_BUFFER, 0,
                       static_cast<GLsizeiptr>(static_cast<std::size_t>(d_) * stride_ * sizeof(float)),
                       values);
    return;
  }
  const std::vector<float> padding(stride_ - n_, 0.0F);
  for (std::size_t row = 0; row < static_cast<std::size_t>(d_); ++row) {
    const std::size_t begin = row * stride_ * sizeof(float);
    gl.glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(begin),
                       static_cast<GLsizeiptr>(n_ * sizeof(float)), values + row * sourceStride);
    if (!padding.empty())
      gl.glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(begin + n_ * sizeof(float)),
                         static_cast<GLsizeiptr>(padding.size() * sizeof(float)), padding.data());
  }
}

void PointBuffers::setFront(int front, LabelWidth width) {
  if (front != 0 && front != 1) throw std::invalid_argument("The front buffers are number 0 or 1");
  const int frontPositions = moving() ? front : 0;
  const bool sameWidth = std::exchange(widths_[static_cast<std::size_t>(front)], width) == width;
  if (front == frontLabels_ && frontPositions == frontPositions_ && sameWidth) return;
  frontLabels_ = front;
  frontPositions_ = frontPositions;
  ++revision_;
}

void PointBuffers::setGroups(const std::int32_t* groups) {
  ++revision_;
  grouped_ = false;
  if (!groups || n_ == 0) return;
  Gl& gl = currentGl();
  const bool first = !groups_;
  try {
    if (first)
      groups_ =
          makeBuffer(gl, std::max(kLeastBytes, stride_ * sizeof(std::int32_t)), nullptr, GL_DYNAMIC_DRAW);
    gl.glBindBuffer(GL_ARRAY_BUFFER, groups_.id());
    gl.glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(n_ * sizeof(std::int32_t)), groups);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    throwOnGlError(gl, "Making room for the groups of the points");
  } catch (...) {
    if (first) groups_.reset(); // without its storage it must not be drawn from
    throw;
  }
  grouped_ = true;
}

void PointBuffers::upload(const LabelView& labels, const float* positions, std::size_t sourceStride) {
  requireOwnOrder(labels.form());
  ++revision_;
  if (n_ == 0) return;
  Gl& gl = currentGl();
  // What is written was last drawn a frame ago, so OpenGL need not wait for that drawing, nor keep a copy.
  if (labels.data) {
    frontLabels_ = 1 - frontLabels_;
    const auto front = static_cast<std::size_t>(frontLabels_);
    gl.glBindBuffer(GL_ARRAY_BUFFER, labels_[front].id());
    gl.glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(n_ * bytesOf(labels.width)), labels.data);
    widths_[front] = labels.width;
  }
  if (positions) {
    if (moving()) frontPositions_ = 1 - frontPositions_;
    writePositions(static_cast<std::size_t>(frontPositions_), positions, sourceStride);
  }
  gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
}

std::vector<Label> PointBuffers::readLabels(std::size_t first, std::size_t count) const {
  const auto front = static_cast<std::size_t>(frontLabels_);
  const std::size_t bytes = bytesOf(widths_[front]);
  const auto stored = read<std::byte>(labels_[front], first * bytes, count * bytes);
  std::vector<Label> labels(count);
  widen({stored.data(), widths_[front]}, labels);
  return labels;
}

std::vector<float> PointBuffers::readPositions(std::span<const std::size_t> points, int coordinates) const {
  Gl& gl = currentGl();
  const std::size_t count = points.size() * static_cast<std::size_t>(coordinates);
  if (count == 0) return {};
  // Gathered first: each read waits for all drawing, whereas copies only queue.
  const GlBuffer gathered = makeBuffer(gl, count * sizeof(float), nullptr, GL_STREAM_READ);
  gl.glBindBuffer(GL_COPY_READ_BUFFER, positions_[static_cast<std::size_t>(frontPositions_)].id());
  std::size_t to = 0;
  for (const std::size_t point : points)
    for (std::size_t row = 0; row < static_cast<std::size_t>(coordinates); ++row)
      gl.glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER,
                             static_cast<GLintptr>((row * stride_ + point) * sizeof(float)),
                             static_cast<GLintptr>(to++ * sizeof(float)), sizeof(float));
  gl.glBindBuffer(GL_COPY_READ_BUFFER, 0);
  return read<float>(gathered, 0, count);
}

std::vector<float> PointBuffers::readRows() const {
  return read<float>(positions_[static_cast<std::size_t>(frontPositions_)], 0,
                     stride_ * static_cast<std::size_t>(d_));
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl.hpp"
#include "app/render/gl/gl_compute.hpp"
#include "gpu/core/data/labels.hpp"
#include "gpu/interop/shared_points.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lloyd {

/// The group of points that are not drawn at all; the shaders have it as well.
inline constexpr std::int32_t hiddenGroup = -2;

/// The OpenGL buffers of one data set: all d rows of positions, every row on a 128-byte line (rowStride), a
/// second set of rows for points that move, and two sets of labels that begin as -1. Labels lie in the
/// points' own order in one, two or four bytes, as whoever wrote them last chose, and are drawn from those;
/// there is always room for four. Storage is made once and never again, so a registration with CUDA stays
/// valid while this lives. Groups, which may colour the points in place of labels, have a buffer of their own
/// that is never registered. It is made when first needed; so are rows of other axes, which may be drawn in
/// place of the positions. All calls, the destructor included, need the context (or one that shares with it)
/// current; a registration must end before its buffers do.
class PointBuffers {
public:
  /// values: [d][n]. Throws std::runtime_error when the graphics memory is full.
  PointBuffers(std::size_t n, int d, const float* values, bool moving)
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

  /// For registration with CUDA.
  [[nodiscard]] GlPointBuffers names() const {
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
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] int dimensions() const { return d_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] bool moving() const { return static_cast<bool>(positions_[1]); }

  /// The shared path: draw the buffers that RegisteredPoints::front() names, whose labels now have this
  /// width.
  void setFront(int front, LabelWidth width = LabelWidth::four) {
    if (front != 0 && front != 1) throw std::invalid_argument("The front buffers are number 0 or 1");
    const int frontPositions = moving() ? front : 0;
    const bool sameWidth = std::exchange(widths_[static_cast<std::size_t>(front)], width) == width;
    if (front == frontLabels_ && frontPositions == frontPositions_ && sameWidth) return;
    frontLabels_ = front;
    frontPositions_ = frontPositions;
    ++revision_;
  }
  /// The staged and CPU paths: writes labels of n points as they are, and positions (soa, sourceStride floats
  /// a row), each unless null, into the buffers that are not drawn, then draws those. Positions of points
  /// that stand still are written in place.
  void upload(const LabelView& labels, const float* positions = nullptr, std::size_t sourceStride = 0) {
    requireInputOrder(labels.layout());
    ++revision_;
    if (n_ == 0) return;
    Gl& gl = currentGl();
    // What is written was last drawn a frame ago, so OpenGL need not wait for that drawing, nor keep a copy.
    if (labels.data) {
      frontLabels_ = 1 - frontLabels_;
      const auto front = static_cast<std::size_t>(frontLabels_);
      gl.glBindBuffer(GL_ARRAY_BUFFER, labels_[front].id());
      gl.glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(n_ * bytesOf(labels.width)),
                         labels.data);
      widths_[front] = labels.width;
    }
    if (positions) {
      if (moving()) frontPositions_ = 1 - frontPositions_;
      writePositions(static_cast<std::size_t>(frontPositions_), positions, sourceStride);
    }
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
  }

  /// From now on points are coloured by groups [n] instead of labels, on whichever path labels come, and
  /// those of hiddenGroup are not drawn; null goes back to labels. Copied; CUDA may have the other buffers
  /// meanwhile.
  void setGroups(const std::int32_t* groups) {
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
  [[nodiscard]] bool grouped() const { return grouped_; }

  /// From now on points are drawn at rows [axes][n] instead of their positions, whatever comes for those; an
  /// empty span goes back to positions. Copied. Throws std::runtime_error when the graphics memory is full,
  /// with what was drawn before.
  void setDrawn(std::span<const float> rows) {
    ++revision_;
    drawnRows_ = 0;
    if (rows.empty() || n_ == 0) return;
    const std::size_t axes = rows.size() / n_;
    Gl& gl = currentGl();
    if (!drawn_) {
      drawn_ = makeBuffer(gl, std::max(kLeastBytes, 3 * stride_ * sizeof(float)), nullptr, GL_DYNAMIC_DRAW);
      try {
        throwOnGlError(gl, "Making room for the points by other axes");
      } catch (...) {
        drawn_.reset();
        throw;
      }
    }
    gl.glBindBuffer(GL_ARRAY_BUFFER, drawn_.id());
    for (std::size_t row = 0; row < axes; ++row)
      gl.glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(row * stride_ * sizeof(float)),
                         static_cast<GLsizeiptr>(n_ * sizeof(float)), rows.data() + row * n_);
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    drawnRows_ = static_cast<int>(axes);
  }
  [[nodiscard]] bool drawsOtherAxes() const { return drawnRows_ > 0; }
  /// How many rows are drawn: of other axes, or of the positions.
  [[nodiscard]] int drawnRows() const { return drawnRows_ > 0 ? drawnRows_ : std::min(d_, 3); }
  /// The buffer whose rows are drawn.
  [[nodiscard]] unsigned drawnName() const {
    return drawnRows_ > 0 ? drawn_.id() : positions_[static_cast<std::size_t>(frontPositions_)].id();
  }
  /// The buffer of groups; 0 before the first of them.
  [[nodiscard]] unsigned groupsName() const { return groups_.id(); }

  /// No two sets of buffers have the same number, whereas OpenGL gives a name again once it is free.
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] int frontLabels() const { return frontLabels_; }
  /// Of what is in label buffer 0 or 1.
  [[nodiscard]] LabelWidth labelWidth(int buffer) const {
    return widths_.at(static_cast<std::size_t>(buffer));
  }
  [[nodiscard]] int frontPositions() const { return frontPositions_; }
  /// Counts uploads, changes of front and of groups: what was drawn at another revision is out of date.
  [[nodiscard]] std::size_t revision() const { return revision_; }

  // What is drawn, for answers that are asked for by hand. CUDA must not have the buffers.
  [[nodiscard]] std::vector<Label> readLabels(std::size_t first, std::size_t count) const {
    const auto front = static_cast<std::size_t>(frontLabels_);
    const std::size_t bytes = bytesOf(widths_[front]);
    const auto stored = read<std::byte>(labels_[front], first * bytes, count * bytes);
    std::vector<Label> labels(count);
    widen({stored.data(), widths_[front]}, labels);
    return labels;
  }
  [[nodiscard]] std::vector<Label> readLabels() const { return readLabels(0, n_); }
  [[nodiscard]] Label readLabel(std::size_t point) const { return readLabels(point, 1).front(); }
  /// Of each of the points its first coordinates, one point after another.
  [[nodiscard]] std::vector<float> readPositions(std::span<const std::size_t> points, int coordinates) const {
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
  /// All rows that are drawn, drawnRows() of stride() floats.
  [[nodiscard]] std::vector<float> readRows() const {
    std::vector<float> rows(stride_ * static_cast<std::size_t>(drawnRows()));
    Gl& gl = currentGl();
    gl.glBindBuffer(GL_ARRAY_BUFFER, drawnName());
    gl.glGetBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(rows.size() * sizeof(float)),
                          rows.data());
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    return rows;
  }

private:
  /// A buffer of no bytes can neither be drawn from nor registered.
  static constexpr std::size_t kLeastBytes = 128;
  static GlBuffer makeBuffer(Gl& gl, std::size_t bytes, const void* data, GLenum usage) {
    GlBuffer made = GlBuffer::create();
    gl.glBindBuffer(GL_ARRAY_BUFFER, made.id());
    gl.glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, usage);
    return made;
  }
  /// Every label is -1. The card writes that itself where it can.
  static GlBuffer makeUnlabelled(Gl& gl, std::size_t bytes) {
    if (const auto compute = computeOf(QOpenGLContext::currentContext())) {
      GlBuffer made = makeBuffer(gl, bytes, nullptr, GL_DYNAMIC_DRAW);
      throwOnGlError(gl, "Making room for the labels");
      fillStorage(*compute, made, ~std::uint32_t{0});
      return made;
    }
    return makeBuffer(gl, bytes, std::vector<Label>(bytes / sizeof(Label), -1).data(), GL_DYNAMIC_DRAW);
  }
  template <class Value>
  static std::vector<Value> read(const GlBuffer& buffer, std::size_t first, std::size_t count) {
    std::vector<Value> values(count);
    Gl& gl = currentGl();
    gl.glBindBuffer(GL_ARRAY_BUFFER, buffer.id());
    gl.glGetBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(first * sizeof(Value)),
                          static_cast<GLsizeiptr>(count * sizeof(Value)), values.data());
    gl.glBindBuffer(GL_ARRAY_BUFFER, 0);
    return values;
  }
  static std::size_t nextNumber() {
    static std::atomic<std::size_t> last{0};
    return ++last;
  }

  void writePositions(std::size_t which, const float* values, std::size_t sourceStride) {
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

  std::size_t number_;
  std::size_t n_;
  int d_;
  std::size_t stride_;
  std::array<GlBuffer, 2> positions_;
  std::array<GlBuffer, 2> labels_;
  std::array<LabelWidth, 2> widths_{LabelWidth::four, LabelWidth::four};
  GlBuffer groups_;
  bool grouped_ = false;
  GlBuffer drawn_;    ///< rows of other axes
  int drawnRows_ = 0; ///< of drawn_; 0: positions are drawn
  int frontLabels_ = 0;
  int frontPositions_ = 0;
  std::size_t revision_ = 1;
};

} // namespace lloyd

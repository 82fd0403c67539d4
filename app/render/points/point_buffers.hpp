// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/gl/gl_handle.hpp"
#include "gpu/core/data/labels.hpp"
#include "gpu/interop/shared_points.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd {

/// The OpenGL buffers of one data set: all d rows of positions, every row on a 128-byte line (rowStride), a
/// second set of rows for points that move, and two sets of labels that begin as -1. Labels lie in the
/// points' own order in one, two or four bytes, as whoever wrote them last chose, and are drawn from those;
/// there is always room for four. Storage is made once and never again, so a registration with CUDA stays
/// valid while this lives. Groups, which may colour the points in place of labels, have a buffer of their own
/// that is never registered. It is made when first needed. All calls, the destructor included, need the
/// context (or one that shares with it) current; a registration must end before its buffers do.
class PointBuffers {
public:
  /// values: [d][n]. Throws std::runtime_error when the graphics memory is full.
  PointBuffers(std::size_t n, int d, const float* values, bool moving);

  /// For registration with CUDA.
  [[nodiscard]] GlPointBuffers names() const;
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] int dimensions() const { return d_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] bool moving() const { return static_cast<bool>(positions_[1]); }

  /// The shared path: draw the buffers that RegisteredPoints::front() names, whose labels now have this
  /// width.
  void setFront(int front, LabelWidth width = LabelWidth::four);
  /// The staged and CPU paths: writes labels of n points as they are, and positions (soa, sourceStride floats
  /// a row), each unless null, into the buffers that are not drawn, then draws those. Positions of points
  /// that stand still are written in place.
  void upload(const LabelView& labels, const float* positions = nullptr, std::size_t sourceStride = 0);

  /// From now on points are coloured by groups [n] instead of labels, on whichever path labels come; null
  /// goes back to labels. Copied; CUDA may have the other buffers meanwhile.
  void setGroups(const std::int32_t* groups);
  [[nodiscard]] bool grouped() const { return grouped_; }
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
  [[nodiscard]] std::vector<Label> readLabels(std::size_t first, std::size_t count) const;
  [[nodiscard]] std::vector<Label> readLabels() const { return readLabels(0, n_); }
  [[nodiscard]] Label readLabel(std::size_t point) const { return readLabels(point, 1).front(); }
  /// Of each of the points its first coordinates, one point after another.
  [[nodiscard]] std::vector<float> readPositions(std::span<const std::size_t> points, int coordinates) const;
  /// All rows, stride() floats each.
  [[nodiscard]] std::vector<float> readRows() const;

private:
  void writePositions(std::size_t which, const float* values, std::size_t sourceStride);

  std::size_t number_;
  std::size_t n_;
  int d_;
  std::size_t stride_;
  std::array<GlBuffer, 2> positions_;
  std::array<GlBuffer, 2> labels_;
  std::array<LabelWidth, 2> widths_{LabelWidth::four, LabelWidth::four};
  GlBuffer groups_;
  bool grouped_ = false;
  int frontLabels_ = 0;
  int frontPositions_ = 0;
  std::size_t revision_ = 1;
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace lloyd {

/// Rows of floats whose number is not known beforehand, kept in blocks so that growing neither copies nor
/// doubles.
class RowBlocks {
public:
  explicit RowBlocks(std::size_t width)
      : width_(width), rowsPerBlock_(std::max<std::size_t>(1, blockValues / width)) {}

  /// Room for one more row, to be written by the caller.
  float* append() {
    if (rows_ % rowsPerBlock_ == 0) blocks_.emplace_back().resize(rowsPerBlock_ * width_);
    return blocks_.back().data() + (rows_++ % rowsPerBlock_) * width_;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// The given columns as a structure of arrays. The blocks are given back one by one on the way.
  [[nodiscard]] std::vector<float> takeColumns(std::span<const std::size_t> columns) {
    std::vector<float> values(columns.size() * rows_);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const std::size_t first = b * rowsPerBlock_;
      const std::size_t count = std::min(rowsPerBlock_, rows_ - first);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const float* from = blocks_[b].data() + columns[j];
        float* const to = values.data() + j * rows_ + first;
        for (std::size_t i = 0; i < count; ++i, from += width_)
          to[i] = *from;
      }
      blocks_[b] = {};
    }
    blocks_.clear();
    rows_ = 0;
    return values;
  }

private:
  static constexpr std::size_t blockValues = std::size_t{1} << 16;
  std::size_t width_;
  std::size_t rowsPerBlock_;
  std::size_t rows_ = 0;
  std::vector<std::vector<float>> blocks_;
};

} // namespace lloyd

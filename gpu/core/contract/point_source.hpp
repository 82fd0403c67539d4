// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"

#include <algorithm>
#include <cstddef>

namespace lloyd {

/// Points that the host can read a piece at a time, wherever they lie: in its memory, or in a file that may
/// be larger than it. They do not change. Any thread may read, several at once.
class PointSource {
public:
  PointSource() = default;
  PointSource(const PointSource&) = delete;
  PointSource& operator=(const PointSource&) = delete;
  virtual ~PointSource() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual int dimensions() const = 0;
  [[nodiscard]] virtual const Box& box() const = 0; ///< of all points; unknown for none
  /// Whether all points are in the host's memory already.
  [[nodiscard]] virtual bool inMemory() const = 0;
  /// Copies points first to first + count - 1 to rows: coordinate j of the i-th of them to to[j * stride +
  /// i]. Throws RequestError where what they lie in has been changed meanwhile.
  virtual void read(std::size_t first, std::size_t count, float* to, std::size_t stride) const = 0;
};

/// Points in host memory, [d][n], which must outlive this.
class HostPoints final : public PointSource {
public:
  HostPoints(const float* values, std::size_t n, int d, const Box& box)
      : values_(values), n_(n), d_(d), box_(box) {}

  [[nodiscard]] std::size_t size() const override { return n_; }
  [[nodiscard]] int dimensions() const override { return d_; }
  [[nodiscard]] const Box& box() const override { return box_; }
  [[nodiscard]] bool inMemory() const override { return true; }
  void read(std::size_t first, std::size_t count, float* to, std::size_t stride) const override {
    for (std::size_t j = 0; j < static_cast<std::size_t>(d_); ++j)
      std::copy_n(values_ + j * n_ + first, count, to + j * stride);
  }

private:
  const float* values_;
  std::size_t n_;
  int d_;
  Box box_;
};

} // namespace lloyd

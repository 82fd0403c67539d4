// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/drift.hpp"
#include "gpu/core/data/box.hpp"
#include "gpu/core/data/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// How one column was scaled before clustering: stored = (file - offset) / factor. The identity when nothing
/// was scaled.
struct ColumnScale {
  double offset = 0;
  double factor = 1;
  bool operator==(const ColumnScale&) const = default;
};

/// A data set in host memory: structure of arrays, coordinate j of point i at values[j * n + i]. All values
/// are finite. Built once, then shared as immutable.
struct PointSet {
  std::size_t n = 0;
  int d = 0;
  std::vector<float> values;        ///< [d][n]
  std::vector<std::string> columns; ///< [d]
  std::vector<ColumnScale> scales;  ///< [d]
  std::string source;               ///< file name or generator, as it was asked for
  std::size_t inputRows = 0;        ///< rows in the file, dropped ones included
  std::vector<std::uint64_t>
      dropped; ///< input rows left out because a value was not finite, ascending, 0-based
  /// Of points chosen from a larger set: the input row of each, ascending. Empty: all rows but the dropped.
  std::vector<std::uint64_t> rows;
  std::vector<std::string> remarks; ///< what a person should know: text columns left out, rows dropped, ...
  std::optional<Drift> drift;       ///< set for points that move
  bool colours = false;             ///< an image: d = 3, red, green, blue in 0 to 255, row by row
  int imageWidth = 0;               ///< for an image
  int imageHeight = 0;

  [[nodiscard]] const float* row(int j) const { return values.data() + static_cast<std::size_t>(j) * n; }
  /// The input row (0-based) that point i came from.
  [[nodiscard]] std::uint64_t inputRow(std::size_t i) const;
};

/// A box that holds every point at any time.
[[nodiscard]] Box boxOf(const PointSet& points);

using SharedPointSet = std::shared_ptr<const PointSet>;

} // namespace lloyd

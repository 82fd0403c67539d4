// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/read_error.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"
#include "app/data/scale.hpp"

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace lloyd {

struct ReadOptions {
  std::vector<std::string> columns = {}; ///< by name or 0-based index; empty: all that hold numbers
  Scale scale = Scale::none;
};

/// Reads points from a file of any known format: NumPy arrays and images are known by their first bytes,
/// anything else must be a table of text. Runs on the calling thread; memory stays within a small multiple of
/// the file's size.
[[nodiscard]] tl::expected<PointSet, ReadError>
readPoints(const std::string& path, const ReadOptions& options = {}, const ReadControl& control = {});

/// A small table of numbers, such as initial centroids: row by row.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values = {}; ///< [rows][columns], all finite
};

/// Reads a CSV file, with a header of names or without, or an NPY array. Every value must be a finite number.
[[nodiscard]] tl::expected<Matrix, ReadError> readMatrix(const std::string& path);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/read_error.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace lloyd {

/// A small table of numbers, such as initial centroids: row by row.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values = {}; ///< [rows][columns], all finite
};

/// Reads a CSV file without a header, or an NPY array. Every value must be a finite number.
[[nodiscard]] tl::expected<Matrix, ReadError> readMatrix(const std::string& path);

} // namespace lloyd

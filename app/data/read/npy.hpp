// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/csv_reader.hpp"
#include "app/data/read/npy_header.hpp"
#include "app/data/read_control.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The first bytes of a version 1.0 file of this type and shape, C order, padded to a multiple of 64.
[[nodiscard]] std::string npyHeaderBytes(std::string_view type, std::span<const std::uint64_t> shape);

/// Reads a NumPy array of numbers, (n) or (n, d), in either order of bytes and of axes. What the header
/// promises is held against the size of the file before anything is allocated. Values become float32, less
/// what shiftFor() says; rows with one that is not finite there are left out. Throws ReadFailure.
[[nodiscard]] PointSet readNpy(const InputFile& file, const std::vector<std::string>& columns,
                               const ReadControl& control);
/// All of a small array, in double precision: row by row. Throws ReadFailure.
[[nodiscard]] CsvNumbers readNpyNumbers(const InputFile& file);

/// What is taken off each of some columns of an array of so many rows, as shiftFor() has it. read gives some
/// rows in double precision, column after column. Pieces are summed in their order, so it is always the same.
[[nodiscard]] std::vector<double>
shiftsOf(std::uint64_t rows, std::size_t columns, double unit, const ReadControl& control,
         const std::function<void(std::size_t first, std::size_t count, double* values)>& read);

} // namespace lloyd

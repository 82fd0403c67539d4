// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lloyd {

inline constexpr std::string_view npyMagic{"\x93NUMPY", 6};

/// What stands before the values of an NPY file (NumPy enhancement proposal 1, versions 1.0 to 3.0), of one
/// or two dimensions.
struct NpyHeader {
  char kind = 'f';   ///< 'f' floating point, 'i' signed, 'u' unsigned
  int itemBytes = 4; ///< 1, 2, 4 or 8; floating point: 4 or 8
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<std::uint64_t> shape = {};
  std::uint64_t dataStart = 0; ///< where the first value lies in the file

  [[nodiscard]] std::uint64_t rows() const { return shape.front(); }
  [[nodiscard]] std::uint64_t columns() const { return shape.size() > 1 ? shape[1] : 1; }
  /// A column's values lie side by side.
  [[nodiscard]] bool byColumn() const { return fortranOrder || columns() == 1; }
};
/// The header of a file. What it promises is held against the file's size. Throws ReadFailure with the reason
/// why these values cannot be in this file.
[[nodiscard]] NpyHeader readNpyHeader(const InputFile& file);

/// Items that lie `step` bytes apart, less shift, as floats. What is not a finite number becomes NaN, and a
/// number beyond single precision an infinity.
using ConvertItems = void (*)(const char* bytes, std::size_t step, std::size_t count, double shift,
                              float* values);
[[nodiscard]] ConvertItems converterOf(const NpyHeader& header);
/// The same as doubles.
using WidenItems = void (*)(const char* bytes, std::size_t step, std::size_t count, double* values);
[[nodiscard]] WidenItems widenerOf(const NpyHeader& header);

/// The least difference that these numbers tell, as shiftFor() has it; none where single precision holds them
/// all.
[[nodiscard]] std::optional<double> unitOf(const NpyHeader& header);

} // namespace lloyd

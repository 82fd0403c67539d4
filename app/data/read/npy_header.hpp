// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What stands before the values of an NPY file (NumPy enhancement proposal 1, versions 1.0 to 3.0).
struct NpyHeader {
  char kind = 'f';   ///< 'f' floating point, 'i' signed, 'u' unsigned
  int itemBytes = 4; ///< 1, 2, 4 or 8; floating point: 4 or 8
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<std::uint64_t> shape = {};

  [[nodiscard]] std::uint64_t rows() const { return shape.front(); }
  [[nodiscard]] std::uint64_t columns() const { return shape.size() > 1 ? shape[1] : 1; }
};

inline constexpr std::string_view npyMagic{"\x93NUMPY", 6};
inline constexpr std::size_t npyPrefix = 12; ///< bytes that always suffice for npyDictionary()

/// Where the dictionary stands in the file, from the file's first bytes. Throws ReadFailure.
struct NpyDictionary {
  std::size_t offset = 0;
  std::uint64_t length = 0;
};
[[nodiscard]] NpyDictionary npyDictionary(std::string_view prefix);

/// Reads the dictionary. One or two dimensions, numbers only; anything else is refused by name. Throws
/// ReadFailure.
[[nodiscard]] NpyHeader parseNpyHeader(std::string_view dictionary);

/// The first bytes of a version 1.0 file of this type and shape, C order, padded to a multiple of 64.
[[nodiscard]] std::string npyHeaderBytes(std::string_view type, std::span<const std::uint64_t> shape);

} // namespace lloyd

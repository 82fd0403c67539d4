// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/input/line_reader.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read/npy_header.hpp"
#include "app/data/read_control.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// One column of a point cloud: where its values lie among the data, as text and as bytes.
struct CloudColumn {
  static constexpr int whole = -1;

  std::string name;
  char kind = 'f';         ///< 'f' floating point, 'i' signed, 'u' unsigned
  int bytes = 4;           ///< of a value
  std::size_t word = 0;    ///< of a line of text
  std::uint64_t first = 0; ///< byte of the first row's value
  std::uint64_t step = 0;  ///< bytes from one row's value to the next one's
  int shift = whole;       ///< of a colour that shares four bytes with others: where its eight bits begin
};

/// What the header of a point cloud says of its points.
struct CloudTable {
  std::vector<CloudColumn> columns = {};
  std::uint64_t rows = 0;
  std::size_t words = 0; ///< of a line of text
  std::uint64_t rowBytes = 0;
  bool bigEndian = false;
};

/// A header may name no more columns than this.
inline constexpr std::size_t mostCloudColumns = 4096;

/// The columns that were asked for, x, y and z when none were, of so many points. What is left out is said.
/// Columns whose digits single precision would not keep are shifted: shiftFor(). Throws ReadFailure where one
/// is missing. `file` is where the rows are to come from.
class PointCloud {
public:
  PointCloud(const InputFile& file, CloudTable table, const std::vector<std::string>& columns,
             const ReadControl& control);

  /// Reads one row a line from here on, and no more than the rows. Throws ReadFailure with the place.
  void readText(LineReader& lines);
  /// Reads rows that lie side by side in the file, from this byte on.
  void readBytes(std::uint64_t start);
  /// Takes rows from memory that holds all of them.
  void takeBytes(std::span<const char> bytes);

  /// The points, of which rows with a value that is missing are left out.
  [[nodiscard]] PointSet finish();

private:
  [[nodiscard]] NpyHeader typeOf(const CloudColumn& column) const;
  /// Where single precision would not keep the digits of a column, what is taken off it. fetch gives bytes of
  /// rows that are asked for, and which row these begin with.
  template <class Fetch>
  void findShifts(const Fetch& fetch);
  void convert(const char* bytes, std::size_t firstRow, std::size_t rows);
  void keepText(const std::vector<double>& values);

  const InputFile& file_;
  CloudTable table_;
  const ReadControl& control_;
  std::vector<std::size_t> chosen_;
  PointSet points_;
};

/// A count in a header: digits, nothing else, of at most 63 bits. Throws ReadFailure at its place.
[[nodiscard]] std::uint64_t headerCount(const LineReader& lines, std::string_view line,
                                        std::string_view word);

/// Throws ReadFailure when so many lines of so many words cannot be in what is left of the file.
void refuseTooFewBytes(const InputFile& file, const LineReader& lines, std::uint64_t rows, std::size_t words);

} // namespace lloyd

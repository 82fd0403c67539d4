// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lloyd {

/// Marks of points [n], not 0 for those that are meant. Immutable.
using PointMarks = std::shared_ptr<const std::vector<std::uint8_t>>;

/// What is selected, in a few numbers.
struct SelectionSummary {
  std::size_t count = 0;
  std::size_t points = 0;         ///< of so many
  std::vector<double> means;      ///< [d], in the units of the file; empty of nothing
  std::vector<std::size_t> first; ///< the first of the points, at most mostFirst
  /// Their fields as they stand in the file, a list for each; empty where that was not read again.
  std::vector<std::vector<std::string>> cells;

  static constexpr std::size_t mostFirst = 500;
  [[nodiscard]] double share() const {
    return points > 0 ? static_cast<double>(count) / static_cast<double>(points) : 0;
  }
};

/// Means are of the points as they were read, also of those that move. On all of oneTBB's threads, the same
/// to the last bit however many there are.
[[nodiscard]] SelectionSummary summaryOf(const PointSet& points, std::span<const std::uint8_t> marks);

/// Reads the cells of the summary's rows from the file of the points' table, where it is small enough to be
/// read while a person waits; nothing where it is not, or has changed. Any thread.
void readCells(const PointSet& points, SelectionSummary& summary);

/// Writes the marked points, one a line below a header. Those of a table of text are its records, as they
/// stand in the file, which is read again; others have their columns, with the digits of the file. Then
/// `cluster`, the label, -1 for none. labels: [n], or none. The error is a sentence.
[[nodiscard]] tl::expected<void, std::string> writeMarkedRows(const std::string& path, const PointSet& points,
                                                              std::span<const std::uint8_t> marks,
                                                              std::span<const Label> labels);
/// The name of a column of writeMarkedRows(), and what a point has there; `cluster` is not among them.
[[nodiscard]] std::size_t rowColumns(const PointSet& points);
[[nodiscard]] std::string rowColumnName(const PointSet& points, std::size_t column);
[[nodiscard]] std::string rowCell(const PointSet& points, std::size_t column, std::size_t point);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What a table of text may hold. Columns are named, or given by their index from 0.
struct CsvRules {
  std::vector<std::string> columns = {};       ///< the features; empty: every column of numbers that is none
                                               ///< of the others and no id
  std::optional<std::string> classColumn = {}; ///< none: guessed; empty: no column is
  std::optional<std::string> nameColumn = {};  ///< the same
  bool dropRagged = false; ///< rows with more or fewer fields are left out and counted, not refused
  bool comments = false;   ///< lines that begin with # are left out
};

/// Reads a delimited text table. The points are those of its features; the table that comes with them has
/// every column. Columns of text that are neither class nor name are left out of the points, which a remark
/// says, as it says every role that was guessed. A column that could be a feature and mixes numbers and text
/// is an error, as is a row with more or fewer fields than the first unless such rows are dropped. A field of
/// a feature that is empty, nan, inf or beyond float32 drops its row. Throws ReadFailure.
[[nodiscard]] PointSet readCsv(InputFile file, const CsvRules& rules, const ReadControl& control);

/// A small table of numbers, in double precision: row by row.
struct CsvNumbers {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values = {}; ///< [rows][columns]
};
/// Reads a table in which any field that is no finite number of single precision is an error. Columns that a
/// header calls by a name of leftOut may hold anything and are left out. Throws ReadFailure.
[[nodiscard]] CsvNumbers readCsvNumbers(InputFile file, bool comments,
                                        const std::vector<std::string>& leftOut = {});

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/point_set.hpp"
#include "app/data/read_control.hpp"

#include <string>
#include <vector>

namespace lloyd {

/// What a table of text may hold.
struct CsvRules {
  std::vector<std::string> columns = {}; ///< by name or 0-based index; empty: every column that holds numbers
  bool numbersOnly = false;              ///< any field that is no finite number is an error
  bool comments = false;                 ///< lines that begin with # are left out
};

/// Reads a delimited text table. Columns without a number in any row are text and left out, which a remark
/// says; a column that mixes both is an error, as is a row with more or fewer fields than the first. A field
/// that is empty, nan, inf or beyond float32 drops its row. Throws ReadFailure.
[[nodiscard]] PointSet readCsv(InputFile file, const CsvRules& rules, const ReadControl& control);

} // namespace lloyd

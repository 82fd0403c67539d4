// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/table/column_roles.hpp"
#include "app/data/table/growing_column.hpp"
#include "app/data/table/table.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lloyd {

/// A column of a text table while it is read: what has been seen so far in it.
struct CsvColumn {
  bool mayBeFeature = true;
  bool numbers = false;       ///< a number, finite or not
  bool nonFinite = false;     ///< nan, inf, or beyond float32
  bool tooManyWords = false;  ///< nothing is kept of it any more
  int decimals = 0;           ///< the most behind a decimal mark
  std::uint64_t textLine = 0; ///< where the first text stands; 0: there is none
  std::uint64_t textColumn = 0;
  std::string text;
  /// Numbers as they are, an infinity for one beyond float32; of a column of text its words' codes from 1 on;
  /// NaN for a missing value.
  GrowingColumn cells;
  std::unique_ptr<WordList> words; ///< set: the column is one of text

  [[nodiscard]] ColumnType type() const {
    return words || tooManyWords  ? ColumnType::text
           : numbers || nonFinite ? ColumnType::number
                                  : ColumnType::empty;
  }
  /// What was numbers until now becomes text.
  void becomeText();
};

/// Makes points and their table of columns that were read to their end, and uses them up. table: what is
/// known of it but its columns.
/// Rows that are not finite are still among the points. Throws ReadFailure where the wishes cannot be met.
[[nodiscard]] PointSet pointsOf(std::vector<CsvColumn>& columns, const std::vector<std::string>& names,
                                const RoleWishes& wishes, Table table);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"

#include <set>
#include <vector>

namespace lloyd {

/// One row of a source beside the version before: a line, one that only the version before has (a ghost), or
/// a fold, which stands for lines that are the same.
struct SourceRow {
  DiffLine::Mark mark = DiffLine::Mark::same;
  int number = 0; ///< in the whole text, from 1; 0 for a ghost and for a fold
  int first = 0;  ///< number of the first line that is folded; 0 for a row that is no fold
  int folded = 0; ///< how many lines are
  QString text;

  [[nodiscard]] bool isFold() const { return folded > 0; }
};

struct SourceRowWish {
  bool ghosts = false;       ///< lines that only the version before has
  bool folds = false;        ///< long stretches that are the same are one row each
  std::set<int> opened = {}; ///< the folds that are not folded, by SourceRow::first
};

/// The rows in the order in which a person reads them. Without a version before nothing is folded: there is
/// nothing that the lines are the same as. A kernel's head, from its template line to its brace, is never
/// folded.
[[nodiscard]] std::vector<SourceRow> rowsOf(const SourceComparison& comparison, const SourceRowWish& wish);

/// Where a reader begins, as a number from 1: at the first line of a kernel that is new or changed; where the
/// kernels are the same, at the first such line of other code, then of a header, then where a line went; and
/// at the kernel where nothing differs.
[[nodiscard]] int openingLine(const SourceComparison& comparison);

} // namespace lloyd

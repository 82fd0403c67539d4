// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <vector>

namespace lloyd {

/// One line of the difference between two texts, in the order in which a person reads them.
struct DiffLine {
  enum class Mark {
    same,    ///< in both, blanks at its ends and names aside
    added,   ///< only in the new text
    changed, ///< stands where another, alike line stood
    removed  ///< only in the old text
  };
  Mark mark = Mark::same;
  int before = -1; ///< index in the old text; -1 when added
  int now = -1;    ///< index in the new text; -1 when removed
  bool operator==(const DiffLine&) const = default;
};

/// A text in which something stands that is called differently in each version and must not count as a
/// difference: "classify_v2", "classify.v2". Any number of them; the i-th name of one text answers to the
/// i-th of the other.
struct NamedText {
  QStringList lines;
  QStringList names;
};

/// Aligns two texts line by line so that as many characters as possible stand in lines that are the same,
/// then as many as possible in lines that are alike (Needleman and Wunsch, 1970, over lines; alike is half of
/// the words, after Dice, 1945). O(lines before x lines now) in time and memory; for kernel files.
[[nodiscard]] std::vector<DiffLine> sourceDiff(const NamedText& before, const NamedText& now);

/// A line as it is compared: without blanks at its ends, names replaced by their number.
[[nodiscard]] QString compared(const QString& line, const QStringList& names);

/// How many lines of each kind there are.
struct DiffCount {
  int added = 0;
  int changed = 0;
  int removed = 0;
};
[[nodiscard]] DiffCount countOf(const std::vector<DiffLine>& diff);

} // namespace lloyd

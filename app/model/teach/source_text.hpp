// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>
#include <QStringList>

#include <vector>

namespace lloyd {

/// The text of a variant's kernel file, as it was when the program was built; after it, under their names,
/// the headers of its own folder that it includes, because a family may keep there what its variants share.
struct SourceText {
  /// One file's lines: those from first on, count of them. Between two parts stand a blank and a name.
  struct Part {
    QString path;
    int first = 0;
    int count = 0;
  };

  QString path; ///< from the repository's top: "gpu/kernels/classify/v3_unrolled_dimensions.cu"
  QStringList lines;
  std::vector<Part> parts; ///< the kernel file is the first; none without lines
  int code = 0;            ///< the first line after the comment that opens the file
  int registration =
      0;          ///< the line after the code of the kernel file: what registers the variant, to its end
  int kernel = 0; ///< the first line of the first kernel, its template line included; of other code, the
                  ///< line behind what it includes

  /// The number, from 1, that a line has in its own file; 0 for what stands between parts.
  [[nodiscard]] int numberOf(int line) const {
    for (const Part& part : parts)
      if (line >= part.first && line < part.first + part.count) return line - part.first + 1;
    return 0;
  }
  /// The line that has this number in the file; -1 when it is not here.
  [[nodiscard]] int lineOf(const QString& file, int number) const {
    for (const Part& part : parts)
      if (part.path == file && number >= 1 && number <= part.count) return part.first + number - 1;
    return -1;
  }
};

/// Empty lines when the program holds no such file: a variant that only the CPU has, for example.
[[nodiscard]] SourceText sourceOf(const Variant& variant);
/// The same of any text.
[[nodiscard]] SourceText sourceText(const QString& path, const QString& text);

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

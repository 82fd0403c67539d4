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
  int kernel = 0; ///< the first line of the first kernel, its template line included; code when there is none

  /// The number, from 1, that a line has in its own file; 0 for what stands between parts.
  [[nodiscard]] int numberOf(int line) const;
  /// The line that has this number in the file; -1 when it is not here.
  [[nodiscard]] int lineOf(const QString& file, int number) const;
};

/// Empty lines when the program holds no such file: a variant that only the CPU has, for example.
[[nodiscard]] SourceText sourceOf(const Variant& variant);
/// The same of any text.
[[nodiscard]] SourceText sourceText(const QString& path, const QString& text);

} // namespace lloyd

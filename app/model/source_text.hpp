// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/variant.hpp"

#include <QString>
#include <QStringList>

namespace lloyd {

/// The text of a variant's kernel file, as it was when the program was built.
struct SourceText {
  QString path; ///< from the repository's top: "gpu/kernels/classify/v3_unrolled_dimensions.cu"
  QStringList lines;
  int code = 0;   ///< the first line after the comment that opens the file
  int kernel = 0; ///< the first line of the first kernel, its template line included; code when there is none
};

/// Empty lines when the program holds no such file: a variant that only the CPU has, for example.
[[nodiscard]] SourceText sourceOf(const Variant& variant);
/// The same of any text.
[[nodiscard]] SourceText sourceText(const QString& path, const QString& text);

/// Makes kernels, lessons and counters of cards readable as ":/kernels/classify/v1_....cu",
/// ":/lessons/<id>.md" and ":/counters/<card>.csv". Any number of calls.
void initTexts();

} // namespace lloyd

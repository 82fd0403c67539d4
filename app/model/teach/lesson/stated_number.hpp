// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <vector>

namespace lloyd {

/// A number of a lesson with what it comes from, so that a test can find it again:
///
///     sectors a load: {{12 = [sectors a load at `points[i * D + j]` with `blobs:n=4096,d=3;k=16`]}}
///     {{57 % = [shared accesses with `...`] / [shared accesses of reduce.v6 with `...`] * 100}} of V6's
///     tiles of {{32 in `tileRows = 32`}} coordinates; blocks of {{256 in `{256}` of gpu/cpu/blocks.hpp}}
///     a point takes {{43 counted by Nsight Compute}} instructions
///
/// Readers see what stands first. Behind " = " are operands with + - * / between them, worked out from left
/// to right: numbers, powers as 2^20, what a question may ask of points of its own (question.hpp) in
/// brackets, a measured figure (MeasuredTimes) as [distance.v5 instructions], or what nvcc made of a variant
/// (kernels.csv) as [kernels:classify.v3 most-registers], or the number of its launch shapes as
/// [kernels:reduce.v4 shapes]. Behind " in " is a piece of code with the number, from the variant's source
/// unless a file is named. "Counted by" and "measured on" are numbers that stand nowhere else and that no
/// machine without the card and the tool can find.
struct StatedNumber {
  QString shown;      ///< "57 %"
  QString expression; ///< empty: it is none of these
  QString code;       ///< likewise
  QString file;       ///< of the code; empty: the variant's source
  int line = 0;       ///< of the lesson, from 1
};

/// In the order of the lesson. What has another form is none, and readers see its braces.
[[nodiscard]] std::vector<StatedNumber> statedNumbers(const QString& lesson);

/// The lesson as readers see it.
[[nodiscard]] QString withStatedNumbers(QString lesson);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <vector>

namespace lloyd {

/// A text that is replaced in a kernel file.
struct Replacement {
  QString from;
  QString to;
};

/// What repairs a broken kernel.
struct Repair {
  QString why; ///< what was wrong, in whole sentences
  std::vector<Replacement> changes;

  /// The text with every change made; empty where one of them no longer fits.
  [[nodiscard]] QString applied(QString text) const;
  /// The changes the other way round.
  [[nodiscard]] std::vector<Replacement> undone() const;
};

/// A twin of one of the program's kernels with a bug for a person to find: its text with a repair undone
/// (resources/broken). The registry never has it: it is only a text.
struct BrokenKernel {
  QString name;  ///< "missing_barrier"
  QString title; ///< what goes wrong, without the reason
  QString room;  ///< the program's folder of the kernel: "update", "schedule"
  QString text;  ///< of the kernel file
  Repair repair;
};

/// All of them, by name.
[[nodiscard]] std::vector<BrokenKernel> brokenKernels();
/// Which of them the text of a kernel file was once, by the title that its first comment bears, whatever the
/// file is called; one without a name where it was none.
[[nodiscard]] BrokenKernel brokenKernelIn(const QString& text);

} // namespace lloyd

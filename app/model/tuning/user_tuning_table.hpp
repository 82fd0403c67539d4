// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/defaults/tuning_table.hpp"

#include <QString>

#include <tl/expected.hpp>

#include <string>
#include <vector>

namespace lloyd {

/// The user's own table of measured choices: tuning.csv in the program's data folder, which need not exist. A
/// QCoreApplication with the program's name must exist.
[[nodiscard]] QString userTuningPath();

/// Adds the user's table to TuningTable::present(). For the start of the program, before any plan is made.
/// Returns a sentence when the file is there and cannot be used, which is then left as it is; else nothing.
[[nodiscard]] QString addUserTuning();
/// What addUserTuning() returned last, for a window that opens later.
[[nodiscard]] const QString& userTuningProblem();

/// Writes choices to a table at path, whole or not at all: with what is there already, of other problems and
/// devices. A damaged table that is in the way is kept beside it under a name that ends in .damaged. Returns
/// a remark, empty when there is none, or the error in a sentence.
[[nodiscard]] tl::expected<QString, std::string> saveTuning(const QString& path,
                                                            const std::vector<TuningEntry>& entries);

} // namespace lloyd

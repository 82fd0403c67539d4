// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/kernel_compiler.hpp"

namespace lloyd {

/// A sentence for each name that a person's file uses and nothing defines, out of what a linker printed or
/// what the system said when it did not load a module. Names are C++ as people write it, without the
/// program's own namespaces; the line is that of the file where the linker names it, else the first that says
/// the name, else 0. Empty where something else was wrong.
[[nodiscard]] std::vector<CompilerError> linkerErrors(const QString& printed, const QString& file);

} // namespace lloyd

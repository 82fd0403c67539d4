// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/messages.hpp"
#include "gpu/core/contract/variant.hpp"

#include <vector>

namespace lloyd {

/// Compiles every file of --kernel and adds its variants to the registry, so that every command has them, and
/// says of each what it is called and whether the command runs it without verifying it. An application must
/// exist. Throws RequestError, which names file, line and column where the compiler does.
void addOwnKernels(const Arguments& arguments, const Messages& messages);
/// Those that the registry has.
[[nodiscard]] std::vector<const Variant*> addedKernels();

} // namespace lloyd

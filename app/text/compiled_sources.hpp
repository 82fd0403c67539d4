// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>

namespace lloyd {

// The text of a person's own variant as it was compiled, for whoever shows it: what runs stays, whatever is
// saved to its file afterwards. Any thread.

/// variant: of the registry, which keeps it where it is.
void keepCompiledSource(const Variant& variant, const QString& text);
/// Empty where none was kept.
[[nodiscard]] QString compiledSource(const Variant& variant);

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/stats/comparison.hpp"

#include <QString>

namespace lloyd {

/// How a person's own variant stands against another that it was raced against, as a sentence. where: "On the
/// simulator"; original: the other's name.
[[nodiscard]] QString standingText(const Comparison& comparison, const QString& where,
                                   const QString& original);

} // namespace lloyd

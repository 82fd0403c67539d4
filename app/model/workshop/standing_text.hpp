// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/stats/comparison.hpp"
#include "gpu/reference/verify.hpp"

#include <QString>

namespace lloyd {

/// How a person's own variant stands against another that it was raced against, as a sentence. where: "On the
/// simulator"; original: the other's name.
[[nodiscard]] QString standingText(const Comparison& comparison, const QString& where,
                                   const QString& original);
/// How many cases ended in a fault, of which nothing was compared, and how many others there are of each
/// kind, where there are any. match and differ: "%1 match double precision", "%1 do not".
[[nodiscard]] QString faultedText(const VerifyResult& result, const QString& match, const QString& differ);

} // namespace lloyd

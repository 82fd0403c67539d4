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
/// What is being verified: "verify on the NVIDIA H200, input 3 of 89: uniform points, n 31, d 3, k 10". The
/// first one has no points and is not described: whoever reads of it where a trial was stopped would look for
/// what is wrong in its numbers. where: " on the NVIDIA H200", or empty.
[[nodiscard]] QString inputText(const VerifyProgress& now, const QString& where = {});
/// How many cases ended in a fault, of which nothing was compared, and how many others there are of each
/// kind, where there are any. match and differ: "%1 match double precision", "%1 do not".
[[nodiscard]] QString faultedText(const VerifyResult& result, const QString& match, const QString& differ);

} // namespace lloyd

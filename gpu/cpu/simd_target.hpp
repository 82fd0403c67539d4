// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Included before any of Highway's headers: which instruction sets its code is compiled for. A distance is a
// chain of fused multiply-adds, so sets without that instruction (SSSE3, SSE4) are left out; a processor that
// has no better one runs the portable target, which asks the C library lane by lane. Sets with vectors of
// unknown size are left out because our loops keep vectors in arrays.
#define HWY_DISABLED_TARGETS                                                                                 \
  (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include <string>

namespace lloyd {

/// The instruction set that SIMD variants use on this processor, in a person's words: "AVX-512".
[[nodiscard]] std::string simdTargetName();

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cpu/simd_target.hpp"

#include <hwy/targets.h>

namespace lloyd {

std::string simdTargetName() {
  // Highway orders its targets so that the lowest bit is the best one.
  const auto usable = hwy::SupportedTargets() & (HWY_TARGETS);
  switch (const auto best = usable & -usable) {
  case HWY_AVX3_DL:
  case HWY_AVX3:
    return "AVX-512";
  case HWY_AVX2:
    return "AVX2 with FMA";
  case HWY_EMU128:
  case HWY_SCALAR:
    return "no SIMD with fused multiply-add";
  default:
    return hwy::TargetName(best);
  }
}

} // namespace lloyd

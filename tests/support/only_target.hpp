// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/cpu/simd_target.hpp" // chooses the targets that Highway's headers then speak of

#include <hwy/targets.h>

#include <cstdint>

namespace lloyd {

/// Makes vector code run on one instruction set for a scope, whatever better ones there are.
class OnlyTarget {
public:
  explicit OnlyTarget(std::int64_t target) { choose(target); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;
  ~OnlyTarget() { choose(0); }

private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Calls body(name) on each instruction set that is compiled and that this processor has, the portable one
/// included.
template <class Body>
void forEveryTarget(const Body& body) {
  const std::int64_t usable = hwy::SupportedTargets() & (HWY_TARGETS);
  for (std::int64_t rest = usable; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    const OnlyTarget only(target);
    body(hwy::TargetName(target));
  }
}

} // namespace lloyd

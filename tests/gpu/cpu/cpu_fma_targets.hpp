// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <vector>

namespace lloyd {

/// Three factors and terms of each of count multiply-adds.
struct FmaCases {
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;
};

/// out[i] = x[i] * y[i] + z[i] by exactFma() of the instruction set that Highway has chosen. The count is a
/// multiple of 16.
void exactFmaOfTarget(const FmaCases& cases, std::vector<float>& out);

/// out[i] = x[i] * x[i] + z[i] in the way that the distances of cpu.v2 and cpu.v3 are summed there.
void addProductOfTarget(const FmaCases& cases, std::vector<float>& out);

} // namespace lloyd

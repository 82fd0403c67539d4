// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/cpu/cpu_fma_targets.hpp"

#include "gpu/cpu/simd_target.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/gpu/cpu/cpu_fma_targets.cpp"
// This compiles the rest of the file once for each target, so it comes before the vector code.
// clang-format off
#include <hwy/foreach_target.h>
#include "gpu/kernels/cpu/simd_labels-inl.hpp"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {

void exactFmaOf(const FmaCases& cases, std::vector<float>& out) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = lloyd::exactFma(cases.x[i], cases.y[i], cases.z[i]);
#else
  const Floats floats;
  for (std::size_t i = 0; i < out.size(); i += hn::Lanes(floats))
    hn::StoreU(HWY_NAMESPACE::exactFma(floats, hn::LoadU(floats, &cases.x[i]), hn::LoadU(floats, &cases.y[i]),
                                       hn::LoadU(floats, &cases.z[i])),
               floats, &out[i]);
#endif
}

void addProductOf(const FmaCases& cases, std::vector<float>& out) {
  const Floats floats;
  for (std::size_t i = 0; i < out.size(); i += hn::Lanes(floats))
    hn::StoreU(addProduct(floats, hn::LoadU(floats, &cases.x[i]), hn::LoadU(floats, &cases.z[i])), floats,
               &out[i]);
}

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lloyd {

HWY_EXPORT(exactFmaOf);
HWY_EXPORT(addProductOf);

void exactFmaOfTarget(const FmaCases& cases, std::vector<float>& out) {
  HWY_DYNAMIC_DISPATCH(exactFmaOf)(cases, out);
}

void addProductOfTarget(const FmaCases& cases, std::vector<float>& out) {
  HWY_DYNAMIC_DISPATCH(addProductOf)(cases, out);
}

} // namespace lloyd
#endif

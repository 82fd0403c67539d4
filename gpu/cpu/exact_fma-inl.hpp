// SPDX-License-Identifier: GPL-3.0-or-later
// Fused multiply-add for instruction sets that lack it (SSSE3, SSE4), made of doubles. Highway compiles this
// file once for every instruction set, which is why it has a guard of its own kind and no #pragma once.
#if defined(LLOYD_EXACT_FMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LLOYD_EXACT_FMA_INL
#undef LLOYD_EXACT_FMA_INL
#else
#define LLOYD_EXACT_FMA_INL
#endif

#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
/// a + b rounded to odd; fma.hpp says why.
template <class Tag, class Vector = hn::Vec<Tag>>
HWY_INLINE Vector addToOdd(Tag doubles, Vector a, Vector b) {
  const hn::RebindToSigned<Tag> words;
  const Vector sum = hn::Add(a, b);
  const Vector ofB = hn::Sub(sum, a);
  const Vector lack = hn::Add(hn::Sub(a, hn::Sub(sum, ofB)), hn::Sub(b, ofB));
  const auto inexact = hn::BitCast(words, hn::VecFromMask(doubles, hn::Gt(hn::Abs(lack), hn::Zero(doubles))));
  const auto away = hn::BroadcastSignBit(hn::BitCast(words, hn::Xor(lack, sum)));
  const auto truncated = hn::Add(hn::BitCast(words, sum), hn::And(away, inexact));
  return hn::BitCast(doubles, hn::Or(truncated, hn::And(inexact, hn::Set(words, 1))));
}

/// x * y + z with one rounding in every lane, the bits that the exactFma() of one float gives. Tag is of at
/// least two floats.
template <class Tag, class Vector = hn::Vec<Tag>>
HWY_INLINE Vector exactFma(Tag floats, Vector x, Vector y, Vector z) {
  const hn::RepartitionToWide<Tag> doubles;
  const hn::Half<Tag> half;
  const hn::RebindToUnsigned<Tag> words;
  using Doubles = hn::Vec<decltype(doubles)>;
  const Doubles lowProduct =
      hn::Mul(hn::PromoteTo(doubles, hn::LowerHalf(half, x)), hn::PromoteTo(doubles, hn::LowerHalf(half, y)));
  const Doubles highProduct =
      hn::Mul(hn::PromoteTo(doubles, hn::UpperHalf(half, x)), hn::PromoteTo(doubles, hn::UpperHalf(half, y)));
  const Doubles lowTerm = hn::PromoteTo(doubles, hn::LowerHalf(half, z));
  const Doubles highTerm = hn::PromoteTo(doubles, hn::UpperHalf(half, z));
  const Doubles low = hn::Add(lowProduct, lowTerm);
  const Doubles high = hn::Add(highProduct, highTerm);
  const Vector twice = hn::Combine(floats, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
  // A second rounding errs only where the first ended halfway between two floats: at a one and 28 zeros, or,
  // where floats are subnormal, at a one further up. Both are rare.
  const auto endings = hn::ConcatEven(words, hn::BitCast(words, high), hn::BitCast(words, low));
  const auto halfway = hn::Eq(hn::ShiftLeft<3>(endings), hn::Set(words, 0x80000000u));
  const auto subnormal = hn::Le(hn::Abs(twice), hn::Set(floats, std::numeric_limits<float>::min()));
  if (HWY_LIKELY(hn::AllFalse(words, hn::Or(halfway, hn::RebindMask(words, subnormal))))) return twice;
  return hn::Combine(floats, hn::DemoteTo(half, addToOdd(doubles, highProduct, highTerm)),
                     hn::DemoteTo(half, addToOdd(doubles, lowProduct, lowTerm)));
}
#endif

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

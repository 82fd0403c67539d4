// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"
#include "gpu/core/math/everywhere.hpp"

#include <cstddef>
#include <cstdint>

namespace lloyd {

/// Places along a Hilbert curve through a box: points that are near one another on the curve are near one
/// another in space, with none of the leaps of a Morton curve, so that any run of them has a small box. Along
/// a line they are the values themselves, in ascending order.
struct HilbertCurve {
  double low[Box::most] = {};
  double inverse[Box::most] = {}; ///< 0 for a dimension without extent

  /// Bits of a place along each axis, so that all of them fit one word.
  LLOYD_EVERYWHERE static constexpr unsigned bitsPerAxis(unsigned d) { return d == 3 ? 21 : 32; }
};

[[nodiscard]] inline HilbertCurve hilbertCurveOf(const Box& box, int d) {
  HilbertCurve curve;
  const auto cells =
      static_cast<double>((std::uint64_t{1} << HilbertCurve::bitsPerAxis(static_cast<unsigned>(d))) - 1);
  for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
    const double extent = static_cast<double>(box.high[j]) - static_cast<double>(box.low[j]);
    curve.low[j] = static_cast<double>(box.low[j]);
    if (extent > 0) curve.inverse[j] = cells / extent;
  }
  return curve;
}

/// Coordinates -> the bits of a place along the curve, every D-th of them in each word. This is J. Skilling's
/// way, "Programming the Hilbert curve", AIP Conference Proceedings 707 (2004): exclusive ors and exchanges
/// of low bits, from the highest bit down, then a Gray code.
template <unsigned D>
LLOYD_EVERYWHERE inline void toHilbert(std::uint32_t (&axis)[D]) {
  constexpr unsigned bits = HilbertCurve::bitsPerAxis(D);
  for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (unsigned j = 0; j < D; ++j) {
      if ((axis[j] & bit) != 0) {
        axis[0] ^= below;
      } else {
        const std::uint32_t exchanged = (axis[0] ^ axis[j]) & below;
        axis[0] ^= exchanged;
        axis[j] ^= exchanged;
      }
    }
  }
  for (unsigned j = 1; j < D; ++j)
    axis[j] ^= axis[j - 1];
  std::uint32_t turned = 0;
  for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1)
    if ((axis[D - 1] & bit) != 0) turned ^= bit - 1;
  for (unsigned j = 0; j < D; ++j)
    axis[j] ^= turned;
}

/// The bits of a float as an integer that is larger where the float is.
LLOYD_EVERYWHERE inline std::uint32_t ascendingBits(float x) {
#ifdef __CUDA_ARCH__
  const std::uint32_t bits = __float_as_uint(x);
#else
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
#endif
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

/// How far along the curve a point of its box lies, for D = 1, 2 or 3.
template <unsigned D>
LLOYD_EVERYWHERE inline std::uint64_t hilbertPlace([[maybe_unused]] const HilbertCurve& curve,
                                                   const float (&x)[D]) {
  if constexpr (D == 1) {
    return ascendingBits(x[0]);
  } else {
    constexpr unsigned bits = HilbertCurve::bitsPerAxis(D);
    std::uint32_t axis[D];
    for (unsigned j = 0; j < D; ++j)
      axis[j] = static_cast<std::uint32_t>((static_cast<double>(x[j]) - curve.low[j]) * curve.inverse[j]);
    toHilbert<D>(axis);
    std::uint64_t place = 0;
    for (unsigned bit = bits; bit-- > 0;)
      for (unsigned j = 0; j < D; ++j)
        place = place << 1 | (axis[j] >> bit & 1u);
    return place;
  }
}

} // namespace lloyd

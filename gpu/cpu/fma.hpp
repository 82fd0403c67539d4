// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Scalar code that must round like a fused multiply-add. Without the processor's instruction fmaf is a
// library call about twenty times slower, so such code is compiled twice and the processor is asked once.

#if defined(__x86_64__) && !defined(__FMA__)
#define LLOYD_FMA_CLONE __attribute__((target("fma")))
#else
#define LLOYD_FMA_CLONE
#endif

namespace lloyd {

inline bool processorHasFma() {
#if defined(__x86_64__) && !defined(__FMA__)
  static const bool has = __builtin_cpu_supports("fma") != 0;
  return has;
#else
  return false; // the plain build has the instruction already, or there is none to choose
#endif
}

/// flatten pulls function and all it calls into the clone, where fmaf becomes one instruction.
template <auto function, class... Args>
LLOYD_FMA_CLONE __attribute__((flatten)) auto callWithFma(const Args&... args) {
  return function(args...);
}

/// function(args...), in the faster of its two builds; both give the same bits.
template <auto function, class... Args>
auto callFused(const Args&... args) {
  return processorHasFma() ? callWithFma<function>(args...) : function(args...);
}

} // namespace lloyd

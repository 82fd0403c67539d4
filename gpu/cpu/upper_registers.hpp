// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// Code compiled for any x86-64 processor becomes up to forty times slower where the upper halves of the
/// vector registers are in use: each of its instructions then merges into them. A thread inherits them from
/// the one that started it, and a window's libraries leave them so. Whoever runs long plain code clears them
/// first; what plain code itself keeps in registers is not touched.
inline void clearUpperRegisters() {
#if defined(__x86_64__) && !defined(__AVX__)
  static const bool has = __builtin_cpu_supports("avx") != 0;
  if (has) asm volatile("vzeroupper");
#endif
}

} // namespace lloyd

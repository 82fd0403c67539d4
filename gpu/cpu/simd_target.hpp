// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Included before any of Highway's headers: which instruction sets its code is compiled for. Sets with
// vectors of unknown size are left out because our loops keep vectors in arrays. A distance is a chain of
// fused multiply-adds; sets without that instruction (SSSE3, SSE4) make it of doubles (exact_fma-inl.hpp).
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Marks a function that host code and kernels share, so that both compute the same bits.
#ifdef __CUDACC__
#define LLOYD_EVERYWHERE __host__ __device__
#else
#define LLOYD_EVERYWHERE
#endif

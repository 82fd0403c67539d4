// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/point_source.hpp"

#include <atomic>
#include <cstddef>

namespace lloyd {

/// Copies all points of 1 to 3 dimensions so that each piece of them is near together: they are put in the
/// order of the cells that a Hilbert curve passes, of which there are 2^16, and points in one cell keep their
/// own order. Coordinate j of the point at place p is written to to[p / rows * values + j * rows + p % rows],
/// where rows and values are those of a piece; the last piece may have fewer points. On the host's threads;
/// reads the source twice. Throws Cancelled.
void copyAlongCurve(const PointSource& source, std::size_t rows, std::size_t values, float* to,
                    const std::atomic<bool>* cancel);

} // namespace lloyd

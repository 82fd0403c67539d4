// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"

#include <array>
#include <span>

/// The way of fused.v2 from a point to its label, on the host: its own functions, called one by one.
namespace lloyd::test {

/// By which of the ways through a cell's candidates a point got its label.
enum class Route { one, two, listed, all };
inline constexpr unsigned routeCount = 4;

struct CellLabel {
  unsigned label = 0;
  Route route = Route::one;
  unsigned candidates = 0;          ///< of the cell, k where all are asked
  std::size_t cell = 0;             ///< less than cells
  std::size_t cells = 0;            ///< of the table
  std::array<float, 3> deviation{}; ///< from the centroid of the label
};

/// Cells for each unit of length along each axis.
[[nodiscard]] std::array<float, 3> cellDensity(const Box& box, int d, unsigned perAxis);

/// The most cells along an axis that fused.v2 ever takes.
[[nodiscard]] unsigned mostPerAxis(int d);

/// Finds the candidates of the point's cell, and the label among them. centroids is [k][d], d = 1, 2, 3 is
/// the length of x.
[[nodiscard]] CellLabel labelByCell(const Box& box, unsigned perAxis, std::span<const float> centroids,
                                    std::span<const float> x);

} // namespace lloyd::test

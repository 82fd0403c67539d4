// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/kernels/fused/fused_cell_label.hpp"

#include "gpu/kernels/fused/cells.hpp"

#include <algorithm>
#include <vector>

namespace lloyd::test {
namespace {

using namespace fused;

/// One entry of an array, whichever is asked for.
template <class T>
struct Always {
  T value;
  T operator[](std::size_t) const { return value; }
};

template <unsigned D>
CellLabel labelIn(const Cells& cells, std::span<const float> centroids, std::span<const float> point) {
  const auto k = static_cast<unsigned>(centroids.size() / D);
  float x[D];
  std::copy_n(point.begin(), D, x);
  std::vector<float> values(k);
  std::vector<float2> pairs(k);
  for (std::size_t c = 0; c < k; ++c) {
    values[c] = centroids[c * D + D - 1];
    if constexpr (D > 1) pairs[c] = make_float2(centroids[c * D], centroids[c * D + 1]);
  }
  const Centers<D, const float*, const float2*> centers{values.data(), pairs.data()};

  CellLabel found;
  found.cells = cellCount(cells.perAxis, static_cast<int>(D));
  const unsigned cell = cellOf<D>(cells, x);
  found.cell = cell;
  const Candidates candidates = candidatesOf<D>(cells, cell, centroids, k);
  float deviation[D];
  if (labelOfOne<D>(centers, candidates.entry, x, found.label, deviation)) {
    found.candidates = 1;
  } else if (labelOfTwo<D>(centers, candidates.entry, x, found.label, deviation)) {
    found.route = Route::two;
    found.candidates = 2;
  } else {
    const auto listed = static_cast<unsigned>(candidates.list >> 56);
    found.route = listed == askAll ? Route::all : Route::listed;
    found.candidates = listed == askAll ? k : listed + 2;
    labelOfMany<D>(centers, Always<Entry>{candidates.entry}, Always<List>{candidates.list}, k, cell, x,
                   found.label, deviation);
  }
  std::copy_n(deviation, D, found.deviation.begin());
  return found;
}

} // namespace

std::array<float, 3> cellDensity(const Box& box, int d, unsigned perAxis) {
  const Cells cells = cellsOf(box, d, perAxis);
  return {cells.inverse[0], cells.inverse[1], cells.inverse[2]};
}

unsigned mostPerAxis(int d) { return cellsPerAxis(d, std::size_t{1} << 20); }

CellLabel labelByCell(const Box& box, unsigned perAxis, std::span<const float> centroids,
                      std::span<const float> x) {
  const Cells cells = cellsOf(box, static_cast<int>(x.size()), perAxis);
  if (x.size() == 1) return labelIn<1>(cells, centroids, x);
  if (x.size() == 2) return labelIn<2>(cells, centroids, x);
  return labelIn<3>(cells, centroids, x);
}

} // namespace lloyd::test

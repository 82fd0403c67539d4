// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/curve_order.hpp"

#include "gpu/core/tiles/hilbert.hpp"
#include "gpu/cpu/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr unsigned cellBits = 16;
constexpr std::size_t cells = std::size_t{1} << cellBits;
constexpr std::size_t mostChunks = 64; ///< each has counts of its own
constexpr std::size_t pieceRows = std::size_t{1} << 14;

/// Along a line the places of a curve are the bits of floats, which would leave most cells empty.
template <unsigned D>
std::size_t cellOf(const HilbertCurve& curve, const float (&x)[D]) {
  if constexpr (D == 1)
    return static_cast<std::uint32_t>((static_cast<double>(x[0]) - curve.low[0]) * curve.inverse[0]) >>
           (32 - cellBits);
  else
    return static_cast<std::size_t>(hilbertPlace<D>(curve, x) >>
                                    (D * HilbertCurve::bitsPerAxis(D) - cellBits));
}

/// Calls visit(cell, coordinates) for each point from begin to end - 1, in their order.
template <unsigned D>
void forEach(const PointSource& source, std::size_t begin, std::size_t end, const LaunchContext& context,
             const auto& visit) {
  const HilbertCurve curve = hilbertCurveOf(source.box(), static_cast<int>(D));
  std::vector<float> rows(pieceRows * D);
  for (std::size_t first = begin; first < end; first += pieceRows) {
    throwIfCancelled(context);
    const std::size_t count = std::min(pieceRows, end - first);
    source.read(first, count, rows.data(), pieceRows);
    for (std::size_t i = 0; i < count; ++i) {
      float x[D];
      for (unsigned j = 0; j < D; ++j)
        x[j] = rows[j * pieceRows + i];
      visit(cellOf<D>(curve, x), x);
    }
  }
}

template <unsigned D>
void copy(const PointSource& source, std::size_t rows, std::size_t values, float* to,
          const LaunchContext& context) {
  const std::size_t n = source.size();
  const Chunks chunks{n, std::max((n + mostChunks - 1) / mostChunks, pieceRows)};
  std::vector<std::uint32_t> next(chunks.count() * cells); // counts first, then places
  forChunks(chunks, context, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* const counts = next.data() + chunk * cells;
    forEach<D>(source, begin, end, context, [&](std::size_t cell, const float(&)[D]) { ++counts[cell]; });
  });
  std::uint32_t place = 0;
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk)
      place += std::exchange(next[chunk * cells + cell], place);
  forChunks(chunks, context, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    std::uint32_t* const places = next.data() + chunk * cells;
    forEach<D>(source, begin, end, context, [&](std::size_t cell, const float(&x)[D]) {
      const std::size_t p = places[cell]++;
      float* const piece = to + p / rows * values + p % rows;
      for (unsigned j = 0; j < D; ++j)
        piece[j * rows] = x[j];
    });
  });
}

} // namespace

void copyAlongCurve(const PointSource& source, std::size_t rows, std::size_t values, float* to,
                    const std::atomic<bool>* cancel) {
  if (source.size() == 0) return;
  const LaunchContext context(nullptr, cancel);
  if (source.dimensions() == 1) copy<1>(source, rows, values, to, context);
  if (source.dimensions() == 2) copy<2>(source, rows, values, to, context);
  if (source.dimensions() == 3) copy<3>(source, rows, values, to, context);
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// How cpu.v2 and cpu.v3 label one block of points, in one thread. Highway compiles this file once for every
// instruction set, which is why it has a guard of its own kind and no #pragma once.
#if defined(LLOYD_SIMD_LABELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LLOYD_SIMD_LABELS_INL
#undef LLOYD_SIMD_LABELS_INL
#else
#define LLOYD_SIMD_LABELS_INL
#endif

#include "gpu/core/contract/device.hpp"
#include "gpu/cpu/exact_fma-inl.hpp"
#include "gpu/cpu/fma.hpp"
#include "gpu/cpu/work_tally.hpp"
#include "gpu/kernels/dispatch.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of points are padded to 32 values, so a last vector of 16 may read past the points, never past the
// row.
using Floats = hn::CappedTag<float, 16>;
using Labels = hn::RebindToSigned<Floats>;
using FloatVector = hn::Vec<Floats>;
using LabelVector = hn::Vec<Labels>;

/// Vectors of points that share one load of a centroid; more would not fit the registers.
inline constexpr int unrolled = HWY_TARGET == HWY_AVX3 ? 4 : 2;

/// x * x + sum with one rounding.
HWY_INLINE FloatVector addProduct(Floats floats, FloatVector x, FloatVector sum) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return HWY_NAMESPACE::exactFma(floats, x, x, sum);
#elif HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
  // The portable target multiplies and adds in two roundings.
  HWY_ALIGN float factors[16];
  HWY_ALIGN float sums[16];
  hn::Store(x, floats, factors);
  hn::Store(sum, floats, sums);
  for (std::size_t lane = 0; lane < hn::Lanes(floats); ++lane)
    sums[lane] = lloyd::exactFma(factors[lane], factors[lane], sums[lane]);
  return hn::Load(floats, sums);
#else
  (void)floats;
  return hn::MulAdd(x, x, sum);
#endif
}

/// The nearest centroids of V vectors of points from begin on. D is the dimension, or 0 for one known at run
/// time.
template <int D, int V>
HWY_INLINE void nearest(const ClassifyArgs& args, std::size_t begin, LabelVector (&found)[V]) {
  const Floats floats;
  const Labels labels;
  const std::size_t lanes = hn::Lanes(floats);
  const std::size_t d = D > 0 ? D : static_cast<std::size_t>(args.problem.d);
  const float* points = args.points.data + begin;

  constexpr int kept = std::max(D, 1); // coordinates in registers
  FloatVector x[kept][V];
  if constexpr (D > 0)
    for (std::size_t j = 0; j < d; ++j)
      for (int v = 0; v < V; ++v)
        x[j][v] = hn::LoadU(floats, points + j * args.points.stride + lanes * static_cast<std::size_t>(v));

  FloatVector best[V];
  for (int v = 0; v < V; ++v) {
    best[v] = hn::Set(floats, std::numeric_limits<float>::infinity());
    found[v] = hn::Zero(labels);
  }
  LabelVector cluster = hn::Zero(labels);
  const LabelVector one = hn::Set(labels, 1);
  const float* centroid = args.centroids;
  for (int k = 0; k < args.problem.k; ++k, centroid += d) {
    FloatVector distance[V];
    for (int v = 0; v < V; ++v)
      distance[v] = hn::Zero(floats);
    for (std::size_t j = 0; j < d; ++j) {
      const FloatVector c = hn::Set(floats, centroid[j]);
      for (int v = 0; v < V; ++v) {
        FloatVector coordinate;
        if constexpr (D > 0)
          coordinate = x[j][v];
        else
          coordinate =
              hn::LoadU(floats, points + j * args.points.stride + lanes * static_cast<std::size_t>(v));
        const FloatVector difference = hn::Sub(coordinate, c);
        // A product added to nothing rounds as the product alone does.
        distance[v] = j == 0 ? hn::Mul(difference, difference) : addProduct(floats, difference, distance[v]);
      }
    }
    for (int v = 0; v < V; ++v) {
      const auto nearer = hn::Lt(distance[v], best[v]);
      best[v] = hn::IfThenElse(nearer, distance[v], best[v]);
      found[v] = hn::IfThenElse(hn::RebindMask(labels, nearer), cluster, found[v]);
    }
    cluster = hn::Add(cluster, one);
  }
}

/// Labels V whole vectors of points; returns how many labels are new.
template <int D, int V>
HWY_INLINE std::size_t labelVectors(const ClassifyArgs& args, std::size_t begin) {
  const Labels labels;
  LabelVector found[V];
  nearest<D, V>(args, begin, found);
  std::size_t changed = 0;
  for (int v = 0; v < V; ++v) {
    const std::size_t at = begin + hn::Lanes(labels) * static_cast<std::size_t>(v);
    const auto same = hn::Eq(found[v], hn::LoadU(labels, args.oldLabels + at));
    changed += hn::Lanes(labels) - hn::CountTrue(labels, same);
    hn::StoreU(found[v], labels, args.labels + at);
  }
  return changed;
}

template <int D>
std::size_t classifyBlockOf(const ClassifyArgs& args, std::size_t begin, std::size_t end) {
  const std::size_t lanes = hn::Lanes(Labels());
  std::size_t changed = 0;
  std::size_t vectors = 0;
  std::size_t i = begin;
  for (; i + unrolled * lanes <= end; i += unrolled * lanes, vectors += unrolled)
    changed += labelVectors<D, unrolled>(args, i);
  for (; i + lanes <= end; i += lanes, ++vectors)
    changed += labelVectors<D, 1>(args, i);
  if (i < end) { // labels have no padding: the rest goes through a vector of its own
    ++vectors;
    LabelVector found[1];
    nearest<D, 1>(args, i, found);
    HWY_ALIGN Label last[16] = {};
    hn::Store(found[0], Labels(), last);
    for (std::size_t lane = 0; i < end; ++lane, ++i) {
      changed += last[lane] != args.oldLabels[i] ? 1 : 0;
      args.labels[i] = last[lane];
    }
  }
  WorkWatch::add(&WorkTally::vectors, vectors);
  return changed;
}

/// Classifies points begin .. end - 1; returns how many labels are new.
inline std::size_t classifyBlock(const ClassifyArgs& args, std::size_t begin, std::size_t end) {
  std::size_t changed = 0;
  const auto classifyAs = [&](auto d) { changed = classifyBlockOf<d>(args, begin, end); };
  dispatch(classifyAs, oneOf<0, 1, 2, 3>(args.problem.d <= 3 ? args.problem.d : 0));
  return changed;
}

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

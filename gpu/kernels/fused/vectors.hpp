// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Points and labels four at a time: a coordinate of four points is one load of 16 bytes, their labels are one
// store of 4 or 8. The last few points, where N is not a multiple of four, go one by one.
#include "gpu/kernels/kernel.hpp"

namespace lloyd::fused {

inline constexpr unsigned perVector = 4;

/// The words that four labels are stored in.
template <class Stored>
inline constexpr unsigned wordsPerVector = sizeof(Stored) * perVector / sizeof(unsigned);

/// Coordinates of the points 4 v ... 4 v + 3, all of them there; stride counts vectors.
template <unsigned D, class Vectors>
LLOYD_DEVICE void loadVector(const Vectors& vectors, std::size_t stride, std::size_t v,
                             float (&x)[perVector][D]) {
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    const float4 four = vectors[j * stride + v];
    x[0][j] = four.x;
    x[1][j] = four.y;
    x[2][j] = four.z;
    x[3][j] = four.w;
  }
}

/// The same with their old labels; stride counts points.
template <unsigned D, class Stored, class Vectors, class OldWords>
LLOYD_DEVICE void loadVector(const Vectors& vectors, std::size_t stride, const OldWords& oldWords,
                             std::size_t v, float (&x)[perVector][D],
                             unsigned (&old)[wordsPerVector<Stored>]) {
  loadVector<D>(vectors, stride / perVector, v, x);
  LLOYD_UNROLL
  for (unsigned w = 0; w < wordsPerVector<Stored>; ++w)
    old[w] = oldWords[v * wordsPerVector<Stored> + w];
}

/// The coordinates where only the first here of the points are there; the others are at missing.
template <unsigned D, class Points>
LLOYD_DEVICE void loadSome(const Points& points, std::size_t stride, std::size_t v, unsigned here,
                           const float (&missing)[3], float (&x)[perVector][D]) {
  LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m)
    LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    float value = missing[j];
    if (m < here) value = points[j * stride + v * perVector + m];
    x[m][j] = value;
  }
}

/// Stores the labels of a whole vector and returns how many of them are new. A point whose bit is set in keep
/// keeps its old label.
template <class Stored, class Words>
LLOYD_DEVICE unsigned storeVector(const Words& words, std::size_t v, const unsigned (&label)[perVector],
                                  const unsigned (&old)[wordsPerVector<Stored>], unsigned keep) {
  constexpr unsigned bits = 8 * sizeof(Stored);
  constexpr unsigned inWord = 32 / bits;
  constexpr unsigned mask = (1u << bits) - 1u;
  unsigned changed = 0;
  LLOYD_UNROLL
  for (unsigned w = 0; w < wordsPerVector<Stored>; ++w) {
    unsigned word = 0;
    LLOYD_UNROLL
    for (unsigned m = 0; m < inWord; ++m)
      word |= label[w * inWord + m] << (m * bits);
    if ((keep & ((1u << perVector) - 1u)) != 0) {
      LLOYD_UNROLL
      for (unsigned m = 0; m < inWord; ++m)
        if ((keep >> (w * inWord + m) & 1u) != 0)
          word = (word & ~(mask << (m * bits))) | (old[w] & (mask << (m * bits)));
    }
    words[v * wordsPerVector<Stored> + w] = word;
    const unsigned different = word ^ old[w];
    if (different == 0) continue;
    LLOYD_UNROLL
    for (unsigned m = 0; m < inWord; ++m)
      if ((different >> (m * bits) & mask) != 0) ++changed;
  }
  return changed;
}

/// The same where only the first here of its points are there.
template <class Stored, class Labels, class OldLabels>
LLOYD_DEVICE unsigned storeSome(const Labels& labels, const OldLabels& oldLabels, std::size_t v,
                                unsigned here, const unsigned (&label)[perVector]) {
  unsigned changed = 0;
  LLOYD_UNROLL
  for (unsigned m = 0; m < perVector; ++m) {
    if (m >= here) continue;
    const std::size_t i = v * perVector + m;
    const Stored before = oldLabels[i];
    if (before != label[m]) ++changed;
    labels[i] = static_cast<Stored>(label[m]);
  }
  return changed;
}

/// How many of vector v's points are there.
LLOYD_DEVICE unsigned pointsOfVector(std::size_t v, std::size_t n) {
  const std::size_t begin = v * perVector;
  if (begin >= n) return 0;
  return n - begin < perVector ? static_cast<unsigned>(n - begin) : perVector;
}

} // namespace lloyd::fused

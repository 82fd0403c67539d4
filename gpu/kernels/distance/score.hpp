// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Nearest centroids by a matrix product, and how far such a product may be trusted.
//
// The squared distance of x and c is |x|^2 - 2 x.c + |c|^2, and |x|^2 is the same for all clusters, so that
// the nearest centroid has the greatest score s(c) = x.c - |c|^2 / 2. Computed so, digits cancel, and labels
// would be others than those of the chain
//
//   t = 0;  t = fma(x_j - c_j, x_j - c_j, t)  for j = 0 ... D - 1
//
// whose least value, at the lowest index that has it, is the label everywhere in this program. So a score
// only says which clusters cannot be it.
//
// Proof. u = 2^-24. X and C are the point and a centroid, shifted by a common point, exact; x and c are those
// rounded to float; y and e are what the product is given, which is x and c, or those rounded once more. The
// bounds take the greatest |c| and |c - e| of all clusters.
//
// 1. Rounding once more changes the product by at most R = |x - y| |c| + |x| |c - e| + |x - y| |c - e|, which
//    is computed from the differences themselves. It is 0 where y is x.
// 2. Rounding the shifted values changes the product by at most (2 u + u^2) |x| |c|. h, half the squared
//    norm of c, is off by at most (D / 32 + 12) u |c|^2 / 2: a square passes four multiply-adds, seven sums
//    of eight warps and one for each 32 coordinates. No partial sum of -h and the D products is greater than
//    B = |c|^2 / 2 + |x| |c| (and what R adds), and adding them is off by at most A u B to first order, in
//    any order: A = D + 8 where each addition rounds. Tensor cores add eight or sixteen products to a sum at
//    once, cut off what they shift out of each, and then cut off what does not fit: ten times 2 u B for
//    eight products, A = 20 ceil(D / 8), or eighteen times for sixteen, A = 36 ceil(D / 16). Where an index
//    is written over the last w binary digits of a score, it changes by less than 2^w units of its last
//    digit, 2^(w + 1) u B. So the computed score S is within E = R + (A + D / 32 + 15 + 2^(w + 1)) u B of s,
//    because |c|^2 / 2 and |x| |c| are no greater than B.
// 3. All terms of a chain are positive, so it is within r = (D + 2) u of the squared distance T, relatively.
// 4. Let b have the greatest S, and let c be another. T(c) - T(b) = 2 (s(b) - s(c)) >= 2 (S(b) - S(c)) - 4 E.
//    The chain of c is greater than that of b if T(c) (1 - r) > T(b) (1 + r), and that holds if
//    T(c) - T(b) > 2 r T(b) / (1 - r). T(b) <= |x|^2 - 2 S(b) + 2 E. So c is not the label if
//
//      S(b) - S(c) > M,  M = 1.02 (2 E + r (max(|x|^2 - 2 S(b), 0) + 2 E)) + tiny.
//
//    1.02 covers what is left out above and the rounding of the norms, of R and of M themselves, as long as
//    D u is below 0.001. tiny, (D + 1) 2^-126, covers products and squares that are denormal, and norms of
//    which the squares are.
// 5. Nothing overflows while |x|^2 + |c|^2 < 10^37. Each norm has a root of its own, because products of two
//    squared norms vanish for coordinates around 10^-12. Where no |c|^2 reaches 10^-26, the squares of what
//    rounding took away may vanish by themselves. There, and beyond 10^37, M is infinite.
//
// A cluster whose score is not below S(b) - M is a candidate. Where there are several, the chains decide.
#include "gpu/kernels/kernel.hpp"

#include <cmath>

namespace lloyd {

/// Clusters are padded to whole tiles. What is not there has a norm that no score survives.
constexpr unsigned scoreTile = 128;
[[nodiscard]] constexpr std::size_t paddedClusters(int k) {
  return (static_cast<std::size_t>(k) + scoreTile - 1) / scoreTile * scoreTile;
}
constexpr int mostScoreDimensions = 16384; ///< D u below 0.001
constexpr std::size_t mostFactors = std::size_t{1} << 31;

/// Coordinates, too: what is not there is 0.
constexpr unsigned factorTile = 32;
[[nodiscard]] constexpr std::size_t paddedCoordinates(int d) {
  return (static_cast<std::size_t>(d) + factorTile - 1) / factorTile * factorTile;
}

/// What a launch keeps in its scratch memory, each at its offset in words of four bytes.
struct ScorePlaces {
  std::size_t shift = 0;    ///< [coordinates / 2] pairs: the point that all is shifted by
  std::size_t half = 0;     ///< [clusters] half the squared norms
  std::size_t greatest = 0; ///< [2] the greatest squared norm, and that of what rounding once more took away
  std::size_t parts = 0;    ///< [coordinates / 32][clusters] pairs: both of 32 coordinates
  std::size_t factors =
      0; ///< [coordinates / 2][clusters] pairs: the shifted centroids, as the product takes them
  std::size_t listed = 0; ///< [n] points whose candidates are too many to keep
  std::size_t inList = 0; ///< [1] how many those are
  std::size_t nobody = 0; ///< [1] takes the number of points in doubt where nobody asks for it
  std::size_t scale = 0;  ///< [1] what the factors are multiplied by beforehand
  std::size_t words = 0;
};
/// k: clusters, padded.
[[nodiscard]] constexpr ScorePlaces scorePlaces(const Problem& problem, std::size_t k) {
  const std::size_t d = paddedCoordinates(problem.d);
  ScorePlaces places;
  const auto take = [&places](std::size_t words) {
    const std::size_t at = places.words;
    places.words += (words + 31) / 32 * 32;
    return at;
  };
  places.shift = take(d);
  places.half = take(k);
  places.greatest = take(2);
  places.parts = take(2 * k * (d / factorTile));
  places.factors = take(k * d);
  places.listed = take(problem.n);
  places.inList = take(1);
  places.nobody = take(1);
  places.scale = take(1);
  return places;
}
[[nodiscard]] inline WorkBytes scoreBytes(const Problem& problem, const Tuning&) {
  return {.scratch = scorePlaces(problem, paddedClusters(problem.k)).words * sizeof(float)};
}
[[nodiscard]] inline Reason scoreLimit(const Variant& variant, const Problem& problem, const DeviceInfo&,
                                       const Tuning&) {
  if (problem.d < 2)
    return variant.id() + " compares by products, which need 2 dimensions or more: classify.v7 takes one";
  if (paddedClusters(problem.k) * paddedCoordinates(problem.d) > mostFactors)
    return variant.id() +
           " numbers the centroids' coordinates by 32 bits, and these are more: distance.v5 takes any";
  if (problem.d <= mostScoreDimensions) return std::nullopt;
  return variant.id() + " bounds its rounding for up to " + std::to_string(mostScoreDimensions) +
         " dimensions, the data has " + std::to_string(problem.d) + ": distance.v5 takes any";
}

/// The scratch memory of a launch.
class ScoreMemory {
public:
  /// k: clusters, padded.
  ScoreMemory(const ClassifyArgs& args, std::size_t k)
      : places_(scorePlaces(args.problem, k)), floats_(reinterpret_cast<float*>(args.work.scratch)),
        asked_(args.rechecked) {}

  [[nodiscard]] float* shift() const { return floats_ + places_.shift; }
  [[nodiscard]] float2* shiftPairs() const { return pair(places_.shift); }
  [[nodiscard]] float* scale() const { return floats_ + places_.scale; }
  [[nodiscard]] float* half() const { return floats_ + places_.half; }
  [[nodiscard]] unsigned* greatest() const { return number(places_.greatest); }
  [[nodiscard]] float2* parts() const { return pair(places_.parts); }
  [[nodiscard]] float2* factors() const { return pair(places_.factors); }
  [[nodiscard]] unsigned* listed() const { return number(places_.listed); }
  [[nodiscard]] unsigned* inList() const { return number(places_.inList); }
  /// Added to: how many points were in doubt.
  [[nodiscard]] unsigned* rechecked() const { return asked_ ? asked_ : number(places_.nobody); }

private:
  [[nodiscard]] float2* pair(std::size_t place) const { return reinterpret_cast<float2*>(floats_ + place); }
  [[nodiscard]] unsigned* number(std::size_t place) const {
    return reinterpret_cast<unsigned*>(floats_ + place);
  }

  ScorePlaces places_;
  float* floats_;
  std::uint32_t* asked_;
};

/// Of the first centroids the mean is the point that all is shifted by: near the points, and every block
/// finds the same without waiting for another.
constexpr unsigned shiftedBy = 16;
constexpr unsigned prepareWarps = 8;

/// A warp takes 32 clusters. greatest: bits of floats, 0 on entry; not a number is the greatest.
LLOYD_KERNEL prepare_norms(LLOYD_GLOBAL(const float2) parts, LLOYD_GLOBAL(const float) scale,
                           LLOYD_GLOBAL(float) half, LLOYD_GLOBAL(unsigned) greatest,
                           LLOYD_GLOBAL(unsigned) inList, LLOYD_GLOBAL(unsigned) rechecked, unsigned rows,
                           unsigned k, unsigned padded, unsigned asked) {
  const unsigned c = blockIdx.x * 32 + threadIdx.x;
  if (c == 0) {
    inList[0] = 0;
    if (asked == 0) rechecked[0] = 0;
  }
  float norm = 0;
  float loss = 0;
  for (unsigned r = 0; r < rows; ++r) {
    const float2 part = parts[r * padded + c];
    norm += part.x;
    loss += part.y;
  }
  // What is not there has a score below all others, that is a number even when its last digits are others.
  const float by = scale[0];
  half[c] = c < k ? norm / 2 * by * by : 3e38f;
  unsigned greatestNorm = __float_as_uint(norm);
  unsigned greatestLoss = __float_as_uint(loss);
  for (int apart = 16; apart > 0; apart /= 2) {
    const unsigned otherNorm = __shfl_xor_sync(0xffffffffu, greatestNorm, apart);
    const unsigned otherLoss = __shfl_xor_sync(0xffffffffu, greatestLoss, apart);
    greatestNorm = otherNorm > greatestNorm ? otherNorm : greatestNorm;
    greatestLoss = otherLoss > greatestLoss ? otherLoss : greatestLoss;
  }
  if (threadIdx.x != 0) return;
  atomicMax(&greatest[0], greatestNorm);
  atomicMax(&greatest[1], greatestLoss);
}

/// What is to be known of the centroids' norms, once prepare_factors or prepare_halves has their parts.
static void prepareNorms(const ClassifyArgs& args, LaunchContext& context, const ScoreMemory& memory,
                         std::size_t padded) {
  const std::size_t rows = paddedCoordinates(args.problem.d) / factorTile;
  const float2* const parts = memory.parts();
  const float* const scale = memory.scale();
  launchKernel(context, {padded / 32, 32}, prepare_norms, global(parts, rows * padded), global(scale, 1),
               global(memory.half(), padded), global(memory.greatest(), 2), global(memory.inList(), 1),
               global(memory.rechecked(), 1), rows, args.problem.k, padded, args.rechecked ? 1 : 0);
}

/// A of the proof above, in sums of sixteen products by tensor cores.
LLOYD_DEVICE unsigned cutBySixteens(unsigned d) { return 36 * ((d + 15) / 16); }

/// M of the proof above. added: A; written: 2^(w + 1). norm and loss: |x|^2 and |x - y|^2; others and
/// otherLoss: the greatest |c|^2 and |c - e|^2; best: S(b).
LLOYD_DEVICE float scoreMargin(unsigned d, unsigned added, unsigned written, float norm, float loss,
                               float others, float otherLoss, float best) {
  if (!(norm + others < 1e37f && others >= 1e-26f)) return INFINITY;
  const float x = sqrtf(norm);
  const float lostOfX = sqrtf(loss);
  const float c = sqrtf(others);
  const float lostOfC = sqrtf(otherLoss);
  const float rounding = lostOfX * c + x * lostOfC + lostOfX * lostOfC;
  const float sums = others / 2 + x * c;
  const float error = rounding + static_cast<float>(added + d / 32 + 15 + written) * 0x1p-24f * sums;
  const float chains = static_cast<float>(d + 2) * 0x1p-24f;
  const float squared = norm - 2 * best;
  return 1.02f * (2 * error + chains * ((squared > 0 ? squared : 0) + 2 * error)) +
         static_cast<float>(d + 1) * 0x1p-126f;
}

/// The chain of a point and a centroid.
LLOYD_DEVICE float chainOf(auto points, std::size_t stride, auto centroids, std::size_t i, unsigned c,
                           unsigned d) {
  float distance = 0;
  LLOYD_UNROLL_BY(16) // whose loads are under way together
  for (unsigned j = 0; j < d; ++j) {
    const float x = points[j * stride + i];
    const float center = centroids[static_cast<std::size_t>(c) * d + j];
    distance = addSquare(distance, x, center);
  }
  return distance;
}

/// The nearest of what the lanes of a warp have found, of equally near ones that of the lowest index; all
/// lanes get it.
LLOYD_DEVICE void nearestOfWarp(float& nearest, Label& label) {
  for (unsigned apart = 16; apart > 0; apart /= 2) {
    const float distance = __shfl_xor_sync(0xffffffffu, nearest, static_cast<int>(apart));
    const Label other = __shfl_xor_sync(0xffffffffu, label, static_cast<int>(apart));
    if (distance < nearest || (distance == nearest && other < label)) {
      nearest = distance;
      label = other;
    }
  }
}

/// Writes the label of the thread's point, or lists the point. All threads of the block call it; slots has
/// room for one number. The points' order in the list is that of blocks as they come, and means nothing.
LLOYD_DEVICE void keepOrList(bool isPoint, std::size_t i, bool known, Label label, auto oldLabels,
                             auto labels, auto changed, auto listed, auto inList, auto slots) {
  const int unknown = __syncthreads_count(isPoint && !known);
  if (threadIdx.x == 0) {
    unsigned from = 0;
    if (unknown > 0) from = atomicAdd(&inList[0], static_cast<unsigned>(unknown));
    slots[0] = from;
  }
  __syncthreads();
  bool isNew = false;
  if (isPoint && known) {
    const Label oldLabel = oldLabels[i];
    labels[i] = label;
    isNew = label != oldLabel;
  }
  if (isPoint && !known) listed[atomicAdd(&slots[0], 1u)] = static_cast<unsigned>(i);
  const int count = __syncthreads_count(isNew);
  if (threadIdx.x == 0 && count > 0) atomicAdd(&changed[0], static_cast<unsigned>(count));
}

} // namespace lloyd

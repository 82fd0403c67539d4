// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v6, product: V5 on scores. The greatest x.c - |c|^2 / 2 has the nearest centroid, and one
// multiply-add a term is all that it takes, where a squared difference takes a subtraction too.
//
// A score has lost digits that a distance has. The bound in score.hpp says how many: a point whose two best
// scores are farther apart than that has its label, and of the others, few as they are, the distances are
// computed as everywhere else. So labels are the same to the last one. Points and centroids are shifted by a
// common point beforehand, because the bound grows with their norms.
//
// Against V5, too: coordinates lie in shared memory two by two, and a load brings both. What it costs: two
// small kernels before, that shift the centroids and find their norms, and one behind. What to look at: the
// time beside V5's, and the share of points in doubt. This is ours.
#include "gpu/kernels/distance/doubts.hpp"
#include "gpu/kernels/distance/score.hpp"

namespace lloyd {
namespace {

constexpr unsigned side = 16;             // threads along either edge of a tile
constexpr unsigned each = 8;              // points, and clusters, of a thread
constexpr unsigned width = side * each;   // points, and clusters, of a tile
constexpr unsigned depth = 16;            // coordinates of a tile
constexpr unsigned pairs = depth / 2;     // of coordinates
constexpr unsigned threads = side * side; // of a block
constexpr unsigned pitch = width + side;  // of results, so that two rows of threads meet in no bank
static_assert(width == scoreTile && factorTile % depth == 0);

/// The best of several scores: the greatest, the second, and whose the greatest is.
struct BestScore {
  float best = -INFINITY;
  float second = -INFINITY;
  Label label = 0;
};
/// What is not a number is passed over: the margin is infinite where there could be one.
LLOYD_DEVICE void takeScore(BestScore& of, float score, Label label) {
  of.second = fmaxf(of.second, fminf(of.best, score));
  if (score > of.best) of.label = label;
  of.best = fmaxf(of.best, score);
}

LLOYD_KERNEL_UP_TO(512)
distance_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float),
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            LLOYD_GLOBAL(const float2) shift, LLOYD_GLOBAL(const float2) factors,
            LLOYD_GLOBAL(const float) half, LLOYD_GLOBAL(const float) largest, LLOYD_GLOBAL(const float),
            LLOYD_GLOBAL(unsigned) listed, LLOYD_GLOBAL(unsigned) inList, LLOYD_GLOBAL(unsigned),
            std::size_t n, unsigned d, unsigned padded) {
  if (n == 0) return;
  LLOYD_SHARED(float2, pointTile, pairs * width);  // [pair of coordinates][point]
  LLOYD_SHARED(float2, factorTile, pairs * width); // [pair of coordinates][cluster]
  LLOYD_SHARED(float, bestOf, side* pitch);        // [row of threads][point]
  LLOYD_SHARED(float, secondOf, side* pitch);
  LLOYD_SHARED(Label, labelOf, side * pitch);
  LLOYD_SHARED(unsigned, slots, 1);
  const unsigned tx = threadIdx.x % side;
  const unsigned ty = threadIdx.x / side;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * width;
  // The point that this thread loads, and half of its norm: the other half is that of another thread.
  const unsigned own = threadIdx.x % width;
  const unsigned ownPair = threadIdx.x / width;
  const std::size_t i = first + own < n ? first + own : n - 1;
  float norm = 0;
  BestScore found[each];

  for (unsigned firstCluster = 0; firstCluster < padded; firstCluster += width) {
    float score[each][each]; // [cluster][point]
    LLOYD_UNROLL
    for (unsigned c = 0; c < each; ++c) {
      const float start = half[firstCluster + c * side + ty];
      LLOYD_UNROLL
      for (unsigned p = 0; p < each; ++p)
        score[c][p] = -start;
    }

    for (unsigned firstRow = 0; firstRow < d; firstRow += depth) {
      __syncthreads();
      LLOYD_UNROLL
      for (unsigned part = 0; part < pairs * width / threads; ++part) {
        const unsigned q = part * (threads / width) + ownPair;
        const unsigned j = firstRow + 2 * q;
        // Coordinates that are not there are 0 on both sides and add nothing.
        float2 x = make_float2(0, 0);
        const float2 origin = shift[j / 2];
        if (j < d) {
          const float value = points[j * stride + i];
          x.x = value - origin.x;
        }
        if (j + 1 < d) {
          const float value = points[(j + 1) * stride + i];
          x.y = value - origin.y;
        }
        const float2 factor = factors[j / 2 * padded + firstCluster + own];
        pointTile[q * width + own] = x;
        factorTile[q * width + own] = factor;
        if (firstCluster > 0) continue;
        norm = fmaf(x.x, x.x, norm);
        norm = fmaf(x.y, x.y, norm);
      }
      __syncthreads();
      LLOYD_UNROLL_BY(4)
      for (unsigned q = 0; q < pairs; ++q) {
        float2 x[each];
        LLOYD_UNROLL
        for (unsigned p = 0; p < each; ++p) {
          const float2 pair = pointTile[q * width + p * side + tx];
          x[p] = pair;
        }
        LLOYD_UNROLL
        for (unsigned c = 0; c < each; ++c) {
          const float2 factor = factorTile[q * width + c * side + ty];
          LLOYD_UNROLL
          for (unsigned p = 0; p < each; ++p) {
            score[c][p] = fmaf(x[p].x, factor.x, score[c][p]);
            score[c][p] = fmaf(x[p].y, factor.y, score[c][p]);
          }
        }
      }
    }

    LLOYD_UNROLL
    for (unsigned c = 0; c < each; ++c) {
      LLOYD_UNROLL
      for (unsigned p = 0; p < each; ++p)
        takeScore(found[p], score[c][p], static_cast<Label>(firstCluster + c * side + ty));
    }
  }

  __syncthreads();
  if (ownPair != 0) pointTile[own] = make_float2(norm, 0);
  LLOYD_UNROLL
  for (unsigned p = 0; p < each; ++p) {
    bestOf[ty * pitch + p * side + tx] = found[p].best;
    secondOf[ty * pitch + p * side + tx] = found[p].second;
    labelOf[ty * pitch + p * side + tx] = found[p].label;
  }
  __syncthreads();
  const float others = greatestOf(largest, padded / 32);
  BestScore all;
  bool sure = false;
  if (ownPair == 0) {
    for (unsigned r = 0; r < side; ++r) {
      const float best = bestOf[r * pitch + own];
      const float second = secondOf[r * pitch + own];
      const Label label = labelOf[r * pitch + own];
      takeScore(all, best, label);
      all.second = fmaxf(all.second, second);
    }
    const float2 rest = pointTile[own];
    sure = all.second < all.best - scoreMargin(d, 1, norm + rest.x, 0, others, 0, all.best);
  }
  keepOrList(ownPair == 0 && first + own < n, first + own, sure, all.label, oldLabels, labels, changed,
             listed, inList, slots);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  prepareScores<false>(args, context);
  launchScores(args, context, width, threads, distance_v6);
  settleDoubts(args, context);
}

} // namespace

LLOYD_REGISTER(
    distance_v6,
    {.family = "distance",
     .tag = "v6",
     .name = "product",
     .idea = "Scores by one multiply-add a term; where two are too close to tell, distances decide.",
     .changed = Changed::points,
     .canRun = scoreLimit,
     .workBytes = scoreBytes},
    {.classify = launch})

} // namespace lloyd

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
#include "gpu/kernels/distance/only_cluster.hpp"
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

/// A block takes 32 clusters and 32 coordinates: it reads along the centroids, turns the tile over, and
/// writes along the clusters.
LLOYD_KERNEL prepare_factors(LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(float2) shift,
                             LLOYD_GLOBAL(float) scale, LLOYD_GLOBAL(unsigned) greatest,
                             LLOYD_GLOBAL(float2) parts, LLOYD_GLOBAL(float2) factors, unsigned d, unsigned k,
                             unsigned padded) {
  constexpr unsigned free = factorTile + 1; // a word is free behind each cluster
  LLOYD_SHARED(float, tile, 32 * free);     // [cluster][coordinate]
  LLOYD_SHARED(float, means, factorTile);
  LLOYD_SHARED(float2, sums, 32 * prepareWarps);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned firstCluster = blockIdx.x % (padded / 32) * 32;
  const unsigned rows = blockIdx.x / (padded / 32); // of 32 coordinates
  const unsigned j = rows * factorTile + lane;
  const unsigned few = k < shiftedBy ? k : shiftedBy;
  float mean = 0;
  for (unsigned other = 0; other < few && j < d; ++other) {
    const float value = centroids[static_cast<std::size_t>(other) * d + j];
    mean += value / static_cast<float>(few);
  }
  if (warp == 0) means[lane] = mean;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    scale[0] = 1;
    greatest[0] = 0;
    greatest[1] = 0;
  }
  for (unsigned c = warp; c < 32; c += prepareWarps) {
    float value = 0;
    if (firstCluster + c < k && j < d) {
      value = centroids[static_cast<std::size_t>(firstCluster + c) * d + j];
      value -= mean;
    }
    tile[c * free + lane] = value;
  }
  __syncthreads();
  float2 sum = make_float2(0, 0);
  for (unsigned q = warp; q < factorTile / 2; q += prepareWarps) {
    float2 factor;
    factor.x = tile[lane * free + 2 * q];
    factor.y = tile[lane * free + 2 * q + 1];
    sum.x = fmaf(factor.x, factor.x, sum.x);
    sum.x = fmaf(factor.y, factor.y, sum.x);
    factors[(rows * (factorTile / 2) + q) * padded + firstCluster + lane] = factor;
  }
  sums[warp * 32 + lane] = sum;
  __syncthreads();
  if (warp != 0) return;
  for (unsigned w = 1; w < prepareWarps; ++w) {
    const float2 other = sums[w * 32 + lane];
    sum.x += other.x;
    sum.y += other.y;
  }
  parts[rows * padded + firstCluster + lane] = sum;
  if (firstCluster > 0 || lane >= factorTile / 2) return;
  float2 pair;
  pair.x = means[2 * lane];
  pair.y = means[2 * lane + 1];
  shift[rows * (factorTile / 2) + lane] = pair;
}

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
distance_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const Label) oldLabels,
            LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(const float2) shift,
            LLOYD_GLOBAL(const float2) factors, LLOYD_GLOBAL(const float) half,
            LLOYD_GLOBAL(const unsigned) greatest, LLOYD_GLOBAL(unsigned) listed,
            LLOYD_GLOBAL(unsigned) inList, std::size_t n, unsigned d, unsigned padded) {
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
  const float others = __uint_as_float(greatest[0]);
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
    sure = all.second < all.best - scoreMargin(d, d + 8, 0, norm + rest.x, 0, others, 0, all.best);
  }
  keepOrList(ownPair == 0 && first + own < n, first + own, sure, all.label, oldLabels, labels, changed,
             listed, inList, slots);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  if (problem.k == 1) return labelOnlyCluster(args, context);
  const std::size_t padded = paddedClusters(problem.k);
  const ScoreMemory memory(args, padded);
  const std::size_t d = paddedCoordinates(problem.d);
  const std::size_t rows = d / factorTile;
  launchKernel(context, {padded / 32 * rows, static_cast<int>(32 * prepareWarps)}, prepare_factors,
               global(args.centroids, problem.centroidValues()), global(memory.shiftPairs(), d / 2),
               global(memory.scale(), 1), global(memory.greatest(), 2), global(memory.parts(), rows * padded),
               global(memory.factors(), d / 2 * padded), problem.d, problem.k, padded);
  prepareNorms(args, context, memory, padded);
  const float2* const shift = memory.shiftPairs();
  const float2* const factors = memory.factors();
  const float* const half = memory.half();
  const unsigned* const greatest = memory.greatest();
  launchKernel(context, {blocksFor(problem.n, width), static_cast<int>(threads)}, distance_v6,
               global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
               global(args.oldLabels, problem.n), global(args.labels, problem.n), global(args.changed, 1),
               global(shift, d / 2), global(factors, d / 2 * padded), global(half, padded),
               global(greatest, 2), global(memory.listed(), problem.n), global(memory.inList(), 1), problem.n,
               problem.d, padded);
  settleDoubts(args, context, memory);
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

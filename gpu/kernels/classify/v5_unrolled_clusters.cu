// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v5, unrolled clusters: the loop over clusters takes `unroll` of them a turn, the outer loop rolled
// and the inner one unrolled, and the usual numbers of clusters (8, 10 and 16) are template parameters, any
// other is read at run time. Against V4: fewer comparisons and jumps that only count, and when K is known no
// question whether a last group is full.
//
// What it costs: a kernel for every K, and more instructions in each. The paper found 2 the best, and finds
// that this version, with 2, balances arithmetic and loads less well than V4 though it is faster. What to
// look at: time against `unroll`; K = 16 against K = 17; requests to shared memory, of which the card does
// fewer than the source asks for, because neighbouring centroids are read by one wide load. The change count
// is of threads, as in V4. Against the paper: a K that is no multiple of `unroll` is served, every point's
// index is checked against N, the arrays hold `items` x D values, and the search starts at +infinity with
// label 0. Ours, as in V4: clusters outside, points inside.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

/// K = 0: the number of clusters is clusters, else it is K.
template <unsigned D, unsigned Items, unsigned K, unsigned Unroll, unsigned How>
LLOYD_KERNEL_UP_TO(mostClassifyThreads(D, Items))
classify_v5(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned clusters) {
  const unsigned k = K > 0 ? K : clusters;
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, (k + Unroll - 1) / Unroll * Unroll * D);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Label oldLabel[Items];
  float x[Items][D];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = first + m * threads;
    oldLabel[m] = 0;
    if (i < n) oldLabel[m] = oldLabels[i];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      float value = 0;
      if (i < n) value = points[j * stride + i];
      x[m][j] = value;
    }
  }
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centroid[v] = centroids[v];
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  float nearest[Items];
  Label label[Items];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    nearest[m] = INFINITY;
    label[m] = 0;
  }
  LLOYD_ROLLED
  for (unsigned group = 0; group < k; group += Unroll) {
    LLOYD_UNROLL
    for (unsigned u = 0; u < Unroll; ++u) {
      const unsigned c = group + u;
      const bool surelyThere = u == 0 || (K > 0 && K % Unroll == 0);
      if (!surelyThere && c >= k) continue;
      float center[D];
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        center[j] = centroid[c * D + j];
      LLOYD_UNROLL
      for (unsigned m = 0; m < Items; ++m) {
        float distance = 0;
        LLOYD_UNROLL
        for (unsigned j = 0; j < D; ++j) {
          distance = addSquareAs<How>(distance, x[m][j], center[j]);
        }
        if (distance < nearest[m]) {
          nearest[m] = distance;
          label[m] = static_cast<Label>(c);
        }
      }
    }
  }

  bool anyChanged = false;
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = first + m * threads;
    if (i >= n) continue;
    labels[i] = label[m];
    anyChanged = anyChanged || label[m] != oldLabel[m];
  }
  if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d, auto items, auto unroll, auto how) {
    if constexpr (isCompiled<d, how>) {
      dispatchClusters<how>(args.problem.k, [&](auto k) {
        launchClassify(args, context, centroidBytes(args.problem, args.tuning),
                       classify_v5<d, items, k, unroll, how>, args.problem.k);
      });
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8>(args.tuning.items),
           oneOf<1, 2, 4>(args.tuning.unroll), oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(
    classify_v5,
    {.family = "classify",
     .tag = "v5",
     .name = "unrolled clusters",
     .idea = "The loop over clusters takes two at a time, and the usual numbers of them are compiled in.",
     .publishedUs = 30.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 4 points a thread, unrolled by 2",
     .paper = "Classification article",
     .changed = Changed::threads,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128},
                    {"items", {1, 2, 4, 8}, 4},
                    {"unroll", {1, 2, 4}, 2},
                    {"arithmetic", {0, 1, 2}, 0}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

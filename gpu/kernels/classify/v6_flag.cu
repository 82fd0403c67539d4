// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v6, plain flag: whoever sees a change stores 1 to a word of shared memory, and one thread of the
// block stores 1 to global memory. All store the same value, so no order is needed and no atomic. Against V5:
// two stores in the place of two atomics, all else is left as it was.
//
// What it costs: knowing how many. "Changed" is a flag, enough to stop an iteration and too little for a
// curve. What to look at: atomics, none, and races in which all store the same value, which are no fault; the
// time, which hardly moves, because atomics that few threads reach cost little. In the paper too nothing was
// won. Against the paper: as printed it also moves the unrolled part from the inner to the outer loop over
// clusters, a second change that would blur the first; here the loop stays as it is in V5. Ours, as in V4:
// clusters outside, points inside.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

/// K = 0: the number of clusters is clusters, else it is K.
template <unsigned D, unsigned Items, unsigned K, unsigned Unroll, unsigned How>
LLOYD_KERNEL_UP_TO(mostClassifyThreads(D, Items))
classify_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
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
  if (anyChanged) blockChanged[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned flag = blockChanged[0];
    if (flag > 0) changed[0] = 1;
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d, auto items, auto unroll, auto how) {
    if constexpr (isCompiled<d, how>) {
      dispatchClusters<how>(args.problem.k, [&](auto k) {
        launchClassify(args, context, centroidBytes(args.problem, args.tuning),
                       classify_v6<d, items, k, unroll, how>, args.problem.k);
      });
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8>(args.tuning.items),
           oneOf<1, 2, 4>(args.tuning.unroll), oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(
    classify_v6,
    {.family = "classify",
     .tag = "v6",
     .name = "plain flag",
     .idea =
         "A thread that sees a change stores 1 to a flag; changes are not counted, so no atomic is needed.",
     .publishedUs = 30.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 4 points a thread; no gain over V5",
     .paper = "Classification article",
     .changed = Changed::flag,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256},
                    {"items", {1, 2, 4, 8}, 4},
                    {"unroll", {1, 2, 4}, 2},
                    {"arithmetic", {0, 1, 2}, 0}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v7, multiply: the end of the papers' ladder. Dimensions, points a thread and the usual numbers of
// clusters are template parameters, so coordinates stay in registers; a thread takes several points, a whole
// grid apart, and reads each centroid once for all of them; old labels are asked for before the barrier, so
// they arrive during the distances; clusters go by in groups, the outer loop rolled and the inner one
// unrolled; "something changed" is a plain store of 1, no atomic. Against V6: a square is one multiplication
// instead of pow(x, 2), and there is no switch for it.
//
// What it costs: registers, 3 + D values for every point of a thread, and fewer threads in flight to hide a
// wait. What to look at: registers and occupancy against `items`, and no local memory at all. Against the
// paper: every point's index is checked against N, a last cluster without partner is not forgotten, the
// arrays hold `items` x D values, and the search starts at +infinity. The paper names this kernel but does
// not print it; its shape is inferred from V6. Ours, as in V4: clusters outside, points inside.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

/// K = 0: the number of clusters is clusters, else it is K.
template <unsigned D, unsigned Items, unsigned K, unsigned Unroll>
LLOYD_KERNEL_UP_TO(mostClassifyThreads(D, Items))
classify_v7(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
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
        for (unsigned j = 0; j < D; ++j)
          distance = addSquare(distance, x[m][j], center[j]);
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
  const auto launchAs = [&](auto d, auto items, auto unroll) {
    dispatchClusters<0>(args.problem.k, [&](auto k) {
      launchClassify(args, context, centroidBytes(args.problem, args.tuning),
                     classify_v7<d, items, k, unroll>, args.problem.k);
    });
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8, 16>(args.tuning.items),
           oneOf<1, 2, 4>(args.tuning.unroll));
}

} // namespace

LLOYD_REGISTER(
    classify_v7,
    {.family = "classify",
     .tag = "v7",
     .name = "multiply",
     .idea = "Squares are products, no longer pow(x, 2); the shape is V6's: registers, unrolling, a flag.",
     .paper = "Scheduling article",
     .changed = Changed::flag,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256},
                    {"items", {1, 2, 4, 8, 16}, 4},
                    {"unroll", {1, 2, 4}, 2}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

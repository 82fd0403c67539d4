// SPDX-License-Identifier: GPL-3.0-or-later
// classify.outside, points outside: V4 with its two loops in the order of the paper's V4. A thread takes one
// of its `items` points after the other, and goes through all clusters for each; all its loads were under way
// before, as in V4.
//
// Against V4: a centroid is read from shared memory for every point again, so requests to it are V3's. The
// two changes of V4 can so be told apart: several points a thread, and the loops turned over, which is ours.
// What to look at: requests to shared memory, and time, beside V3 and V4. Against the paper: as V4.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

template <unsigned D, unsigned Items, unsigned How>
LLOYD_KERNEL_UP_TO(mostClassifyThreads(D, Items))
classify_outside(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
                 LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                 LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
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

  Label label[Items];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    float nearest = INFINITY;
    label[m] = 0;
    LLOYD_ROLLED
    for (unsigned c = 0; c < k; ++c) {
      float distance = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j) {
        const float center = centroid[c * D + j];
        distance = addSquareAs<How>(distance, x[m][j], center);
      }
      if (distance < nearest) {
        nearest = distance;
        label[m] = static_cast<Label>(c);
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
  const auto launchAs = [&](auto d, auto items, auto how) {
    if constexpr (isCompiled<d, how>) {
      launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_outside<d, items, how>,
                     args.problem.k);
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8>(args.tuning.items),
           oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(classify_outside,
               {.family = "classify",
                .tag = "outside",
                .name = "points outside",
                .idea = "A thread takes several points, a grid apart, and goes through all clusters for one "
                        "after the other.",
                .paper = "Classification article",
                .changed = Changed::threads,
                .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128},
                               {"items", {1, 2, 4, 8}, 4},
                               {"arithmetic", {0, 1, 2}, 0}},
                .canRun = templateLimit},
               {.classify = launch})

} // namespace lloyd

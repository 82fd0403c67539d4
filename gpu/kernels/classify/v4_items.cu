// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v4, several points: a thread takes `items` points, a whole grid apart, so that neighbouring
// threads still read neighbouring values. All their loads are under way before the first is needed, and a
// centroid is read from shared memory once for all of them. Against V3: a grid `items` times as small, and
// the same work in it.
//
// What it costs: registers, 3 + D values for every point of a thread, and fewer threads in flight to hide a
// wait. What to look at: registers, occupancy and time against `items` (more occupancy is not more speed),
// and requests to shared memory, a quarter of V3's. The change count is now of threads that saw a change, at
// most `items` times smaller than V3's. Against the paper: every point's index is checked against N, the
// arrays hold `items` x D values and not `items` alone, and the search starts at +infinity with label 0.
// Ours: clusters are the outer loop and points the inner one; the paper has them the other way, which
// classify.outside shows.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

template <unsigned D, unsigned Items, unsigned How>
LLOYD_KERNEL_UP_TO(mostClassifyThreads(D, Items))
classify_v4(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned k) {
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

  float nearest[Items];
  Label label[Items];
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    nearest[m] = INFINITY;
    label[m] = 0;
  }
  LLOYD_ROLLED
  for (unsigned c = 0; c < k; ++c) {
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
      launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_v4<d, items, how>,
                     args.problem.k);
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8>(args.tuning.items),
           oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(
    classify_v4,
    {.family = "classify",
     .tag = "v4",
     .name = "several points",
     .idea = "A thread takes several points, a grid apart, and reads each centroid once for all of them.",
     .publishedUs = 36.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 4 points a thread",
     .paper = "Classification article",
     .changed = Changed::threads,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128},
                    {"items", {1, 2, 4, 8}, 4},
                    {"arithmetic", {0, 1, 2}, 0}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

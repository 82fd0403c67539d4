// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v3, templates for D: how many dimensions there are is known to the compiler, which writes one
// kernel for each of D = 1, 2 and 3. Loops over coordinates are unrolled, so that every index is a constant
// and the coordinates live in registers. Against V2: no local memory, no counting and no jumps between
// coordinates.
//
// What it costs: a kernel for every D, and other numbers of dimensions are refused. What to look at: local
// memory (0, and above 0 in V2), registers, the time against V2. classify.aos is this kernel on points that
// lie in memory as records. Against the paper: as in V1, the point's index is checked against N, and the
// search starts at +infinity with label 0.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

template <unsigned D, unsigned How>
LLOYD_KERNEL classify_v3(LLOYD_GLOBAL(const float) points, std::size_t stride,
                         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
                         LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed, std::size_t n,
                         unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Label oldLabel = 0;
  if (i < n) oldLabel = oldLabels[i];
  float x[D];
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    float value = 0;
    if (i < n) value = points[j * stride + i];
    x[j] = value;
  }
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centroid[v] = centroids[v];
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  float nearest = INFINITY;
  Label label = 0;
  LLOYD_ROLLED
  for (unsigned c = 0; c < k; ++c) {
    float distance = 0;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      const float center = centroid[c * D + j];
      distance = addSquareAs<How>(distance, x[j], center);
    }
    if (distance < nearest) {
      nearest = distance;
      label = static_cast<Label>(c);
    }
  }

  bool anyChanged = false;
  if (i < n) {
    labels[i] = label;
    anyChanged = label != oldLabel;
  }
  if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d, auto how) {
    if constexpr (isCompiled<d, how>) {
      launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_v3<d, how>,
                     args.problem.k);
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(
    classify_v3,
    {.family = "classify",
     .tag = "v3",
     .name = "templates for D",
     .idea = "The number of dimensions is a template parameter, so that coordinates live in registers.",
     .publishedUs = 45.0,
     .publishedIn = "N = 2^20, D = 1, K = 16",
     .paper = "Classification article",
     .changed = Changed::points,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}, {"arithmetic", {0, 1, 2}, 0}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

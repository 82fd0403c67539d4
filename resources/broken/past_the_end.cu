// SPDX-License-Identifier: GPL-3.0-or-later
// Find the bug: a kernel that writes on other people's memory.
//
// Each thread labels one point, as in classify.v3. With 2^20 points nothing is wrong. With 1000 points
// another array changes, or the driver stops the program. Count the threads and the points.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

template <unsigned D>
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
      distance = addSquare(distance, x[j], center);
    }
    if (distance < nearest) {
      nearest = distance;
      label = static_cast<Label>(c);
    }
  }

  bool anyChanged = false;
  labels[i] = label;
  anyChanged = label != oldLabel;
  if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const auto launchAs = [&](auto d) {
    launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_v3<d>, args.problem.k);
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d));
}

} // namespace

LLOYD_REGISTER(
    classify_v3,
    {.family = "classify",
     .tag = "v3",
     .name = "templates for D",
     .idea = "The number of dimensions is a template parameter, so that coordinates live in registers.",
     .paper = "Classification article",
     .changed = Changed::points,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

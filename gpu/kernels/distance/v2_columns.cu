// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v2, columns: the same loop as V1 over points that lie as rows of coordinates. A thread walks down
// a column, and in one step of the walk the lanes of a warp are side by side: four sectors a request, however
// large D is.
//
// Against V1: nothing but where a coordinate lies. What to look at: sectors a load request, 4 instead of 32,
// and the time. Each multiply-add still has two loads of its own, from the point and from the centroid.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

LLOYD_KERNEL distance_v2(LLOYD_GLOBAL(const float) points, std::size_t stride,
                         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
                         LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed, std::size_t n,
                         unsigned d, unsigned k) {
  LLOYD_SHARED(unsigned, blockChanged, 1);
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    float nearest = INFINITY;
    Label label = 0;
    for (unsigned c = 0; c < k; ++c) {
      float distance = 0;
      LLOYD_ROLLED
      for (unsigned j = 0; j < d; ++j) {
        const float x = points[j * stride + i];
        const float center = centroids[static_cast<std::size_t>(c) * d + j];
        distance = addSquare(distance, x, center);
      }
      if (distance < nearest) {
        nearest = distance;
        label = static_cast<Label>(c);
      }
    }
    const Label oldLabel = oldLabels[i];
    labels[i] = label;
    if (label != oldLabel) atomicAdd(&blockChanged[0], 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  launchClassify(args, context, 0, distance_v2, args.problem.d, args.problem.k);
}

} // namespace

LLOYD_REGISTER(distance_v2,
               {.family = "distance",
                .tag = "v2",
                .name = "columns",
                .idea = "The loop of V1 over rows of coordinates, so that lanes read side by side.",
                .paper = "Coalescing note",
                .changed = Changed::points,
                .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256}}},
               {.classify = launch})

} // namespace lloyd

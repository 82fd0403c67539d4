// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v1, rows: one thread takes one point, and points lie in memory as records, so that a thread walks
// along a row. In one step of the walk the lanes of a warp are D values apart.
//
// It is the product of the points' matrix and the centroids' written the simplest way, and the access that
// the Coalescing note calls not coalesced. Every centroid is read from global memory, by all lanes at once,
// and the point again for each of them. What to look at: sectors a load request; with D of 8 or more each
// lane has a sector of its own. The caches repair what they can, so the time is less bad than the count.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

LLOYD_KERNEL distance_v1(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float) centroids,
                         LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                         LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned d, unsigned k) {
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
        const float x = points[i * d + j];
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
  const Problem& problem = args.problem;
  launchKernel(context, shapeOf(problem, args.tuning, 0), distance_v1,
               global(args.points.data, problem.pointValues()),
               global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
               global(args.labels, problem.n), global(args.changed, 1), problem.n, problem.d, problem.k);
}

} // namespace

LLOYD_REGISTER(distance_v1,
               {.family = "distance",
                .tag = "v1",
                .name = "rows",
                .idea = "A thread walks along its point's record, so that lanes read D values apart.",
                .paper = "Coalescing note",
                .changed = Changed::points,
                .layout = Layout::aos,
                .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256}}},
               {.classify = launch})

} // namespace lloyd

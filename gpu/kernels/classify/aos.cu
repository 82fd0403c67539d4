// SPDX-License-Identifier: GPL-3.0-or-later
// classify.aos, records: V3 on points that lie in memory as an array of structures, x, y, z of one point and
// then those of the next, the way one would declare them in C++. Thread i reads element i * D + j, so
// neighbouring threads read D values apart.
//
// What it costs: a request of a warp for one coordinate is spread over D times as many sectors of 32 bytes as
// it needs, 12 instead of 4 for D = 3, and each of the D requests touches all of them again. The first one
// brings them to the cache and the others may find them there, so time tells less than the counters do. What
// to look at: sectors a load request beside V3's; only the requests for points differ. With D = 1 the two
// layouts are the same. The paper walks along rows and columns of a matrix product; points as records, and
// the counts of sectors, are ours.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

template <unsigned D, unsigned How>
LLOYD_KERNEL classify_aos(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float) centroids,
                          LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                          LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Label oldLabel = 0;
  if (i < n) oldLabel = oldLabels[i];
  float x[D];
  LLOYD_UNROLL
  for (unsigned j = 0; j < D; ++j) {
    float value = 0;
    if (i < n) value = points[i * D + j];
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
  const Problem& problem = args.problem;
  const LaunchShape shape = shapeOf(problem, args.tuning, centroidBytes(problem, args.tuning));
  const auto launchAs = [&](auto d, auto how) {
    if constexpr (isCompiled<d, how>) {
      launchKernel(context, shape, classify_aos<d, how>, global(args.points.data, problem.pointValues()),
                   global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
                   global(args.labels, problem.n), global(args.changed, 1), problem.n, problem.k);
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(problem.d), oneOf<0, 1, 2>(args.tuning.arithmetic));
}

} // namespace

LLOYD_REGISTER(
    classify_aos,
    {.family = "classify",
     .tag = "aos",
     .name = "array of structures",
     .idea = "V3 on points stored as records, so that a warp's loads are spread over D times the sectors.",
     .paper = "Coalescing note",
     .changed = Changed::points,
     .layout = Layout::aos,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}, {"arithmetic", {0, 1, 2}, 0}},
     .canRun = templateLimit},
    {.classify = launch})

} // namespace lloyd

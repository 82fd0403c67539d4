// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v1, run-time loops: the way one writes it first. One thread takes one point, copies its
// coordinates to an array and compares them with every centroid; how many dimensions there are is known only
// while it runs.
//
// What it costs: an array indexed at run time cannot live in registers, so every coordinate of every distance
// is a load from local memory. The old label is asked for last, when no work is left that could hide the wait
// for it. And with `arithmetic=pow` every square is a call of pow(), in double precision where g++ is nvcc's
// host compiler, which hides all else: switch it and see. What to look at: local memory in the resources
// (above 0), and the time of block 1024 against block 128. Loops are marked as rolled because a compiler
// unrolls short ones unasked, which is the idea of V3 and V5. Against the paper: the point's index is checked
// against N, and the search starts at +infinity, so that far points have a nearest centroid too (in the
// paper's V1 to V3 they get label 0). Ours: the point is asked for before the barrier, and a block adds to
// the global count only when something changed.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr unsigned maximumDimensions = 64;

template <unsigned How>
LLOYD_KERNEL classify_v1(LLOYD_GLOBAL(const float) points, std::size_t stride,
                         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
                         LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed, std::size_t n,
                         unsigned d, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* d);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float x[maximumDimensions];
  LLOYD_ROLLED
  for (unsigned j = 0; j < d; ++j) {
    float value = 0;
    if (i < n) value = points[j * stride + i];
    x[j] = value;
  }
  for (unsigned v = threadIdx.x; v < k * d; v += blockDim.x)
    centroid[v] = centroids[v];
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  float nearest = INFINITY;
  Label label = 0;
  LLOYD_ROLLED
  for (unsigned c = 0; c < k; ++c) {
    float distance = 0;
    LLOYD_ROLLED
    for (unsigned j = 0; j < d; ++j) {
      const float center = centroid[c * d + j];
      distance = addSquareAs<How>(distance, x[j], center);
    }
    if (distance < nearest) {
      nearest = distance;
      label = static_cast<Label>(c);
    }
  }

  bool anyChanged = false;
  if (i < n) {
    const Label oldLabel = oldLabels[i];
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
  const auto launchAs = [&](auto how) {
    launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_v1<how>, args.problem.d,
                   args.problem.k);
  };
  dispatch(launchAs, oneOf<0, 1, 2>(args.tuning.arithmetic));
}

Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
              const Tuning& tuning) {
  return arrayLimit(variant, problem, device, tuning, maximumDimensions);
}

} // namespace

LLOYD_REGISTER(
    classify_v1,
    {.family = "classify",
     .tag = "v1",
     .name = "run-time loops",
     .idea = "One thread a point, loops whose lengths are known only at run time, the old label read last.",
     .publishedUs = 243.0,
     .publishedIn =
         "N = 2^20, D = 1, K = 16, block 1024; 170 µs with an 8 times larger grid of smaller blocks",
     .paper = "Classification article",
     .changed = Changed::points,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}, {"arithmetic", {0, 1, 2}, 0}},
     .canRun = canRun},
    {.classify = launch})

} // namespace lloyd

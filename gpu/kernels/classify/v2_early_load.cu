// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v2, early label: the old label is asked for at the start and first used at the end, so that it
// arrives while the distances are computed. A load stops no thread until its value is needed; all that has
// changed against V1 is the line in which it stands.
//
// What it costs: one register for as long as the distances take. What to look at: the time against V1, and
// nothing else, because both ask memory for exactly the same. How much is won depends on who else could have
// worked meanwhile: the more warps a card keeps ready, the less of a wait is left to hide. Against the paper:
// as in V1, the point's index is checked against N (the label too was read past it), and the search starts at
// +infinity with label 0.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr unsigned maximumDimensions = 64;

template <unsigned How>
LLOYD_KERNEL classify_v2(LLOYD_GLOBAL(const float) points, std::size_t stride,
                         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
                         LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed, std::size_t n,
                         unsigned d, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* d);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Label oldLabel = 0;
  if (i < n) oldLabel = oldLabels[i];
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
    launchClassify(args, context, centroidBytes(args.problem, args.tuning), classify_v2<how>, args.problem.d,
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
    classify_v2,
    {.family = "classify",
     .tag = "v2",
     .name = "early label",
     .idea = "The old label is asked for before the distances are computed, which hide the wait for it.",
     .publishedUs = 118.0,
     .publishedIn = "N = 2^20, D = 1, K = 16",
     .paper = "Classification article",
     .changed = Changed::points,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128}, {"arithmetic", {0, 1, 2}, 0}},
     .canRun = canRun},
    {.classify = launch})

} // namespace lloyd

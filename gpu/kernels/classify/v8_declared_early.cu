// SPDX-License-Identifier: GPL-3.0-or-later
// classify.early, declared early: V8 with eight points a thread and loads of one float, but every variable
// declared at the top of the kernel instead of where it is first needed. The multi-level parallelism paper
// declares late, "register re-assignment", to save registers. A compiler gives a register to a value and not
// to a name: it knows where each value is needed for the last time, wherever its variable was declared.
//
// What it costs: nothing but clarity. What to look at: registers, occupancy and time beside V8 with the same
// block, 8 items and a vector of 1. Ours: the paper shows no such pair.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

constexpr unsigned items = 8;
/// As V8 has it.
constexpr unsigned mostThreads(unsigned d) { return d * items >= 16 ? 512 : 1024; }

template <unsigned D>
LLOYD_KERNEL_UP_TO(mostThreads(D))
classify_early(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float) vectors, std::size_t stride,
               LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
               LLOYD_GLOBAL(const unsigned) oldWords, LLOYD_GLOBAL(Label) labels,
               LLOYD_GLOBAL(unsigned) words, LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned k) {
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
  LLOYD_SHARED(unsigned, blockChanged, 1);
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float x[items][D];
  float nearest[items];
  unsigned label[items];
  float center[D];
  float distance = 0;
  float value = 0;
  unsigned before = 0;
  unsigned now = 0;
  Label labelBefore = 0;
  std::size_t v = 0;
  bool whole = false;
  bool anyChanged = false;
  unsigned flag = 0;

  LLOYD_UNROLL
  for (unsigned p = 0; p < items; ++p) {
    v = first + p * threads;
    whole = v + 1 <= n;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      if (whole) {
        value = vectors[j * stride + v];
      } else {
        value = 0;
        if (v < n) value = points[j * stride + v];
      }
      x[p][j] = value;
    }
  }
  for (unsigned at = threadIdx.x; at < k * D; at += blockDim.x)
    centroid[at] = centroids[at];
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  LLOYD_UNROLL
  for (unsigned p = 0; p < items; ++p) {
    nearest[p] = INFINITY;
    label[p] = 0;
  }
  LLOYD_ROLLED
  for (unsigned c = 0; c < k; ++c) {
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centroid[c * D + j];
    LLOYD_UNROLL
    for (unsigned p = 0; p < items; ++p) {
      distance = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        distance = addSquare(distance, x[p][j], center[j]);
      if (distance < nearest[p]) {
        nearest[p] = distance;
        label[p] = c;
      }
    }
  }

  LLOYD_UNROLL
  for (unsigned p = 0; p < items; ++p) {
    v = first + p * threads;
    if (v + 1 <= n) {
      before = oldWords[v];
      now = label[p];
      words[v] = now;
      anyChanged = anyChanged || before != now;
      continue;
    }
    if (v >= n) continue;
    labelBefore = oldLabels[v];
    labels[v] = static_cast<Label>(label[p]);
    anyChanged = anyChanged || labelBefore != static_cast<Label>(label[p]);
  }
  if (anyChanged) blockChanged[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    flag = blockChanged[0];
    if (flag > 0) changed[0] = 1;
  }
}

Reason limits(const Variant& variant, const Problem& problem, const DeviceInfo& device,
              const Tuning& tuning) {
  if (auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  return centroidLimit(variant, problem, device, tuning);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  Tuning tuning = args.tuning;
  tuning.items = items;
  const auto launchAs = [&](auto d) {
    launchKernel(context, shapeOf(problem, tuning, centroidBytes(problem, args.tuning)), classify_early<d>,
                 global(args.points.data, pointExtent(problem, args.points.stride)),
                 global(args.points.data, pointExtent(problem, args.points.stride)), args.points.stride,
                 global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
                 global(reinterpret_cast<const unsigned*>(args.oldLabels), problem.n),
                 global(args.labels, problem.n), global(reinterpret_cast<unsigned*>(args.labels), problem.n),
                 global(args.changed, 1), problem.n, static_cast<unsigned>(problem.k));
  };
  dispatch(launchAs, oneOf<1, 2, 3>(problem.d));
}

} // namespace

LLOYD_REGISTER(classify_early,
               {.family = "classify",
                .tag = "early",
                .name = "declared early",
                .idea = "V8 with every variable declared at the top: registers follow values, not names.",
                .paper = {},
                .changed = Changed::flag,
                .parameters = {{"block", {32, 64, 128, 256, 512}, 128}},
                .canRun = limits},
               {.classify = launch})

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
// The step from classify.v3 to classify.v4, taken apart: each of its four changes is a switch, and there is a
// kernel for every combination of them. With all switches off it is V3, with all on V4 with 4 points a
// thread, at the blocks of 128 threads that both have by themselves.
//
// What to look at: `lloydscope apart classify.v4` races all of them and shares the gain out. The other three
// switches can only gain where a thread has several points: with one, the two loops are the same whichever
// is outside, nothing is left to be loaded ahead, and no thread has two changes to report.
#include "gpu/core/contract/step.hpp"
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

enum Change : unsigned { severalPoints = 1, clustersOutside = 2, loadsAhead = 4, oneAtomic = 8 };

template <unsigned D, unsigned Switches>
LLOYD_KERNEL_UP_TO(1024)
apart_classify_v4(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
                  LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                  LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned k) {
  constexpr unsigned Items = (Switches & severalPoints) != 0 ? 4 : 1;
  constexpr unsigned Ahead = (Switches & loadsAhead) != 0 ? Items : 1; // points read before the barrier
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  Label oldLabel[Items];
  float x[Items][D];
  const auto readPoint = [&](unsigned m) {
    const std::size_t i = first + m * threads;
    oldLabel[m] = 0;
    if (i < n) oldLabel[m] = oldLabels[i];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      float value = 0;
      if (i < n) value = points[j * stride + i];
      x[m][j] = value;
    }
  };
  LLOYD_UNROLL
  for (unsigned m = 0; m < Ahead; ++m)
    readPoint(m);
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
  if constexpr ((Switches & clustersOutside) != 0) {
    LLOYD_UNROLL
    for (unsigned m = Ahead; m < Items; ++m)
      readPoint(m);
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
        for (unsigned j = 0; j < D; ++j)
          distance = addSquare(distance, x[m][j], center[j]);
        if (distance < nearest[m]) {
          nearest[m] = distance;
          label[m] = static_cast<Label>(c);
        }
      }
    }
  } else {
    LLOYD_UNROLL
    for (unsigned m = 0; m < Items; ++m) {
      if (m >= Ahead) readPoint(m);
      LLOYD_ROLLED
      for (unsigned c = 0; c < k; ++c) {
        float distance = 0;
        LLOYD_UNROLL
        for (unsigned j = 0; j < D; ++j) {
          const float center = centroid[c * D + j];
          distance = addSquare(distance, x[m][j], center);
        }
        if (distance < nearest[m]) {
          nearest[m] = distance;
          label[m] = static_cast<Label>(c);
        }
      }
    }
  }

  bool anyChanged = false;
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = first + m * threads;
    if (i >= n) continue;
    labels[i] = label[m];
    if constexpr ((Switches & oneAtomic) != 0) {
      anyChanged = anyChanged || label[m] != oldLabel[m];
    } else {
      if (label[m] != oldLabel[m]) atomicAdd(&blockChanged[0], 1u);
    }
  }
  if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
  }
}

/// The launch that the versions have by themselves, whatever is asked for.
Tuning shapeWith(unsigned switches) {
  return {.block = 128, .items = (switches & severalPoints) != 0 ? 4 : 1};
}

template <unsigned Switches>
void launch(const ClassifyArgs& given, LaunchContext& context) {
  ClassifyArgs args = given;
  args.tuning = shapeWith(Switches);
  const auto launchAs = [&](auto d) {
    launchClassify(args, context, centroidBytes(args.problem, args.tuning), apart_classify_v4<d, Switches>,
                   args.problem.k);
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d));
}

Reason limit(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  if (auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  return centroidLimit(variant, problem, device, shapeWith(0));
}

} // namespace

LLOYD_REGISTER_STEP(
    classify_v4,
    {.from = "classify.v3",
     .to = "classify.v4",
     .stage = Stage::classify,
     .switches =
         {{"4 points a thread",
           "A thread takes four points, a grid apart, and the grid is a quarter as large."},
          {"clusters outside", "The loop over clusters is the outer one, so that a thread reads a centroid "
                               "from shared memory once "
                               "for all of its points."},
          {"loads ahead",
           "All points of a thread are read before the barrier, so that their loads are under way together."},
          {"one atomic a thread",
           "A thread adds 1 when any of its labels changed, not once for each label."}},
     .changed = Changed::flag,
     .canRun = limit},
    everyCombination<4>([](auto switches) { return Launchers{.classify = launch<switches>}; }))

} // namespace lloyd

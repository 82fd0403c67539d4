// SPDX-License-Identifier: GPL-3.0-or-later
// The step from classify.v5 to classify.v6, taken apart: both of its atomics, and the block that each version
// is launched with by itself, are switches, and there is a kernel for every combination. With all switches
// off it is V5, with all on V6, with 4 points a thread and two clusters a turn.
//
// What to look at: `lloydscope apart classify.v6` races all of them and shares the gain out. The first atomic
// is reached by every thread that sees a change, the second by one thread of a block.
#include "gpu/core/contract/step.hpp"
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

enum Change : unsigned { sharedFlag = 1, globalFlag = 2, largerBlocks = 4 };

constexpr unsigned Items = 4;
constexpr unsigned Unroll = 2;

/// K = 0: the number of clusters is clusters, else it is K.
template <unsigned D, unsigned K, unsigned Switches>
LLOYD_KERNEL_UP_TO(1024)
apart_classify_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
                  LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                  LLOYD_GLOBAL(unsigned) changed, std::size_t n, unsigned clusters) {
  const unsigned k = K > 0 ? K : clusters;
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, (k + Unroll - 1) / Unroll * Unroll * D);
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
  for (unsigned group = 0; group < k; group += Unroll) {
    LLOYD_UNROLL
    for (unsigned u = 0; u < Unroll; ++u) {
      const unsigned c = group + u;
      const bool surelyThere = u == 0 || (K > 0 && K % Unroll == 0);
      if (!surelyThere && c >= k) continue;
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
  }

  bool anyChanged = false;
  LLOYD_UNROLL
  for (unsigned m = 0; m < Items; ++m) {
    const std::size_t i = first + m * threads;
    if (i >= n) continue;
    labels[i] = label[m];
    anyChanged = anyChanged || label[m] != oldLabel[m];
  }
  if constexpr ((Switches & sharedFlag) != 0) {
    if (anyChanged) blockChanged[0] = 1;
  } else {
    if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if constexpr ((Switches & globalFlag) != 0) {
      if (count > 0) changed[0] = 1;
    } else {
      if (count > 0) atomicAdd(&changed[0], count);
    }
  }
}

/// The launch that the versions have by themselves, whatever is asked for.
Tuning shapeWith(unsigned switches) {
  return {.block = (switches & largerBlocks) != 0 ? 256 : 128, .items = Items, .unroll = Unroll};
}

template <unsigned Switches>
void launch(const ClassifyArgs& given, LaunchContext& context) {
  constexpr unsigned inKernel = Switches & (sharedFlag | globalFlag); // a block is no other kernel
  ClassifyArgs args = given;
  args.tuning = shapeWith(Switches);
  const auto launchAs = [&](auto d) {
    dispatchClusters<0>(args.problem.k, [&](auto k) {
      launchClassify(args, context, centroidBytes(args.problem, args.tuning),
                     apart_classify_v6<d, k, inKernel>, args.problem.k);
    });
  };
  dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d));
}

Reason limit(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  if (auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  return centroidLimit(variant, problem, device, shapeWith(0));
}

} // namespace

LLOYD_REGISTER_STEP(
    classify_v6,
    {.from = "classify.v5",
     .to = "classify.v6",
     .stage = Stage::classify,
     .switches = {{"flag in shared memory",
                   "A thread that sees a change stores 1 to a word of shared memory, without an atomic."},
                  {"flag in global memory",
                   "One thread of a block that saw a change stores 1 to global memory, without an atomic."},
                  {"blocks of 256",
                   "A block has 256 threads and not 128: what each version was found fastest with."}},
     .changed = Changed::flag,
     .canRun = limit},
    everyCombination<3>([](auto switches) { return Launchers{.classify = launch<switches>}; }))

} // namespace lloyd

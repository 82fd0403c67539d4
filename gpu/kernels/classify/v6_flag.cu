// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v6, plain flag: whoever sees a change stores 1 to a word of shared memory, and one thread of the
// block stores 1 to global memory. All store the same value, so no order is needed and no atomic. Against V5:
// two stores in the place of two atomics, all else is left as it was.
//
// What it costs: knowing how many. "Changed" is a flag, enough to stop an iteration and too little for a
// curve. What to look at: atomics, none, and races in which all store the same value, which are no fault; the
// time, which hardly moves, because atomics that few threads reach cost little. In the paper too nothing was
// won. Against the paper: as printed it also moves the unrolled part from the inner to the outer loop over
// clusters, a second change that would blur the first; here the loop stays as it is in V5.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/kernel.hpp"
#include "gpu/kernels/limits.hpp"

#include <cmath>

namespace lloyd {
namespace {

/// A block of 1024 threads leaves each 64 registers, too few for 8 points of more than one coordinate.
constexpr unsigned mostThreads(unsigned d, unsigned items) { return d * items >= 16 ? 512 : 1024; }

/// Clusters go by in groups, and compilers load a group at once: a last one that is not full has room for the
/// clusters that it lacks.
constexpr std::size_t centroidBytes(const Problem& problem, unsigned unroll) {
  const std::size_t groups = (static_cast<std::size_t>(problem.k) + unroll - 1) / unroll;
  return groups * unroll * static_cast<std::size_t>(problem.d) * sizeof(float);
}

/// K = 0: the number of clusters is clusters, else it is K.
template <unsigned D, unsigned Items, unsigned K, unsigned Unroll, unsigned UsePow>
LLOYD_KERNEL_UP_TO(mostThreads(D, Items))
classify_v6(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            std::size_t n, unsigned clusters) {
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
        for (unsigned j = 0; j < D; ++j) {
          if (UsePow)
            distance = static_cast<float>(distance + pow(x[m][j] - center[j], 2));
          else
            distance = addSquare(distance, x[m][j], center[j]);
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
    anyChanged = anyChanged || label[m] != oldLabel[m];
  }
  if (anyChanged) blockChanged[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned flag = blockChanged[0];
    if (flag > 0) changed[0] = 1;
  }
}

/// The usual numbers of clusters. pow() takes long to compile, so with it there is a kernel for the paper's
/// own alone.
template <unsigned UsePow, class Action>
bool dispatchUsual(unsigned k, const Action& action) {
  if constexpr (UsePow) {
    return dispatch<16>(k, action);
  } else {
    return dispatch<8, 10, 16>(k, action);
  }
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto unroll = static_cast<unsigned>(args.tuning.unroll);
  const auto perBlock =
      static_cast<std::size_t>(args.tuning.block) * static_cast<std::size_t>(args.tuning.items);
  const LaunchShape shape{blocksFor(problem.n, perBlock), args.tuning.block, centroidBytes(problem, unroll)};
  const auto launchAs = [&](auto kernel) {
    launchKernel(context, shape, kernel, global(args.points.data, pointExtent(problem, args.points.stride)),
                 args.points.stride, global(args.centroids, problem.centroidValues()),
                 global(args.oldLabels, problem.n), global(args.labels, problem.n), global(args.changed, 1),
                 problem.n, problem.k);
  };
  const unsigned arithmetic = args.tuning.arithmetic == Arithmetic::pow ? 1 : 0;
  dispatch<1, 2, 3>(static_cast<unsigned>(problem.d), [&](auto d) {
    dispatch<1, 2, 4, 8>(static_cast<unsigned>(args.tuning.items), [&](auto items) {
      dispatch<1, 2, 4>(unroll, [&](auto by) {
        dispatch<0, 1>(arithmetic, [&](auto usePow) {
          const auto compiledFor = [&](auto k) {
            launchAs(classify_v6<decltype(d)::value, decltype(items)::value, decltype(k)::value,
                                 decltype(by)::value, decltype(usePow)::value>);
          };
          if (!dispatchUsual<decltype(usePow)::value>(static_cast<unsigned>(problem.k), compiledFor))
            dispatch<0>(0, compiledFor);
        });
      });
    });
  });
}

std::optional<std::string> canRun(const Problem& problem, const DeviceInfo& device, const Tuning& tuning) {
  if (const auto reason = dimensionLimit("classify.v6", "classify.general", problem, 3)) return reason;
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  if (const auto reason =
          registerLimit("classify.v6", problem, tuning.items, tuning.block, static_cast<int>(most)))
    return reason;
  return sharedLimit("classify.v6", "classify.general", "all centroids",
                     centroidBytes(problem, static_cast<unsigned>(tuning.unroll)) + staticSharedBytes,
                     device);
}

} // namespace

LLOYD_REGISTER(
    classify_v6,
    {.family = "classify",
     .tag = "v6",
     .name = "plain flag",
     .idea = "Whoever sees a change stores 1 to a flag; nobody counts, so that no atomic is needed.",
     .publishedUs = 30.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 4 points a thread; no gain over V5",
     .paper = "Classification article",
     .changed = Changed::flag,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 256},
                    {"items", {1, 2, 4, 8}, 4},
                    {"unroll", {1, 2, 4}, 2},
                    {"arithmetic", {0, 1}, 0}},
     .canRun = canRun},
    {.classify = launch})

} // namespace lloyd

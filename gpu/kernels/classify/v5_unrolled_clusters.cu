// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v5, unrolled clusters: the loop over clusters takes `unroll` of them a turn, the outer loop rolled
// and the inner one unrolled, and the usual numbers of clusters (8, 10 and 16) are template parameters, any
// other is read at run time. Against V4: fewer comparisons and jumps that only count, and when K is known no
// question whether a last group is full.
//
// What it costs: a kernel for every K, and more instructions in each: arithmetic and loads drift out of
// balance, which the paper gives as the reason why more than 2 did not help. What to look at: time against
// `unroll`; K = 16 against K = 17; requests to shared memory, of which the card does fewer than the source
// asks for, because neighbouring centroids are read by one wide load. The change count is of threads, as in
// V4. Against the paper: a K that is no multiple of `unroll` is served, every point's index is checked
// against N, the arrays hold `items` x D values, and the search starts at +infinity with label 0.
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
classify_v5(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
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
  if (anyChanged) atomicAdd(&blockChanged[0], 1u);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned count = blockChanged[0];
    if (count > 0) atomicAdd(&changed[0], count);
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
            launchAs(classify_v5<decltype(d)::value, decltype(items)::value, decltype(k)::value,
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
  if (const auto reason = dimensionLimit("classify.v5", "classify.general", problem, 3)) return reason;
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  if (const auto reason =
          registerLimit("classify.v5", problem, tuning.items, tuning.block, static_cast<int>(most)))
    return reason;
  return sharedLimit("classify.v5", "classify.general", "all centroids",
                     centroidBytes(problem, static_cast<unsigned>(tuning.unroll)) + staticSharedBytes,
                     device);
}

} // namespace

LLOYD_REGISTER(
    classify_v5,
    {.family = "classify",
     .tag = "v5",
     .name = "unrolled clusters",
     .idea = "The loop over clusters takes two at a time, and the usual numbers of them are compiled in.",
     .publishedUs = 30.0,
     .publishedIn = "N = 2^20, D = 1, K = 16, 4 points a thread, unrolled by 2",
     .paper = "Classification article",
     .changed = Changed::threads,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128},
                    {"items", {1, 2, 4, 8}, 4},
                    {"unroll", {1, 2, 4}, 2},
                    {"arithmetic", {0, 1}, 0}},
     .canRun = canRun},
    {.classify = launch})

} // namespace lloyd

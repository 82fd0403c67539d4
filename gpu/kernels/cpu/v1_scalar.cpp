// SPDX-License-Identifier: GPL-3.0-or-later
// cpu.v1: the textbook loop. Points lie in memory as records, one thread takes them one by one, and every
// distance is computed on its own. What to look at: each coordinate travels alone through registers sixteen
// times as wide.
#include "gpu/core/math/distance.hpp"
#include "gpu/cpu/fma.hpp"
#include "gpu/cpu/parallel.hpp"
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/kernel.hpp"

#include <limits>

namespace lloyd {
namespace {

/// Points between two looks at the cancel flag: about a million coordinates' worth of work.
std::size_t pointsPerLook(const Problem& problem) {
  return std::max<std::size_t>(16,
                               (std::size_t{1} << 20) / std::max<std::size_t>(1, problem.centroidValues()));
}

/// D is the dimension, or 0 for one known only at run time.
template <int D>
std::uint32_t classifyRecords(const ClassifyArgs& args, std::size_t begin, std::size_t end) {
  const std::size_t d = D > 0 ? D : static_cast<std::size_t>(args.problem.d);
  std::uint32_t changed = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const float* record = args.points.data + i * d;
    const float* centroid = args.centroids;
    float best = std::numeric_limits<float>::infinity();
    Label nearest = 0;
    for (Label cluster = 0; cluster < args.problem.k; ++cluster, centroid += d) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance = addSquare(distance, record[j], centroid[j]);
      if (distance < best) {
        best = distance;
        nearest = cluster;
      }
    }
    args.labels[i] = nearest;
    changed += nearest != args.oldLabels[i] ? 1 : 0;
  }
  return changed;
}

void classify(const ClassifyArgs& args, LaunchContext& context) {
  const int compiled = args.problem.d <= 3 ? args.problem.d : 0;
  const auto classifyAs = [&](auto d) {
    forChunksInTurn({args.problem.n, pointsPerLook(args.problem)}, context,
                    [&](std::size_t begin, std::size_t end) {
                      *args.changed += callFused<classifyRecords<d>>(args, begin, end);
                    });
  };
  dispatch(classifyAs, oneOf<0, 1, 2, 3>(compiled));
}

void reduce(const ReduceArgs& args, LaunchContext& context) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  const Chunks chunks{args.problem.n, std::max<std::size_t>(16, (std::size_t{1} << 18) / d)};
  forChunksInTurn(chunks, context, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto cluster = static_cast<std::size_t>(args.labels[i]);
      const float* record = args.points.data + i * d;
      for (std::size_t j = 0; j < d; ++j)
        args.sums[cluster * d + j] += static_cast<double>(record[j] - args.pivots[cluster * d + j]);
      ++args.counts[cluster];
    }
  });
}

} // namespace
} // namespace lloyd

LLOYD_REGISTER_ON(::lloyd::Backend::cpu, cpu_v1,
                  {.family = "cpu",
                   .tag = "v1",
                   .name = "scalar records",
                   .idea = "One thread takes the points one by one from an array of structures.",
                   .changed = ::lloyd::Changed::points,
                   .layout = ::lloyd::Layout::aos},
                  {.classify = ::lloyd::classify, .reduce = ::lloyd::reduce})

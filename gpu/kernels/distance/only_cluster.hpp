// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// With one cluster there is nothing to compare, and scores would not tell: its centroid is the point that all
// is shifted by, where no bound holds (score.hpp, 5), so that every point would be in doubt.
#include "gpu/kernels/kernel.hpp"

namespace lloyd {

constexpr unsigned onlyThreads = 256;

/// A thread a point.
LLOYD_KERNEL label_only_cluster(LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels,
                                LLOYD_GLOBAL(unsigned) changed, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  bool isNew = false;
  if (i < n) {
    const Label oldLabel = oldLabels[i];
    labels[i] = 0;
    isNew = oldLabel != 0;
  }
  const int count = __syncthreads_count(isNew);
  if (threadIdx.x == 0 && count > 0) atomicAdd(&changed[0], static_cast<unsigned>(count));
}

static void labelOnlyCluster(const ClassifyArgs& args, LaunchContext& context) {
  const std::size_t n = args.problem.n;
  launchKernel(context, {blocksFor(n, onlyThreads), static_cast<int>(onlyThreads)}, label_only_cluster,
               global(args.oldLabels, n), global(args.labels, n), global(args.changed, 1), n);
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/block.hpp"
#include "gpu/simt/exec/owner_watch.hpp"
#include "gpu/simt/record/recorder.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <memory>

namespace lloyd::simt {

/// Runs launches, one at a time. What it is to do and to note is set between them.
///
/// Blocks get their turns in the schedule's order. While it records they run one after the other on the
/// calling thread, and the same schedule gives the same everything. Otherwise they are spread over oneTBB's
/// threads: then results that depend on the order of blocks, such as float sums by atomics in global memory,
/// may differ from run to run, as they do on a card, and all others are the same. Of several blocks with a
/// fault, the first in the schedule's order is reported in either case.
class Executor {
public:
  Schedule schedule;
  std::unique_ptr<Recorder> recorder; ///< null: nothing is recorded
  OwnerWatch watch;

  void launch(LaunchContext& context, const LaunchShape& shape, int mostThreadsOfKernel, const Body& body);

private:
  void runAll(const Launching& launching);
  [[nodiscard]] Block& ofThisThread();

  oneapi::tbb::enumerable_thread_specific<std::unique_ptr<Block>> blocks_;
};

} // namespace lloyd::simt

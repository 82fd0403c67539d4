// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/block.hpp"
#include "gpu/simt/exec/owner_watch.hpp"
#include "gpu/simt/queue/checker.hpp"
#include "gpu/simt/record/recorder.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <memory>
#include <optional>
#include <set>
#include <string>

namespace lloyd::simt {

/// Runs launches, one at a time, as SimtDevice says. What it is to do and to note is set between them. While
/// it records, blocks run on the calling thread, else on oneTBB's.
class Launcher {
public:
  Schedule schedule;
  std::unique_ptr<Recorder> recorder; ///< null: nothing is recorded
  OwnerWatch watch;
  Checker checker;                ///< of what launches are given, beside all else that touches memory
  Step step;                      ///< what the next launches belong to
  std::set<const void*> launched; ///< kernels, by the addresses of their code
  /// The first of the launches since it was emptied: code that launches may catch it.
  std::optional<std::string> fault;

  void launch(LaunchContext& context, const LaunchShape& shape, int mostThreadsOfKernel, const Body& body);

private:
  void runAll(const Launching& launching);
  [[nodiscard]] Block& ofThisThread();

  oneapi::tbb::enumerable_thread_specific<std::unique_ptr<Block>> blocks_;
};

} // namespace lloyd::simt

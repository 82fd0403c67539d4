// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/launcher.hpp"

#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/parallel.hpp"
#include "gpu/simt/exec/execution_order.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lloyd::simt {
namespace {

constexpr std::size_t mostBlocks = 0x7fffffff;
constexpr unsigned mostRows = 65535;
/// Enough lanes that handing out work costs nothing beside them.
constexpr std::size_t lanesPerTask = 256;

void requireShape(const LaunchShape& shape, int mostThreadsOfKernel) {
  const auto refuse = [](const std::string& why) {
    throw DeviceError(0, Severity::badRequest, "a launch", why);
  };
  if (shape.rows < 1 || shape.rows > mostRows)
    refuse("invalid configuration: a grid cannot have " + std::to_string(shape.rows) + " rows, only 1 to " +
           std::to_string(mostRows));
  if (shape.blocks > mostBlocks)
    refuse("the grid would have " + std::to_string(shape.blocks) + " blocks, more than CUDA's " +
           std::to_string(mostBlocks) + ": a larger block needs fewer");
  if (shape.together && shape.blocks > 1)
    refuse("the simulator runs one block after another, and these " + std::to_string(shape.blocks) +
           " wait for each other");
  if (shape.threads < 1 || shape.threads > mostThreads)
    refuse("invalid configuration: a block cannot have " + std::to_string(shape.threads) +
           " threads, only 1 to " + std::to_string(mostThreads));
  if (shape.threads > mostThreadsOfKernel)
    refuse("too many resources requested: the kernel is compiled for blocks of at most " +
           std::to_string(mostThreadsOfKernel) + " threads, not " + std::to_string(shape.threads));
  if (shape.sharedBytes > SharedMemory::mostBytes)
    refuse("invalid configuration: a block cannot have " + std::to_string(shape.sharedBytes) +
           " bytes of shared memory, only " + std::to_string(SharedMemory::mostBytes));
}

/// The first fault in the order of turns, whichever OS thread met it.
class FirstFailure {
public:
  /// Blocks behind a failed one need not run.
  [[nodiscard]] bool needs(std::size_t turnOfBlock) const {
    return turnOfBlock < first_.load(std::memory_order_relaxed);
  }
  void note(std::size_t turnOfBlock, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (turnOfBlock >= first_.load(std::memory_order_relaxed)) return;
    first_.store(turnOfBlock, std::memory_order_relaxed);
    failure_ = std::move(failure);
  }
  void rethrow() {
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  std::mutex mutex_;
  std::atomic<std::size_t> first_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

} // namespace

void launchUntyped(LaunchContext& context, const LaunchShape& shape, int mostThreadsOfKernel,
                   const Body& body) {
  static_cast<Launcher*>(context.stream())->launch(context, shape, mostThreadsOfKernel, body);
}

void Launcher::launch(LaunchContext& context, const LaunchShape& shape, int mostThreadsOfKernel,
                      const Body& body) {
  if (shape.blocks == 0) return;
  requireShape(shape, mostThreadsOfKernel);
  if (context.describe) {
    // Arrays that the kernel itself declares show only when it runs.
    context.describe->push_back({.sharedBytes = shape.sharedBytes});
    return;
  }
  launched.insert(body.kernel);
  const std::unique_ptr<UnwrittenWatch> unwritten = checker.launches(step, body.arrays);
  try {
    runAll({.shape = shape,
            .body = &body,
            .schedule = schedule,
            .observer = {recorder.get(), watch.on() ? &watch : nullptr, unwritten.get()},
            .context = &context});
  } catch (const Fault& met) {
    if (!fault) fault = met.what();
    throw;
  }
  if (unwritten) checker.launched(step, *unwritten);
}

Block& Launcher::ofThisThread() {
  auto& block = blocks_.local();
  if (!block) block = std::make_unique<Block>();
  return *block;
}

void Launcher::runAll(const Launching& launching) {
  const std::vector<std::uint32_t> order =
      blockOrder(launching.schedule, launching.shape.blocks * launching.shape.rows);
  if (recorder) {
    Block& block = ofThisThread();
    block.beginLaunch(launching);
    recorder->beginLaunch(order.size());
    for (const std::uint32_t index : order) {
      throwIfCancelled(*launching.context);
      block.run(index);
    }
    recorder->endLaunch();
    return;
  }
  FirstFailure failure;
  const std::size_t perTask =
      std::max<std::size_t>(1, lanesPerTask / static_cast<std::size_t>(launching.shape.threads));
  forChunks({.items = order.size(), .perChunk = perTask}, *launching.context,
            [&](std::size_t, std::size_t begin, std::size_t end) {
              Block& block = ofThisThread();
              block.beginLaunch(launching);
              for (std::size_t at = begin; at < end && failure.needs(at); ++at) {
                throwIfCancelled(*launching.context);
                try {
                  block.run(order[at]);
                } catch (const Cancelled&) {
                  throw;
                } catch (...) {
                  failure.note(at, std::current_exception());
                }
              }
            });
  failure.rethrow();
}

} // namespace lloyd::simt

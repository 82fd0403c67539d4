// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/exec/body.hpp"
#include "gpu/simt/exec/simt_device.hpp"
#include "gpu/simt/lane/fiber.hpp"
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lloyd::simt {

class Recorder;
class OwnerWatch;
class UnwrittenWatch;

/// Who wants to know what lanes do; null: nobody.
struct Observer {
  Recorder* recorder = nullptr;
  OwnerWatch* watch = nullptr;
  UnwrittenWatch* unwritten = nullptr;
};

/// What is the same for all blocks of a launch.
struct Launching {
  LaunchShape shape;
  const Body* body = nullptr;
  Schedule schedule;
  Observer observer;
  const LaunchContext* context = nullptr;
};

/// Runs one block after the other on one OS thread.
///
/// Warp by warp, every lane that can move gets its turn, in the schedule's order, and runs until it must wait
/// or is done. A lane that never waits costs no change of flow: the next one begins on the same stack. Then
/// the collectives whose lanes have all come are computed, and so on until nothing in the warp moves. When
/// nothing in the block moves, all lanes that have not returned must be at one and the same barrier, which
/// then opens; anything else is a fault. After a fault, or when the launch is cancelled, the waiting lanes
/// are unwound. A lane that would read what nobody has stored only stops: when another stores it before the
/// next barrier, the fault is a race, and names both.
class Block {
public:
  Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  void beginLaunch(const Launching& launching);
  /// Throws Fault, Cancelled, and whatever a lane throws.
  void run(unsigned index);

  // For the words of kernels, on a lane's flow.
  BarrierOutcome barrier(bool predicate, const SourceLocation& here);
  std::uint64_t collective(const Collective& asked, const SourceLocation& here);
  /// The lane stops before it reads bytes that no lane has stored.
  [[noreturn]] void readsUnwritten(std::size_t offset, std::size_t bytes, const SourceLocation& here);
  /// Told of every store once a lane has stopped so.
  void stores(std::size_t offset, std::size_t bytes, const SourceLocation& here);
  [[nodiscard]] SharedMemory& shared() { return shared_; }
  [[nodiscard]] const Observer& observer() const { return launching_.observer; }

private:
  struct Unwind {};
  /// The first read of what nobody had stored, and the first store to it afterwards.
  struct UnwrittenRead {
    std::size_t offset = 0; ///< in the block's shared memory
    std::size_t bytes = 0;
    std::string reads; ///< as a sentence without its end
    std::string stores;
  };

  void prepare(unsigned index);
  void runWarp(std::size_t warp);
  bool bringTogether(std::size_t warp);
  /// Opens the barrier that all lanes wait at; throws Fault when they do not.
  void openBarrier();
  void unwind();
  [[nodiscard]] Fault unwrittenFault() const;

  [[nodiscard]] Fiber& next(Fiber* spare);
  [[nodiscard]] Fiber* takeIdle();
  void serve(Fiber& flow);
  void wait(Lane::State state, const SourceLocation& here);
  [[nodiscard]] std::span<Lane> lanesOf(std::size_t warp);

  Launching launching_;
  SharedMemory shared_;
  std::vector<Lane> lanes_;
  std::vector<std::uint16_t> order_;     ///< threads of warp 0, then of warp 1, ...
  std::vector<std::uint16_t> warpOrder_; ///< which warp gets its turn first
  std::vector<std::uint32_t> waiting_;   ///< for each warp, lanes at a collective
  unsigned index_ = 0;                   ///< the block's

  // The turn that is being given: order_[cursor_] .. order_[end_ - 1] have not had theirs.
  std::size_t cursor_ = 0;
  std::size_t end_ = 0;
  std::size_t finished_ = 0;
  std::size_t atBarrier_ = 0;
  BarrierOutcome outcome_{};
  std::exception_ptr failure_;
  std::optional<UnwrittenRead> unwritten_;
  bool unwinding_ = false;

  Stacks stacks_;
  Fiber home_;
  std::vector<std::unique_ptr<Fiber>> flows_;
  std::vector<Fiber*> idle_;
};

} // namespace lloyd::simt

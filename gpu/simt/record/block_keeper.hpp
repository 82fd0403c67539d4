// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/counters.hpp"
#include "gpu/simt/record/races.hpp"
#include "gpu/simt/record/sites.hpp"
#include "gpu/simt/record/warp_log.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lloyd::simt {

/// Keeps what the warps of one block do, step by step; of several launches one behind the other.
class BlockKeeper {
public:
  /// Steps that are kept at most, of all warps together; each of them has its share. A step takes some 300
  /// bytes, and one that stores to shared memory as many more as it stores.
  static constexpr std::size_t mostSteps = std::size_t{1} << 18;

  explicit BlockKeeper(unsigned block) : block_(block) {}

  [[nodiscard]] unsigned block() const { return block_; }
  /// A launch comes to the block. The logs put their steps here until they are told otherwise.
  void begin(std::span<WarpLog> warps);
  /// A thread is about to store these bytes to shared memory.
  void stores(unsigned thread, const void* bytes, std::size_t count);
  /// The logs have been counted, and all lanes are at a barrier or done, or the launch ended in a fault.
  void endInterval(const SharedMemory& shared, std::span<const Races::Clash> clashes,
                   BlockRecord::Interval::End end);
  /// The interval ended at this barrier.
  void barrier(const Site& site, std::span<const Lane> lanes);
  /// The interval that ended has no way on: these lanes wait for what does not come.
  void stuck(std::span<const Lane> lanes);
  /// The launch ended behind it, for a reason that no lane of the block is at.
  void endsInFault();
  void giveTo(Trace& trace) const;

private:
  [[nodiscard]] std::size_t mostOfWarp() const { return mostSteps / std::max<std::size_t>(1, steps_.size()); }
  [[nodiscard]] bool isFull(const WarpSteps& steps) const { return steps.size() >= mostOfWarp(); }
  void keepValues(std::size_t warp, const SharedMemory& shared);
  void keepRaces(std::span<const Races::Clash> clashes);
  [[nodiscard]] BlockRecord::Touch touchOf(const Races::Touch& touch) const;
  void cutToWholeTurns(BlockRecord::Interval& interval) const;

  unsigned block_;
  std::uint32_t launches_ = 0;
  std::size_t warps_ = 0; ///< of the launch
  bool full_ = false;
  std::vector<WarpSteps> steps_;                  ///< [warp]
  std::vector<std::size_t> begun_;                ///< [warp]: its steps before this interval
  std::vector<std::vector<std::uint32_t>> queue_; ///< [thread]: words that it stored in this interval
  BlockRecord record_;
  std::vector<SharedMemory::Named> arrays_;
};

} // namespace lloyd::simt

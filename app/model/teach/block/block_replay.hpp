// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/memory_requests.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// The steps of one block put into one order, and what is known after each of them.
///
/// Between two barriers a card may run the warps of a block in any order. Here they go in turn, one step
/// each, from warp 0 on, and a barrier is one step of all of them. Steps are numbered from 1 on; 0 is before
/// the first. Nothing is replayed to get anywhere: each warp has the numbers of its steps, and each word of
/// shared memory what was written to it and when, so that any step is found by bisection, whatever was looked
/// at before. A value; any thread.
class BlockReplay {
public:
  struct WarpState {
    enum class Doing {
      running,
      waiting, ///< at the barrier
      done,
      stopped ///< by a fault
    };
    Doing doing = Doing::running;
    /// Those of its last step since the barrier, of which there may be none; of a warp that waits, or that a
    /// fault stopped at a barrier, those that do; else none.
    std::uint32_t lanes = 0;
    const simt::WarpStep* step = nullptr; ///< its last one, or the barrier that it waits at
    bool operator==(const WarpState&) const = default;
  };
  /// 4 bytes of shared memory, and who wrote to them last.
  struct Word {
    std::size_t step = 0; ///< 0: nobody yet, and nothing else is known
    std::uint32_t lane = 0;
    std::uint32_t bits = 0; ///< after an atomic what is there at the next barrier
    bool operator==(const Word&) const = default;
  };
  /// Two steps that touch the same words with nothing between them that orders them. In the order here one
  /// comes first; on a card the other may. Or a step, the second, and what another block does to the same
  /// words of global memory.
  struct Race {
    std::size_t first = 0; ///< 0: there is none
    std::size_t second = 0;
    std::uint32_t firstLane = 0; ///< of the lowest word
    std::uint32_t secondLane = 0;
    std::uint32_t word = 0; ///< the lowest, of shared memory
    std::size_t words = 1;
    bool sameValue = false;                                  ///< both store the same
    const simt::BlockRecord::BetweenBlocks* other = nullptr; ///< of the record: on the lowest word
  };
  /// How the record ends behind its last step.
  using End = simt::BlockRecord::Interval::End;

  /// Throws Cancelled.
  explicit BlockReplay(std::shared_ptr<const BlockRequests> block, const std::atomic<bool>* cancel = nullptr);

  [[nodiscard]] const std::shared_ptr<const BlockRequests>& block() const { return block_; }
  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t warps() const { return numbers_.size(); }
  /// The step with this number, from 1 to size().
  [[nodiscard]] const simt::WarpStep& step(std::size_t number) const;
  /// Whose step it is; all warps' at a barrier.
  [[nodiscard]] std::optional<std::size_t> warpOf(std::size_t number) const;
  /// [warp], after this step.
  [[nodiscard]] std::vector<WarpState> warpsAfter(std::size_t number) const;
  /// A word of the block's shared memory after this step.
  [[nodiscard]] Word wordAfter(std::size_t number, std::size_t word) const;
  /// The launch that this step belongs to, from 0 on, of those that had the block. Shared memory begins
  /// anew with each.
  [[nodiscard]] std::uint32_t launchOf(std::size_t number) const;
  [[nodiscard]] std::uint32_t launches() const;
  [[nodiscard]] End end() const;
  /// The numbers of the steps that are barriers.
  [[nodiscard]] const std::vector<std::uint32_t>& barriers() const { return barriers_; }
  /// By the second of their steps.
  [[nodiscard]] const std::vector<Race>& races() const { return races_; }
  /// Of those that can change a result the one that a trace names first: of shared memory, or else of global
  /// memory, of the first interval or launch with such that on the lowest word. Null where there is none.
  [[nodiscard]] const Race* namedRace() const { return named_ ? &races_[*named_] : nullptr; }
  [[nodiscard]] bool racesCut() const { return block_->record.racesCut; }
  /// Memory that this and the steps take.
  [[nodiscard]] std::size_t bytes() const;

private:
  struct Ordered {
    std::uint32_t warp = 0; ///< everyWarp at a barrier
    std::uint32_t at = 0;   ///< in the list of the warp, or in that of warp 0
  };
  struct Write {
    std::uint32_t when; ///< 32 x step + lane
    std::uint32_t bits;
    [[nodiscard]] std::uint32_t step() const { return when / simt::warpSize; }
  };
  /// Of the record; its steps are those behind begin up to end.
  struct Stretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  class Writes;

  void putInOrder(const std::atomic<bool>* cancel);
  void findRaces();
  /// The step of the block's own access. 0: it is not kept.
  [[nodiscard]] std::uint32_t stepOf(const simt::BlockRecord::BetweenBlocks& race) const;
  [[nodiscard]] std::size_t stretchOf(std::size_t number) const;

  std::shared_ptr<const BlockRequests> block_;
  std::vector<Ordered> order_;
  std::vector<std::vector<std::uint32_t>> numbers_; ///< [warp]: of each step in its list, those kept in order
  std::vector<Stretch> stretches_;                  ///< [interval of the record]
  std::vector<std::uint32_t> launchBegins_;         ///< [launch]: the step before its first
  std::vector<std::uint32_t> barriers_;
  std::vector<Write> writes_;             ///< by word, then by step
  std::vector<std::uint32_t> wordBegins_; ///< [word + 1]: where its writes begin, and those of the next
  std::vector<Race> races_;
  std::optional<std::size_t> named_; ///< of races_
};

} // namespace lloyd

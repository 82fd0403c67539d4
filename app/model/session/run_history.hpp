// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/iteration_stats.hpp"
#include "gpu/core/contract/stage.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace lloyd {

/// What one frame, or one iteration beside the frames, spent its time on. The stages add up to it.
struct FrameTimes {
  std::uint64_t number = 0; ///< counted from 1 since the record began
  StageTimes us;
};

/// The last frames of a session, each with its stages. Where iteration and frame follow each other an entry
/// is a whole frame; where the worker iterates beside the frames it is an iteration alone.
class FrameLog {
public:
  static constexpr std::size_t most = 300;

  /// Entries of the other kind are forgotten: they would not add up to the same thing.
  void add(const StageTimes& us, bool wholeFrame) {
    if (wholeFrame != wholeFrames_) clear();
    wholeFrames_ = wholeFrame;
    if (entries_.size() == most) entries_.pop_front();
    entries_.push_back({++count_, us});
  }
  void clear() {
    entries_.clear();
    count_ = 0;
  }
  [[nodiscard]] const std::deque<FrameTimes>& entries() const { return entries_; } ///< oldest first
  [[nodiscard]] bool wholeFrames() const { return wholeFrames_; }

private:
  std::deque<FrameTimes> entries_;
  std::uint64_t count_ = 0;
  bool wholeFrames_ = false;
};

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/clustering.hpp"

#include <cstddef>
#include <deque>
#include <utility>

namespace lloyd {

/// One iteration as it is remembered, halfway or whole. Labels are not kept: classification finds them again
/// from the centroids. Neither are times.
struct IterationSnapshot {
  IterationResult
      result;            ///< without centroids when it is whole: they are the next one's, or the present ones
  double timeBefore = 0; ///< of moving points, before their step
  double time = 0;       ///< and after it
};

/// The iterations of a run that can be taken back, the newest last: at most 256 of them, and at most 64 MiB.
class UndoHistory {
public:
  static constexpr std::size_t mostIterations = 256;
  static constexpr std::size_t mostBytes = std::size_t{64} << 20;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The newest, or with 1 the one before it; it must exist.
  [[nodiscard]] const IterationSnapshot& back(std::size_t before = 0) const {
    return entries_[entries_.size() - 1 - before];
  }
  void clear() {
    entries_.clear();
    bytes_ = 0;
  }
  /// Adds an iteration, or replaces the newest when that is the first half of the same one.
  void remember(const IterationResult& result, double timeBefore, double time) {
    IterationSnapshot entry{.result = result, .timeBefore = timeBefore, .time = time};
    entry.result.times = {};
    entry.result.centroids = {};
    const bool secondHalf = !empty() && back().result.halfway && back().result.iteration == result.iteration;
    if (secondHalf) {
      entry.timeBefore = back().timeBefore;
      takeBackIteration();
    }
    bytes_ += bytesOf(entry);
    entries_.push_back(std::move(entry));
    while (!empty() && (size() > mostIterations || bytes_ > mostBytes)) {
      bytes_ -= bytesOf(entries_.front());
      entries_.pop_front();
    }
  }
  /// The newest is halfway again, with its centroids where they were.
  void takeBackUpdate() {
    IterationResult& result = entries_.back().result;
    result.halfway = true;
    result.shift = 0;
  }
  void takeBackIteration() {
    bytes_ -= bytesOf(entries_.back());
    entries_.pop_back();
  }

private:
  static std::size_t bytesOf(const IterationSnapshot& entry) {
    const IterationResult& result = entry.result;
    return sizeof(IterationSnapshot) +
           (result.usedCentroids.size() + result.centroids.size()) * sizeof(float) +
           result.sizes.size() * sizeof(std::uint32_t);
  }

  std::deque<IterationSnapshot> entries_;
  std::size_t bytes_ = 0;
};

} // namespace lloyd

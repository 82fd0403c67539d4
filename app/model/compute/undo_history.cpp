// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/undo_history.hpp"

#include <utility>

namespace lloyd {
namespace {

std::size_t bytesOf(const IterationSnapshot& entry) {
  const IterationResult& result = entry.result;
  return sizeof(IterationSnapshot) + (result.usedCentroids.size() + result.centroids.size()) * sizeof(float) +
         result.sizes.size() * sizeof(std::uint32_t);
}

} // namespace

void UndoHistory::clear() {
  entries_.clear();
  bytes_ = 0;
}

void UndoHistory::remember(const IterationResult& result, double timeBefore, double time) {
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

void UndoHistory::takeBackUpdate() {
  IterationResult& result = entries_.back().result;
  result.halfway = true;
  result.shift = 0;
}

void UndoHistory::takeBackIteration() {
  bytes_ -= bytesOf(entries_.back());
  entries_.pop_back();
}

} // namespace lloyd

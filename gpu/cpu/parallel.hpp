// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/work_tally.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>

#include <algorithm>
#include <cstddef>

namespace lloyd {

inline void throwIfCancelled(const LaunchContext& context) {
  if (context.cancelled()) throw Cancelled();
}

/// How a count of items is cut. The cut depends on the problem alone, never on the threads that happen to be
/// there, so that results merged in the chunks' order are the same bits on every machine.
struct Chunks {
  std::size_t items = 0;
  std::size_t perChunk = 1;
  bool apart = false; ///< of points whose sums are kept apart, for WorkTally::parts

  [[nodiscard]] std::size_t count() const { return (items + perChunk - 1) / perChunk; }
  [[nodiscard]] std::size_t begin(std::size_t chunk) const { return chunk * perChunk; }
  [[nodiscard]] std::size_t end(std::size_t chunk) const { return std::min(items, begin(chunk) + perChunk); }
};

/// Calls body(begin, end) for every chunk of points in turn, on this thread. Throws as forChunks() does.
void forChunksInTurn(const Chunks& chunks, const LaunchContext& context, const auto& body) {
  for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) {
    throwIfCancelled(context);
    WorkWatch::add(&WorkTally::blocks, 1);
    WorkWatch::add(&WorkTally::points, chunks.end(chunk) - chunks.begin(chunk));
    body(chunks.begin(chunk), chunks.end(chunk));
  }
}

/// Calls body(chunk, begin, end) for every chunk, on all of oneTBB's threads in any order. Throws Cancelled,
/// and whatever body throws.
void forChunks(const Chunks& chunks, const LaunchContext& context, const auto& body) {
  throwIfCancelled(context);
  WorkTally* const tally = WorkWatch::present();
  if (chunks.apart) WorkWatch::add(&WorkTally::parts, chunks.count());
  oneapi::tbb::parallel_for(
      oneapi::tbb::blocked_range<std::size_t>(0, chunks.count(), 1),
      [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
        const WorkWatch watch(tally);
        for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) {
          throwIfCancelled(context);
          body(chunk, chunks.begin(chunk), chunks.end(chunk));
        }
      },
      oneapi::tbb::simple_partitioner());
}

} // namespace lloyd

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/block/block_replay.hpp"
#include "gpu/simt/record/counters.hpp"

#include <memory>
#include <string_view>

namespace lloyd::test {

/// Lines of the kernels, for those who compare them with what is said.
struct Lines {
  int store = 0;
  int barrier = 0;
  int fold = 0;
  int load = 0; ///< of "raced" and "between blocks"
};
[[nodiscard]] Lines linesOf(std::string_view kernel);

/// One block of 64 threads of the named kernel, run so many times on the simulator, with its steps.
///   fold: each thread stores its number; after a barrier the first warp adds the second's; after another
///     thread 0 counts by an atomic.
///   raced: behind a barrier each stores its number, and thread 0 loads what thread 32 stores.
///   past the end: after a store the second warp uses an index that is not there.
///   divergent: the warps wait at different barriers.
///   long: the first warp stores 140,000 times, the second ten times.
///   halves: each thread stores its number as 2 bytes.
///   between blocks: thread 33 of each of three blocks adds to one word of global memory without an atomic;
///     the steps are those of the asked block.
struct Recorded {
  std::shared_ptr<const BlockRequests> block;
  simt::Trace trace;
};
[[nodiscard]] Recorded record(std::string_view kernel, int launches = 1, std::uint32_t block = 1);

} // namespace lloyd::test

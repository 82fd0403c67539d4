// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/shared_memory.hpp"
#include "gpu/simt/record/races.hpp"
#include "gpu/simt/record/sites.hpp"
#include "gpu/simt/record/warp_log.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace lloyd::simt {

/// Counts what kernels ask for. Lanes run one after the other; what they did between two barriers is joined
/// to the requests that their warp would make (WarpLog).
class Recorder {
public:
  void beginBlock(unsigned block, std::size_t threads, const SharedMemory& shared);
  void global(const Lane& lane, Access access, const void* at, std::size_t bytes, const SourceLocation& here);
  void shared(const Lane& lane, Access access, std::size_t offset, std::size_t bytes,
              const SourceLocation& here, const void* stored);
  /// The lanes of together, in the warp of first, have met at a collective.
  void collective(const Lane& first, std::uint32_t together);
  void barrier(const Place& place);
  /// All lanes are at a barrier, or done.
  void endInterval();

  void fault(const std::string& sentence) { faults_.push_back(sentence); }
  [[nodiscard]] Trace trace() const;

private:
  Sites sites_;
  Races races_;
  std::vector<std::string> faults_;
  unsigned block_ = 0;
  const SharedMemory* shared_ = nullptr;
  std::vector<WarpLog> warps_;
};

} // namespace lloyd::simt

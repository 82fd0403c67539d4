// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/queue/deed.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd::simt {

/// Bytes of memory.
struct Bytes {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  Bytes() = default;
  Bytes(const void* first, std::size_t bytes)
      : begin(reinterpret_cast<std::uintptr_t>(first)), end(begin + bytes) {}
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// What is known of every byte that a device has allocated: who wrote it last, who has read it since, and
/// whether anybody has written it at all. Bytes of other memory are nobody's business.
///
/// What is kept for a range is the last write and one read of each actor since, which is enough: who is
/// ordered behind an actor's later deed is also behind its earlier ones (Flanagan and Freund, "FastTrack",
/// 2009).
class MemoryHistory {
public:
  /// New memory, which nobody has written.
  void allocated(const void* memory, std::size_t bytes);
  void allocatedAt(const void* memory, const CallSite& where);
  void released(const void* memory);
  [[nodiscard]] bool knows(const Bytes& bytes) const; ///< whether all of them were allocated
  /// The allocation that an address lies in; none: in none.
  [[nodiscard]] std::optional<Bytes> allocationAt(std::uintptr_t address) const;

  /// An earlier touch of the same bytes that nothing puts before step's.
  struct Conflict {
    DeedPtr other;
    bool otherWrites = false;
    std::size_t bytes = 0;
  };
  /// Notes that step reads or writes, and returns a conflict, when there is one.
  std::optional<Conflict> touch(const Bytes& bytes, bool writes, const Step& step);

  struct Unwritten {
    Bytes bytes;
    std::optional<CallSite> allocatedAt;
  };
  /// The parts of bytes that nobody has written since they were allocated.
  [[nodiscard]] std::vector<Unwritten> unwritten(const Bytes& bytes) const;

private:
  struct Allocation {
    std::size_t bytes = 0;
    std::optional<CallSite> where;
  };
  /// From its key in segments_ to end, all bytes have the same history.
  struct Segment {
    std::uintptr_t end = 0;
    std::uintptr_t allocation = 0; ///< where that begins
    DeedPtr write;
    std::vector<DeedPtr> reads;
    bool written = false;
  };
  using Segments = std::map<std::uintptr_t, Segment>;

  Segments::iterator cutAt(std::uintptr_t address);
  Segments::iterator joinedWithNext(Segments::iterator segment, std::uintptr_t end);
  [[nodiscard]] Segments::const_iterator firstBehind(std::uintptr_t address) const;

  std::map<std::uintptr_t, Allocation> allocations_;
  Segments segments_;
};

} // namespace lloyd::simt

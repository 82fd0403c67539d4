// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/memory_history.hpp"

#include <algorithm>

namespace lloyd::simt {
namespace {

std::uintptr_t addressOf(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

} // namespace

void MemoryHistory::allocated(const void* memory, std::size_t bytes) {
  if (!memory || bytes == 0) return;
  const std::uintptr_t first = addressOf(memory);
  allocations_[first] = {bytes, std::nullopt};
  segments_[first] = {.end = first + bytes, .allocation = first, .write = {}, .reads = {}};
}

void MemoryHistory::allocatedAt(const void* memory, const CallSite& where) {
  const auto found = allocations_.find(addressOf(memory));
  if (found != allocations_.end()) found->second.where = where;
}

void MemoryHistory::released(const void* memory) {
  const auto found = allocations_.find(addressOf(memory));
  if (found == allocations_.end()) return;
  segments_.erase(segments_.lower_bound(found->first),
                  segments_.lower_bound(found->first + found->second.bytes));
  allocations_.erase(found);
}

bool MemoryHistory::knows(const Bytes& bytes) const {
  const auto behind = allocations_.upper_bound(bytes.begin);
  if (behind == allocations_.begin()) return false;
  const auto& [first, allocation] = *std::prev(behind);
  return bytes.end <= first + allocation.bytes;
}

std::optional<Bytes> MemoryHistory::allocationAt(std::uintptr_t address) const {
  const auto behind = allocations_.upper_bound(address);
  if (behind == allocations_.begin()) return std::nullopt;
  const auto& [first, allocation] = *std::prev(behind);
  if (address >= first + allocation.bytes) return std::nullopt;
  Bytes found;
  found.begin = first;
  found.end = first + allocation.bytes;
  return found;
}

/// The first segment that ends behind address.
MemoryHistory::Segments::const_iterator MemoryHistory::firstBehind(std::uintptr_t address) const {
  auto segment = segments_.upper_bound(address);
  if (segment != segments_.begin() && std::prev(segment)->second.end > address) --segment;
  return segment;
}

/// The first segment that begins at address or behind it, once none reaches across.
MemoryHistory::Segments::iterator MemoryHistory::cutAt(std::uintptr_t address) {
  const auto behind = segments_.lower_bound(address);
  if (behind == segments_.begin()) return behind;
  Segment& before = std::prev(behind)->second;
  if (before.end <= address) return behind;
  Segment second = before;
  before.end = address;
  return segments_.emplace_hint(behind, address, std::move(second));
}

/// After a write the segments of one allocation have the same history: they become one again.
MemoryHistory::Segments::iterator MemoryHistory::joinedWithNext(Segments::iterator segment,
                                                                std::uintptr_t end) {
  auto next = std::next(segment);
  while (next != segments_.end() && next->first < end &&
         next->second.allocation == segment->second.allocation) {
    segment->second.end = next->second.end;
    next = segments_.erase(next);
  }
  return next;
}

std::optional<MemoryHistory::Conflict> MemoryHistory::touch(const Bytes& bytes, bool writes,
                                                            const Step& step) {
  std::optional<Conflict> found;
  if (bytes.size() == 0) return found;
  cutAt(bytes.end);
  const auto first = cutAt(bytes.begin);
  const auto check = [&](const DeedPtr& other, bool otherWrites, std::size_t size) {
    if (!other || other->isBefore(step.clock)) return;
    if (!found)
      found = Conflict{other, otherWrites, size};
    else if (found->other == other)
      found->bytes += size;
  };
  for (auto at = first; at != segments_.end() && at->first < bytes.end; ++at) {
    Segment& segment = at->second;
    const std::size_t size = segment.end - at->first;
    check(segment.write, true, size);
    if (!writes) {
      const auto same = std::find_if(segment.reads.begin(), segment.reads.end(),
                                     [&](const DeedPtr& read) { return read->actor == step.deed->actor; });
      if (same != segment.reads.end())
        *same = step.deed;
      else
        segment.reads.push_back(step.deed);
      continue;
    }
    for (const DeedPtr& read : segment.reads)
      check(read, false, size);
    segment.write = step.deed;
    segment.reads.clear();
    segment.written = true;
  }
  if (writes)
    for (auto at = first; at != segments_.end() && at->first < bytes.end;)
      at = joinedWithNext(at, bytes.end);
  return found;
}

std::vector<MemoryHistory::Unwritten> MemoryHistory::unwritten(const Bytes& bytes) const {
  std::vector<Unwritten> parts;
  for (auto at = firstBehind(bytes.begin); at != segments_.end() && at->first < bytes.end; ++at) {
    if (at->second.written) continue;
    Unwritten part;
    part.bytes.begin = std::max(at->first, bytes.begin);
    part.bytes.end = std::min(at->second.end, bytes.end);
    part.allocatedAt = allocations_.at(at->second.allocation).where;
    parts.push_back(part);
  }
  return parts;
}

} // namespace lloyd::simt

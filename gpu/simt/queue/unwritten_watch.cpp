// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/unwritten_watch.hpp"

#include <algorithm>
#include <atomic>

namespace lloyd::simt {

UnwrittenWatch::UnwrittenWatch(const std::vector<MemoryHistory::Unwritten>& parts) {
  for (const MemoryHistory::Unwritten& part : parts)
    parts_.push_back({part, std::vector<std::uint8_t>(part.bytes.size())});
}

void UnwrittenWatch::note(Access access, const void* at, std::size_t bytes, const SourceLocation& here) {
  if (access == Access::load) return;
  const Bytes touched(at, bytes);
  for (Part& part : parts_) {
    const Bytes& own = part.bytes.bytes;
    const std::uintptr_t begin = std::max(touched.begin, own.begin);
    const std::uintptr_t end = std::min(touched.end, own.end);
    bool known = true;
    for (std::uintptr_t byte = begin; byte < end; ++byte)
      known = std::atomic_ref(part.written[byte - own.begin]).exchange(1, std::memory_order_relaxed) != 0 &&
              known;
    if (known || access != Access::atomic) continue;
    const std::lock_guard lock(mutex_);
    if (!finding_) finding_ = Finding{Place(here), bytes, part.bytes.allocatedAt};
  }
}

} // namespace lloyd::simt

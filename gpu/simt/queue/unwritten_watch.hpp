// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/queue/memory_history.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace lloyd::simt {

/// Looks at a launch that is given bytes which nobody has written: an atomic operation adds to what is there,
/// so that something must be there. What the launch stores itself counts. Lanes on several OS threads may
/// note at once.
class UnwrittenWatch {
public:
  explicit UnwrittenWatch(const std::vector<MemoryHistory::Unwritten>& parts);

  void note(Access access, const void* at, std::size_t bytes, const SourceLocation& here);

  /// The first atomic operation, of those that met such bytes.
  struct Finding {
    Place place;
    std::size_t bytes = 0;
    std::optional<CallSite> allocatedAt;
  };
  [[nodiscard]] const std::optional<Finding>& finding() const { return finding_; }

private:
  struct Part {
    MemoryHistory::Unwritten bytes;
    std::vector<std::uint8_t> written; ///< one for each byte; not 0 once it was written
  };

  std::vector<Part> parts_;
  std::mutex mutex_;
  std::optional<Finding> finding_;
};

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/latest_work.hpp"
#include "app/model/teach/memory_requests.hpp"

#include <QObject>

#include <cstdint>
#include <memory>

namespace lloyd {

/// Finds out on a thread of its own what one block asked of memory, with the points and centroids of a count.
/// While a measurement has the machine it waits for its end. What is under way when something else is asked
/// for is cancelled. GUI thread.
class MemoryService : public QObject {
  Q_OBJECT
public:
  explicit MemoryService(const DeviceLease& lease, QObject* parent = nullptr);

  /// What is there already is not found out again.
  void look(const std::shared_ptr<const CountInput>& input, std::uint32_t block);
  /// What is there means nothing any more, and nothing is under way.
  void forget();

  /// Null before the first; stays while the next is under way.
  [[nodiscard]] const std::shared_ptr<const BlockRequests>& found() const { return found_; }
  /// Nothing is due or under way.
  [[nodiscard]] bool complete() const { return !work_.running() && !due_; }

Q_SIGNALS:
  void looking();
  void looked();

private:
  void leaseChanged();
  void takeUp();

  const DeviceLease& lease_;
  std::shared_ptr<const CountInput> input_; ///< of what is wanted
  std::uint32_t block_ = 0;
  std::shared_ptr<const CountInput> foundOf_;
  std::shared_ptr<const BlockRequests> found_;
  bool due_ = false;
  LatestWork work_; // last: ended before what it uses is gone
};

} // namespace lloyd

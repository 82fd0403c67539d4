// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/latest_work.hpp"
#include "app/model/teach/block/block_replay.hpp"
#include "app/model/teach/memory_service.hpp"

#include <QObject>

#include <cstdint>
#include <memory>

namespace lloyd {

/// Puts the steps of the block that a MemoryService has found in order, on a thread of its own. While a
/// measurement has the machine it waits for its end. What is under way when something else is asked for is
/// cancelled. GUI thread.
class BlockService : public QObject {
  Q_OBJECT
public:
  /// requests must outlive this.
  BlockService(MemoryService& requests, const DeviceLease& lease, QObject* parent = nullptr);

  /// What is there already is not found out again.
  void look(const std::shared_ptr<const CountInput>& input, std::uint32_t block);
  /// What is there means nothing any more, and nothing is under way.
  void forget();

  /// Null before the first; stays while the next is under way.
  [[nodiscard]] const std::shared_ptr<const BlockReplay>& found() const { return found_; }
  /// Nothing is due or under way.
  [[nodiscard]] bool complete() const { return !work_.running() && !wanted_; }

Q_SIGNALS:
  void looking();
  void looked();

private:
  void takeUp();

  MemoryService& requests_;
  const DeviceLease& lease_;
  std::shared_ptr<const BlockReplay> found_;
  bool wanted_ = false; ///< as soon as its requests are there and nobody measures
  LatestWork work_;     // last: ended before what it uses is gone
};

} // namespace lloyd

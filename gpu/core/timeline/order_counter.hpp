// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/wrapped_device.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string_view>

namespace lloyd {

/// What a host ordered of a device, by queues and in the device's own order alike.
struct HostOrders {
  std::uint64_t launches = 0; ///< a loop that was recorded is launched once, however often it goes round
  std::uint64_t rounds = 0;   ///< of recorded loops, on a device whose loops call their body
  std::uint64_t copiesUp = 0;
  std::uint64_t copiesDown = 0;
  std::uint64_t bytesUp = 0;
  std::uint64_t bytesDown = 0;
  std::uint64_t fills = 0;
  std::uint64_t hostWaits = 0;  ///< for a queue, an event, all work, or a download that is no queue's
  std::uint64_t queueWaits = 0; ///< of a queue for an event: the host goes on
  std::uint64_t events = 0;     ///< recorded in queues
  std::size_t queues = 0;       ///< that were given something
};

/// A device that counts what it is ordered to do. It lives longer than the queues and loops that it makes,
/// and is used as any device: by one thread at a time.
class OrderCounter final : public WrappedDevice {
public:
  explicit OrderCounter(Device& inner) : WrappedDevice(inner) {}
  ~OrderCounter() override { releaseWorkMemory(); }

  [[nodiscard]] const HostOrders& orders() const { return orders_; }
  /// Counts from now on.
  void forget() {
    orders_ = {};
    busy_.clear();
  }

  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  void fill(void* memory, int byte, std::size_t bytes) override;
  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override;
  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override;
  void synchronize() override;
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override;

private:
  class CountedLoop;
  class CountedQueue;

  void waitForEvent(const Event& event, const CallSite& where) override;
  void count(const Queue& queue, const QueuedOperation& operation);

  HostOrders orders_;
  std::set<const Queue*> busy_;
};

} // namespace lloyd

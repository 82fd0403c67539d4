// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/wrapped_device.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace lloyd {

/// Which call of a FaultyDevice fails, and how.
struct Fault {
  int call = 0;            ///< the n-th call fails, counted from 1; 0: none
  int code = 0;            ///< CUDA's number, which decides the severity
  bool persistent = false; ///< so does every call after it
};

/// What a FaultyDevice saw, readable from any thread and after the device is gone.
class FaultCounters {
public:
  [[nodiscard]] int calls() const { return calls_; }
  [[nodiscard]] int faults() const { return faults_; }
  [[nodiscard]] int liveAllocations() const { return allocations_; } ///< device and host memory
  [[nodiscard]] int liveEvents() const { return events_; }
  [[nodiscard]] int liveQueues() const { return queues_; }
  [[nodiscard]] int liveDevices() const { return devices_; }

private:
  friend class FaultyDevice;
  std::atomic<int> calls_{0};
  std::atomic<int> faults_{0};
  std::atomic<int> allocations_{0};
  std::atomic<int> events_{0};
  std::atomic<int> queues_{0};
  std::atomic<int> devices_{0};
};

/// Any device, with one planned fault; its queues too. Everything that may throw counts as a call; giving
/// back does not. counters, when given, must outlive the device and its events.
class FaultyDevice final : public WrappedDevice {
public:
  explicit FaultyDevice(std::unique_ptr<Device> inner, const Fault& fault = {},
                        FaultCounters* counters = nullptr)
      : WrappedDevice(*inner), owned_(std::move(inner)), fault_(fault),
        counters_(counters ? counters : &own_) {
    ++counters_->devices_;
  }
  ~FaultyDevice() override {
    releaseWorkMemory();
    --counters_->devices_;
  }

  [[nodiscard]] const FaultCounters& counters() const { return *counters_; }
  /// The next call is the first again.
  void plan(const Fault& fault) {
    fault_ = fault;
    counters_->calls_ = 0;
  }

  [[nodiscard]] void* allocate(std::size_t bytes) override { return counted(WrappedDevice::allocate(bytes)); }
  void release(void* memory) noexcept override {
    if (memory) --counters_->allocations_;
    WrappedDevice::release(memory);
  }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory kind) override {
    return counted(WrappedDevice::allocateHost(bytes, kind));
  }
  void releaseHost(void* memory, HostMemory kind) noexcept override {
    if (memory) --counters_->allocations_;
    WrappedDevice::releaseHost(memory, kind);
  }

  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override {
    return std::make_unique<CountedLoop>(*this, WrappedDevice::recordLoop(what, std::move(body)));
  }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override {
    return std::make_unique<CountedEvent>(WrappedDevice::createEvent(), *counters_);
  }
  void record(Event& event) override { WrappedDevice::record(inside(event)); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    return WrappedDevice::elapsedUs(inside(from), inside(to));
  }
  [[nodiscard]] bool hasReached(const Event& event) override {
    return WrappedDevice::hasReached(inside(event));
  }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override {
    return std::make_unique<CountedQueue>(*this, WrappedDevice::createQueue());
  }
  /// What a test finds does not depend on this machine's clock.
  [[nodiscard]] double clockMhz() override { return 0; }

private:
  void waitForEvent(const Event& event, const CallSite& where) override {
    WrappedDevice::waitForEvent(inside(event), where);
  }
  struct CountedEvent final : Event {
    CountedEvent(std::unique_ptr<Event> event, FaultCounters& counters)
        : inner(std::move(event)), counted(counters) {
      ++counted.events_;
    }
    ~CountedEvent() override { --counted.events_; }
    std::unique_ptr<Event> inner;
    FaultCounters& counted;
  };
  struct CountedLoop final : Loop {
    CountedLoop(FaultyDevice& device, std::unique_ptr<Loop> loop) : on(device), inner(std::move(loop)) {}
    void replay() override {
      static_cast<void>(on.call("replay"));
      inner->replay();
    }
    FaultyDevice& on;
    std::unique_ptr<Loop> inner;
  };
  struct CountedQueue final : Queue {
    CountedQueue(FaultyDevice& device, std::unique_ptr<Queue> queue) : on(device), inner(std::move(queue)) {
      ++on.counters_->queues_;
    }
    ~CountedQueue() override { --on.counters_->queues_; }
    void submit(QueuedOperation operation) override {
      static_cast<void>(on.call(nameOf(operation)));
      if (operation.recorded) operation.recorded = &inside(*operation.recorded);
      if (operation.awaited) operation.awaited = &inside(*operation.awaited);
      inner->submit(std::move(operation));
    }
    void finish(const CallSite& where) override {
      static_cast<void>(on.call("synchronize"));
      inner->synchronize(where);
    }
    FaultyDevice& on;
    std::unique_ptr<Queue> inner;
  };
  static Event& inside(Event& event) { return *dynamic_cast<CountedEvent&>(event).inner; }
  static const Event& inside(const Event& event) { return *dynamic_cast<const CountedEvent&>(event).inner; }

  /// Counts a call, and throws when it is the one that fails.
  Device& call(std::string_view what) override {
    const int number = ++counters_->calls_;
    if (fault_.call > 0 && (number == fault_.call || (fault_.persistent && number > fault_.call))) {
      ++counters_->faults_;
      throw DeviceError(fault_.code, severityOf(fault_.code), what, "planned fault");
    }
    inner().setCancel(cancel());
    return inner();
  }
  void* counted(void* memory) {
    if (memory) ++counters_->allocations_;
    return memory;
  }

  std::unique_ptr<Device> owned_;
  Fault fault_;
  FaultCounters own_;
  FaultCounters* counters_;
};

} // namespace lloyd

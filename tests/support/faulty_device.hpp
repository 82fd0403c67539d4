// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/queue.hpp"

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
class FaultyDevice final : public Device {
public:
  explicit FaultyDevice(std::unique_ptr<Device> inner, const Fault& fault = {},
                        FaultCounters* counters = nullptr)
      : inner_(std::move(inner)), fault_(fault), counters_(counters ? counters : &own_) {
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

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return inner_->info(); }
  [[nodiscard]] std::size_t freeMemory() const override { return inner_->freeMemory(); }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    return counted(call("allocate").allocate(bytes));
  }
  void release(void* memory) noexcept override {
    if (memory) --counters_->allocations_;
    inner_->release(memory);
  }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory kind) override {
    return counted(call("allocateHost").allocateHost(bytes, kind));
  }
  void releaseHost(void* memory, HostMemory kind) noexcept override {
    if (memory) --counters_->allocations_;
    inner_->releaseHost(memory, kind);
  }

  void upload(void* to, const void* from, std::size_t bytes) override {
    call("upload").upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    call("download").download(to, from, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override { call("copy").copy(to, from, bytes); }
  void fill(void* memory, int byte, std::size_t bytes) override { call("fill").fill(memory, byte, bytes); }

  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    call(what).launch(what, work);
  }
  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override {
    return std::make_unique<CountedLoop>(*this, call(what).recordLoop(what, std::move(body)));
  }
  [[nodiscard]] const Operations& operations() const noexcept override { return inner_->operations(); }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override {
    return std::make_unique<CountedEvent>(call("createEvent").createEvent(), *counters_);
  }
  void record(Event& event) override { call("record").record(inside(event)); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    return call("elapsedUs").elapsedUs(inside(from), inside(to));
  }
  void synchronize() override { call("synchronize").synchronize(); }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override {
    return std::make_unique<CountedQueue>(*this, call("createQueue").createQueue());
  }
  void hostTouches(const void* memory, std::size_t bytes, HostAccess access, const CallSite& where) override {
    inner_->hostTouches(memory, bytes, access, where);
  }
  void allocatedAt(const void* memory, const CallSite& where) override { inner_->allocatedAt(memory, where); }
  [[nodiscard]] Traffic traffic() const override { return inner_->traffic(); }

private:
  void waitForEvent(const Event& event, const CallSite& where) override {
    call("waitFor").waitFor(inside(event), where);
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
  Device& call(std::string_view what) {
    const int number = ++counters_->calls_;
    if (fault_.call > 0 && (number == fault_.call || (fault_.persistent && number > fault_.call))) {
      ++counters_->faults_;
      throw DeviceError(fault_.code, severityOf(fault_.code), what, "planned fault");
    }
    inner_->setCancel(cancel());
    return *inner_;
  }
  void* counted(void* memory) {
    if (memory) ++counters_->allocations_;
    return memory;
  }

  std::unique_ptr<Device> inner_;
  Fault fault_;
  FaultCounters own_;
  FaultCounters* counters_;
};

} // namespace lloyd

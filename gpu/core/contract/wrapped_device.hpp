// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/queue.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

namespace lloyd {

/// A device around another, which does all the work and must outlive it: what devices that count, fail on
/// purpose or record have in common. Memory, events and queues are those of the other. The cancel flag is the
/// other's own.
///
/// A subclass calls releaseWorkMemory() in its destructor, while the other still lives.
class WrappedDevice : public Device {
public:
  explicit WrappedDevice(Device& inner) : inner_(inner) {}

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return inner_.info(); }
  [[nodiscard]] std::size_t freeMemory() const override { return inner_.freeMemory(); }

  [[nodiscard]] void* allocate(std::size_t bytes) override { return call("allocate").allocate(bytes); }
  void release(void* memory) noexcept override { inner_.release(memory); }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory kind) override {
    return call("allocateHost").allocateHost(bytes, kind);
  }
  void releaseHost(void* memory, HostMemory kind) noexcept override { inner_.releaseHost(memory, kind); }

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
    return call(what).recordLoop(what, std::move(body));
  }
  [[nodiscard]] const Operations& operations() const noexcept override { return inner_.operations(); }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override { return call("createEvent").createEvent(); }
  void record(Event& event) override { call("record").record(event); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    return call("elapsedUs").elapsedUs(from, to);
  }
  [[nodiscard]] bool hasReached(const Event& event) override { return call("hasReached").hasReached(event); }
  void synchronize() override { call("synchronize").synchronize(); }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override { return call("createQueue").createQueue(); }

  void hostTouches(const void* memory, std::size_t bytes, HostAccess access, const CallSite& where) override {
    inner_.hostTouches(memory, bytes, access, where);
  }
  void allocatedAt(const void* memory, const CallSite& where) override { inner_.allocatedAt(memory, where); }
  [[nodiscard]] double clockMhz() override { return inner_.clockMhz(); }
  [[nodiscard]] std::unique_ptr<ActivityRecorder> createActivityRecorder() override {
    return inner_.createActivityRecorder();
  }
  [[nodiscard]] Traffic traffic() const override { return inner_.traffic(); }

protected:
  [[nodiscard]] Device& inner() const { return inner_; }
  /// The other device, before each call that may throw; the call's name is that of its errors.
  [[nodiscard]] virtual Device& call(std::string_view) { return inner_; }
  void waitForEvent(const Event& event, const CallSite& where) override {
    call("waitFor").waitFor(event, where);
  }

private:
  Device& inner_;
};

} // namespace lloyd

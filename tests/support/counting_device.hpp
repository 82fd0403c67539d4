// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/queue.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

namespace lloyd::test {

/// Any device, with an account of its memory: what is held now, and the most that was held at once.
class CountingDevice final : public Device {
public:
  explicit CountingDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
  ~CountingDevice() override { releaseWorkMemory(); }

  [[nodiscard]] std::size_t held() const { return held_; }
  [[nodiscard]] std::size_t most() const { return most_; }

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return inner_->info(); }
  [[nodiscard]] std::size_t freeMemory() const override { return inner_->freeMemory(); }
  [[nodiscard]] void* allocate(std::size_t bytes) override { return taken(inner_->allocate(bytes), bytes); }
  void release(void* memory) noexcept override {
    forget(memory);
    inner_->release(memory);
  }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory kind) override {
    return taken(inner_->allocateHost(bytes, kind), backend() == Backend::cuda ? 0 : bytes);
  }
  void releaseHost(void* memory, HostMemory kind) noexcept override {
    forget(memory);
    inner_->releaseHost(memory, kind);
  }
  void upload(void* to, const void* from, std::size_t bytes) override { on().upload(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { on().download(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { on().copy(to, from, bytes); }
  void fill(void* memory, int byte, std::size_t bytes) override { on().fill(memory, byte, bytes); }
  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    on().launch(what, work);
  }
  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override {
    return on().recordLoop(what, std::move(body));
  }
  [[nodiscard]] const Operations& operations() const noexcept override { return inner_->operations(); }
  [[nodiscard]] std::unique_ptr<Event> createEvent() override { return on().createEvent(); }
  void record(Event& event) override { on().record(event); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    return on().elapsedUs(from, to);
  }
  [[nodiscard]] bool hasReached(const Event& event) override { return on().hasReached(event); }
  void synchronize() override { on().synchronize(); }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override { return on().createQueue(); }
  void hostTouches(const void* memory, std::size_t bytes, HostAccess access, const CallSite& where) override {
    inner_->hostTouches(memory, bytes, access, where);
  }
  void allocatedAt(const void* memory, const CallSite& where) override { inner_->allocatedAt(memory, where); }
  [[nodiscard]] Traffic traffic() const override { return inner_->traffic(); }

private:
  void waitForEvent(const Event& event, const CallSite& where) override { on().waitFor(event, where); }
  Device& on() {
    inner_->setCancel(cancel());
    return *inner_;
  }
  void* taken(void* memory, std::size_t bytes) {
    if (memory) blocks_[memory] = bytes;
    held_ += memory ? bytes : 0;
    most_ = std::max(most_, held_);
    return memory;
  }
  void forget(void* memory) noexcept {
    const auto found = blocks_.find(memory);
    if (found == blocks_.end()) return;
    held_ -= found->second;
    blocks_.erase(found);
  }

  std::unique_ptr<Device> inner_;
  std::unordered_map<void*, std::size_t> blocks_;
  std::size_t held_ = 0;
  std::size_t most_ = 0;
};

} // namespace lloyd::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the devices that compute on the processor have in common.
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cpu/at_once_queue.hpp"
#include "gpu/cpu/cpu_memory.hpp"
#include "gpu/cpu/operations.hpp"
#include "gpu/cpu/parallel.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lloyd {

/// Implements Interface, which is Device or made from it, with host memory, the operations of gpu/cpu, and
/// the processor's clock. Every call is finished when it returns. What remains is info_, and what launches
/// are given to launch on.
template <class Interface>
class HostDevice : public Interface {
public:
  ~HostDevice() override { this->releaseWorkMemory(); }

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return info_; }
  [[nodiscard]] std::size_t freeMemory() const override { return memory_.free(); }

  [[nodiscard]] void* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  void release(void* memory) noexcept override { memory_.release(memory); }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory) override { return memory_.allocate(bytes); }
  void releaseHost(void* memory, HostMemory) noexcept override { memory_.release(memory); }

  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    this->traffic_.toDevice += bytes;
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
    this->traffic_.toHost += bytes;
  }
  /// On all threads, because its rate is what the fastest variants are measured against.
  void copy(void* to, const void* from, std::size_t bytes) override {
    forChunks({.items = bytes, .perChunk = std::size_t{1} << 20}, LaunchContext(nullptr, this->cancel()),
              [&](std::size_t, std::size_t begin, std::size_t end) {
                std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                            end - begin);
              });
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    if (bytes > 0) std::memset(memory, byte, bytes);
  }

  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    LaunchContext context(native(), this->cancel());
    context.sharedBytesPerBlock = info_.sharedBytesPerBlock;
    throwIfCancelled(context);
    try {
      work(context);
    } catch (const std::bad_alloc&) {
      throw DeviceError(0, Severity::retrySmaller, what, "out of memory for partial results");
    }
  }
  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override {
    return std::make_unique<CalledLoop>(*this, what, std::move(body));
  }
  [[nodiscard]] const Operations& operations() const noexcept override { return cpu::operations(); }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override { return std::make_unique<Moment>(); }
  void record(Event& event) override { dynamic_cast<Moment&>(event).when = Clock::now(); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    const auto& start = dynamic_cast<const Moment&>(from).when;
    const auto& stop = dynamic_cast<const Moment&>(to).when;
    if (!start || !stop)
      throw DeviceError(0, Severity::badRequest, "elapsedUs",
                        "an event was asked for its time before it was recorded");
    return std::max(0.0, std::chrono::duration<double, std::micro>(*stop - *start).count());
  }
  [[nodiscard]] bool hasReached(const Event&) override { return true; }
  void synchronize() override {} // every call has finished when it returns
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override { return std::make_unique<AtOnceQueue>(*this); }

protected:
  void waitForEvent(const Event&, const CallSite&) override {}
  /// What LaunchContext::stream() gives to the work of launch().
  [[nodiscard]] virtual void* native() { return nullptr; }

  CpuMemory memory_;
  DeviceInfo info_;

private:
  /// A loop that is called round after round.
  class CalledLoop final : public Loop {
  public:
    CalledLoop(HostDevice& device, std::string_view what, std::function<void(LaunchContext&)> body)
        : device_(device), what_(what), body_(std::move(body)) {}
    void replay() override {
      again_ = 1;
      while (again_ != 0)
        device_.launch(what_, [this](LaunchContext& context) {
          context.loop = reinterpret_cast<std::uintptr_t>(&again_);
          body_(context);
        });
    }

  private:
    HostDevice& device_;
    std::string what_;
    std::function<void(LaunchContext&)> body_;
    std::uint32_t again_ = 0; ///< what repeatLoop() writes
  };

  using Clock = std::chrono::steady_clock;
  struct Moment final : Event {
    std::optional<Clock::time_point> when;
  };
};

} // namespace lloyd

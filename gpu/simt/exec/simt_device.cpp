// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"

#include "gpu/cpu/host_device.hpp"
#include "gpu/simt/exec/launcher.hpp"
#include "gpu/simt/exec/simt_operations.hpp"
#include "gpu/simt/queue/queues.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <utility>

namespace lloyd::simt {
namespace {

class Device final : public HostDevice<SimtDevice> {
public:
  Device() {
    info_.backend = Backend::simt;
    info_.name = "SIMT simulator";
    info_.memoryBytes = memory_.total();
    info_.usable = true;
    info_.threadsPerBlock = mostThreads;
    info_.sharedBytesPerBlock = SharedMemory::mostBytes;
    info_.multiprocessors = oneapi::tbb::info::default_concurrency();
  }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    void* memory = HostDevice::allocate(bytes);
    checker().memory().allocated(memory, bytes);
    return memory;
  }
  void release(void* memory) noexcept override {
    queues_.settle();
    checker().memory().released(memory);
    HostDevice::release(memory);
  }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory) override { return allocate(bytes); }
  void releaseHost(void* memory, HostMemory) noexcept override { release(memory); }
  void allocatedAt(const void* memory, const CallSite& where) override {
    checker().memory().allocatedAt(memory, where);
  }
  void hostTouches(const void* memory, std::size_t bytes, HostAccess access, const CallSite& where) override {
    checker().hostTouches({memory, bytes}, access == HostAccess::write, where);
  }

  // The device's own order: everything takes place at once, but the host knows so only where a card's host
  // would.
  void upload(void* to, const void* from, std::size_t bytes) override {
    checker().reads(checker().begin(host, "an upload", {}), {from, bytes});
    checker().writes(own("an upload"), {to, bytes});
    HostDevice::upload(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    checker().copies(own("a download"), {from, bytes});
    checker().hostWaitedFor(ownOrder);
    checker().writes(checker().begin(host, "a download", {}), {to, bytes});
    HostDevice::download(to, from, bytes);
    queues_.throwReports();
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    const Step step = own("a copy");
    checker().copies(step, {from, bytes});
    checker().writes(step, {to, bytes});
    HostDevice::copy(to, from, bytes);
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    checker().writes(own("a fill"), {memory, bytes});
    HostDevice::fill(memory, byte, bytes);
  }
  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    launchAs(what, work, own(std::string(what)));
  }

  [[nodiscard]] const Operations& operations() const noexcept override { return simt::operations(); }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override { return std::make_unique<SimtEvent>(); }
  void record(Event& event) override { queues_.recordNow(event); }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    const auto start = momentOf(from);
    const auto stop = momentOf(to);
    if (!start || !stop)
      throw DeviceError(0, Severity::badRequest, "elapsedUs",
                        "an event was asked for its time before it was recorded");
    queues_.waitFor(from, {});
    queues_.waitFor(to, {});
    return std::max(0.0, std::chrono::duration<double, std::micro>(stop->when - start->when).count());
  }
  [[nodiscard]] bool hasReached(const Event& event) override {
    const auto& moment = momentOf(event);
    return !moment || moment->reached;
  }
  void synchronize() override { queues_.waitForAll(); }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override { return queues_.create(); }

  void setSchedule(const Schedule& schedule) override {
    launcher_.schedule = schedule;
    queues_.follow(schedule);
  }

  void startRecording() override { launcher_.recorder = std::make_unique<Recorder>(); }
  void keepSteps(std::uint32_t block) override {
    if (launcher_.recorder) launcher_.recorder->keepSteps(block);
  }
  [[nodiscard]] Trace stopRecording() override {
    const auto recorder = std::move(launcher_.recorder);
    return recorder ? recorder->trace() : Trace();
  }

  void watch(const void* first, std::size_t count, std::size_t elementBytes) override {
    if (first)
      launcher_.watch.start(first, count, elementBytes);
    else
      launcher_.watch.stop();
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> allocationAt(std::uint64_t address) override {
    const Bytes found = checker().memory().allocationAt(address).value_or(Bytes());
    return {found.begin, found.end};
  }
  [[nodiscard]] std::vector<const void*> launchedKernels() const override {
    return {launcher_.launched.begin(), launcher_.launched.end()};
  }
  [[nodiscard]] std::vector<Owner> owners() const override { return launcher_.watch.owners(); }

private:
  [[nodiscard]] void* native() override { return &launcher_; }
  void waitForEvent(const Event& event, const CallSite& where) override { queues_.waitFor(event, where); }

  [[nodiscard]] Checker& checker() { return launcher_.checker; }
  [[nodiscard]] Step own(std::string what) { return checker().begin(ownOrder, std::move(what), {}); }

  void launchAs(std::string_view what, const std::function<void(LaunchContext&)>& work, Step step) {
    launcher_.step = std::move(step);
    launcher_.fault.reset();
    try {
      HostDevice::launch(what, work);
    } catch (const Fault& met) {
      launcher_.fault = met.what();
    }
    if (!launcher_.fault) return;
    if (launcher_.recorder) launcher_.recorder->fault(*launcher_.fault);
    throw DeviceError(0, Severity::badRequest, what, *launcher_.fault, {}); // whose lines are the kernel's
  }

  /// What a queue was given, when its turn has come.
  void perform(const QueuedOperation& operation, const Step& step) {
    using Kind = QueuedOperation::Kind;
    const Bytes to(operation.to, operation.bytes);
    if (operation.kind == Kind::launch) return launchAs(operation.what, operation.work, step);
    if (operation.kind == Kind::fill) {
      checker().writes(step, to);
      return HostDevice::fill(operation.to, operation.byte, operation.bytes);
    }
    checker().copies(step, {operation.from, operation.bytes});
    checker().writes(step, to);
    if (operation.kind == Kind::upload)
      HostDevice::upload(operation.to, operation.from, operation.bytes);
    else if (operation.kind == Kind::download)
      HostDevice::download(operation.to, operation.from, operation.bytes);
    else
      HostDevice::copy(operation.to, operation.from, operation.bytes);
  }

  Launcher launcher_;
  Queues queues_{launcher_.checker,
                 [this](const QueuedOperation& operation, const Step& step) { perform(operation, step); }};
};

} // namespace

std::unique_ptr<SimtDevice> createSimtDevice() { return std::make_unique<Device>(); }

} // namespace lloyd::simt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/simt_device.hpp"

#include "gpu/cpu/host_device.hpp"
#include "gpu/simt/exec/executor.hpp"

#include <oneapi/tbb/info.h>

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

  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    try {
      HostDevice::launch(what, work);
    } catch (const Fault& fault) {
      if (executor_.recorder) executor_.recorder->fault(fault.what());
      throw DeviceError(0, Severity::badRequest, what, fault.what());
    }
  }

  void setSchedule(const Schedule& schedule) override { executor_.schedule = schedule; }

  void startRecording() override { executor_.recorder = std::make_unique<Recorder>(); }
  [[nodiscard]] Trace stopRecording() override {
    const auto recorder = std::move(executor_.recorder);
    return recorder ? recorder->trace() : Trace();
  }

  void watch(const void* first, std::size_t count, std::size_t elementBytes) override {
    if (first)
      executor_.watch.start(first, count, elementBytes);
    else
      executor_.watch.stop();
  }
  [[nodiscard]] std::vector<Owner> owners() const override { return executor_.watch.owners(); }

private:
  [[nodiscard]] void* native() override { return &executor_; }

  Executor executor_;
};

} // namespace

std::unique_ptr<SimtDevice> createSimtDevice() { return std::make_unique<Device>(); }

} // namespace lloyd::simt

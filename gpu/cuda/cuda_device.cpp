// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cuda_device.hpp"

#include "gpu/core/contract/queue.hpp"
#include "gpu/cuda/activity/cupti_recorder.hpp"
#include "gpu/cuda/cuda_loop.hpp"
#include "gpu/cuda/nvrtc/own_kernels.hpp"
#include "gpu/cuda/operations/operations.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/cuda/runtime/cuda_event.hpp"
#include "gpu/cuda/runtime/cuda_memory.hpp"
#include "gpu/cuda/runtime/cuda_staging.hpp"
#include "gpu/cuda/runtime/driver_answer.hpp"
#include "gpu/cuda/sequence_graph.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::align_val_t pageableAlignment{256};

/// What is lent to launches and not larger than that is never given back: taking it again would cost more.
constexpr std::size_t keptLoan = std::size_t{1} << 16;

void* allocatePageable(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (void* memory = ::operator new(bytes, pageableAlignment, std::nothrow)) return memory;
  throw DeviceError(0, Severity::retrySmaller, "an allocation",
                    "out of memory: " + std::to_string(bytes) + " bytes of host memory are needed");
}

class NativeCudaDevice final : public CudaDevice {
public:
  explicit NativeCudaDevice(DeviceInfo info) : info_(std::move(info)), memory_(info_.name) {
    LLOYD_CUDA(cudaSetDevice(info_.index));
    cuda::requireKernelImage();
    cudaStream_t stream = nullptr;
    LLOYD_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    stream_ = StreamHandle(stream);
    staging_.emplace();
    finished_.emplace(events_);
    if (const auto limit = memory_.limit()) info_.memoryBytes = std::min(info_.memoryBytes, *limit);
    lastLaunch_.reserve(64); // so that remembering a name does not allocate in every iteration
  }
  ~NativeCudaDevice() override {
    static_cast<void>(cudaSetDevice(info_.index));
    cleared(cudaStreamSynchronize(native()));
    releaseWorkMemory();
  }

  [[nodiscard]] const DeviceInfo& info() const noexcept override { return info_; }
  [[nodiscard]] void* stream() const noexcept override { return stream_.get(); }
  void makeCurrent() override {
    guarded([] {});
  }

  [[nodiscard]] std::size_t freeMemory() const override {
    return guarded([&] { return memory_.free(); }) + lender_.bytes();
  }
  [[nodiscard]] void* allocate(std::size_t bytes) override {
    lender_.giveBack();
    return guarded([&] { return memory_.allocate(bytes); });
  }
  void release(void* memory) noexcept override {
    if (!memory || ending()) return;
    static_cast<void>(cudaSetDevice(info_.index));
    settleQueues();
    memory_.release(memory);
  }
  [[nodiscard]] void* allocateHost(std::size_t bytes, HostMemory kind) override {
    if (kind == HostMemory::pageable) return allocatePageable(bytes);
    return guarded([&] {
      void* memory = nullptr;
      if (bytes > 0) LLOYD_CUDA(cudaMallocHost(&memory, bytes));
      if (memory) pinned_[static_cast<const std::byte*>(memory)] = bytes;
      return memory;
    });
  }
  void releaseHost(void* memory, HostMemory kind) noexcept override {
    if (!memory || ending()) return;
    static_cast<void>(cudaSetDevice(info_.index));
    settleQueues();
    if (kind == HostMemory::pageable) {
      ::operator delete(memory, pageableAlignment);
    } else {
      pinned_.erase(static_cast<const std::byte*>(memory));
      cleared(cudaFreeHost(memory));
    }
  }

  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    traffic_.toDevice += bytes;
    guarded([&] {
      if (bytes <= Staging::slotBytes) return staging_->upload(to, from, bytes, native());
      LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, native()));
      waitForAll();
    });
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    traffic_.toHost += bytes;
    guarded([&] {
      if (bytes <= Staging::slotBytes)
        return staging_->download(to, from, bytes, native(), lastLaunch_.c_str());
      LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, native()));
      waitForAll();
    });
    if (lender_.bytes() > keptLoan) lender_.giveBack();
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    if (bytes == 0) return;
    guarded([&] { LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, native())); });
  }
  void fill(void* memory, int byte, std::size_t bytes) override {
    if (bytes == 0) return;
    guarded([&] { LLOYD_CUDA(cudaMemsetAsync(memory, byte, bytes, native())); });
  }

  void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) override {
    launchAs(what, work);
  }
  [[nodiscard]] std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                 std::function<void(LaunchContext&)> body) override {
    return guarded([&] {
      return std::make_unique<RecordedLoop>(*this, what, [&](LaunchContext& context) {
        describeCard(context);
        body(context);
      });
    });
  }
  [[nodiscard]] const Operations& operations() const noexcept override { return cuda::operations(); }

  [[nodiscard]] std::unique_ptr<Event> createEvent() override {
    return guarded([&] { return std::make_unique<CudaEvent>(events_); });
  }
  void record(Event& event) override {
    guarded([&] { LLOYD_CUDA(cudaEventRecord(nativeEvent(event), native())); });
  }
  [[nodiscard]] bool hasReached(const Event& event) override {
    return guarded([&] {
      const cudaError_t state = cleared(cudaEventQuery(nativeEvent(event)));
      if (state != cudaErrorNotReady) checkCuda(state, lastLaunch_);
      return state == cudaSuccess;
    });
  }
  [[nodiscard]] double elapsedUs(const Event& from, const Event& to) override {
    return guarded([&] {
      lloyd::waitFor(nativeEvent(to), lastLaunch_, cancel());
      lloyd::waitFor(nativeEvent(from), lastLaunch_); // which may be another queue's
      float milliseconds = 0;
      LLOYD_CUDA(cudaEventElapsedTime(&milliseconds, nativeEvent(from), nativeEvent(to)));
      return std::max(0.0, static_cast<double>(milliseconds) * 1000.0);
    });
  }
  void synchronize() override {
    guarded([&] {
      for (StreamQueue* queue : queues_)
        queue->waitForAll();
      waitForAll();
    });
  }
  [[nodiscard]] std::unique_ptr<Queue> createQueue() override {
    return guarded([&] { return std::make_unique<StreamQueue>(*this); });
  }
  [[nodiscard]] double clockMhz() override {
    if (probe_.size() == 0) probe_ = Buffer<unsigned long long>(*this, 2);
    launchAs("probing the clock", [&](LaunchContext& context) { cuda::countCycles(probe_.data(), context); });
    const std::vector<unsigned long long> counted = probe_.download();
    return counted[1] > 0 ? 1e3 * static_cast<double>(counted[0]) / static_cast<double>(counted[1]) : 0;
  }
  [[nodiscard]] std::unique_ptr<ActivityRecorder> createActivityRecorder() override {
    return guarded([] { return cuda::createCuptiRecorder(); });
  }

private:
  /// The recorded body; nothing of what it was recorded from is needed again.
  class RecordedLoop final : public Loop {
  public:
    RecordedLoop(NativeCudaDevice& device, std::string_view what,
                 const std::function<void(LaunchContext&)>& body)
        : device_(device), what_(what), graph_(body, device.native()) {}
    ~RecordedLoop() override { static_cast<void>(cudaSetDevice(device_.info_.index)); }
    void replay() override {
      device_.launchAs(what_, [&](LaunchContext&) { graph_.launch(device_.native()); });
    }

  private:
    NativeCudaDevice& device_;
    std::string what_;
    LoopGraph graph_;
  };

  /// Memory that is kept for the launches of one stream, which do not run at the same time.
  class Lender final : public MemoryLender {
  public:
    explicit Lender(NativeCudaDevice& device) : device_(device) {}

    [[nodiscard]] std::byte* lend(std::size_t bytes) override {
      ++loans_;
      if (memory_.bytes() < bytes) memory_ = Buffer<std::byte>(device_, bytes);
      return memory_.data();
    }
    [[nodiscard]] std::size_t loans() const { return loans_; } ///< so far
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
    void giveBack() { memory_ = {}; }

  private:
    NativeCudaDevice& device_;
    Buffer<std::byte> memory_;
    std::size_t loans_ = 0;
  };

  /// A stream beside the device's own. Copies are from pinned memory and to it, so that none waits for the
  /// host.
  class StreamQueue final : public Queue {
  public:
    explicit StreamQueue(NativeCudaDevice& device)
        : device_(device), finished_(device.events_), lender_(device) {
      cudaStream_t stream = nullptr;
      LLOYD_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      stream_ = StreamHandle(stream);
      device_.queues_.push_back(this);
    }
    ~StreamQueue() override {
      static_cast<void>(cudaSetDevice(device_.info_.index));
      settle();
      std::erase(device_.queues_, this);
    }

    void submit(QueuedOperation operation) override {
      if (operation.kind == QueuedOperation::Kind::launch) {
        last_ = operation.what;
        return device_.launchIn(stream_.get(), lender_, operation.what, operation.work);
      }
      device_.guarded([&] { enqueue(operation, stream_.get(), false); });
      device_.count(operation);
    }
    void finish(const CallSite&) override {
      device_.guarded([&] { waitForAll(); });
    }
    [[nodiscard]] bool prepare(Sequence& sequence) override {
      if (!sequence.prepared() && !sequence.isSingly()) makeGraphOf(sequence);
      return sequence.prepared() != nullptr;
    }
    void submitPrepared(Sequence& sequence) override {
      auto& graph = dynamic_cast<SequenceGraph&>(*sequence.prepared());
      device_.guarded([&] {
        if (device_.cancel() && device_.cancel()->load(std::memory_order_relaxed)) throw Cancelled();
        graph.launch(stream_.get());
      });
      if (!graph.last().empty()) last_ = device_.lastLaunch_ = graph.last();
      for (const QueuedOperation& operation : sequence.operations())
        device_.count(operation);
    }

    /// The calling thread's CUDA device must be this one.
    void waitForAll() {
      LLOYD_CUDA(cudaEventRecord(finished_.get(), stream_.get()));
      lloyd::waitFor(finished_.get(), last_);
    }
    void settle() const noexcept { cleared(cudaStreamSynchronize(stream_.get())); }

  private:
    /// Memory that is lent moves when a launch asks for more, and a graph would keep the old address: who
    /// borrows stays out of graphs.
    void makeGraphOf(Sequence& sequence) {
      const std::size_t before = lender_.loans();
      const auto give = [&](const QueuedOperation& operation, cudaStream_t stream) {
        if (operation.kind != QueuedOperation::Kind::launch) return enqueue(operation, stream, true);
        LaunchContext context(stream, nullptr);
        device_.describeCard(context);
        context.lender = &lender_;
        operation.work(context);
        checkCuda(cudaGetLastError(), operation.what);
      };
      auto graph =
          device_.guarded([&] { return std::make_unique<SequenceGraph>(sequence, give, stream_.get()); });
      if (lender_.loans() > before)
        sequence.setSingly();
      else
        sequence.setPrepared(std::move(graph));
    }
    void enqueue(const QueuedOperation& operation, cudaStream_t stream, bool recorded) const {
      using Kind = QueuedOperation::Kind;
      const auto& [kind, to, from, byte, bytes, what, work, event, awaited, where] = operation;
      switch (kind) {
      case Kind::upload:
        return LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
      case Kind::download:
        if (device_.isPinnedWord(operation)) return storeWord(operation, stream);
        return LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
      case Kind::copy:
        return LLOYD_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
      case Kind::fill:
        return LLOYD_CUDA(cudaMemsetAsync(to, byte, bytes, stream));
      case Kind::record: // in a graph, for those outside of it
        if (!recorded) return LLOYD_CUDA(cudaEventRecord(nativeEvent(*event), stream));
        return LLOYD_CUDA(cudaEventRecordWithFlags(nativeEvent(*event), stream, cudaEventRecordExternal));
      case Kind::wait:
        return LLOYD_CUDA(cudaStreamWaitEvent(stream, nativeEvent(*awaited),
                                              recorded ? cudaEventWaitExternal : cudaEventWaitDefault));
      case Kind::launch:
        return; // not enqueued here
      }
    }
    /// No launch of a caller's: it is not blamed for faults, and cancelling does not keep it back.
    static void storeWord(const QueuedOperation& operation, cudaStream_t stream) {
      LaunchContext context(stream, nullptr);
      cuda::storeWord(static_cast<std::uint32_t*>(operation.to),
                      static_cast<const std::uint32_t*>(operation.from), context);
    }

    NativeCudaDevice& device_;
    StreamHandle stream_;
    CudaEvent finished_;
    std::string last_ = "a copy"; ///< blamed when a wait reports a fault
    Lender lender_;
  };

  void waitForEvent(const Event& event, const CallSite&) override {
    guarded([&] { lloyd::waitFor(nativeEvent(event), lastLaunch_); });
  }
  /// Of a queue's operation.
  void count(const QueuedOperation& operation) {
    using Kind = QueuedOperation::Kind;
    if (operation.kind == Kind::upload) traffic_.toDevice += operation.bytes;
    if (operation.kind == Kind::download) traffic_.toHost += operation.bytes;
  }
  /// Pageable memory is out of a kernel's reach.
  [[nodiscard]] bool isPinnedWord(const QueuedOperation& copy) const {
    constexpr std::size_t word = sizeof(std::uint32_t);
    const auto* const to = static_cast<const std::byte*>(copy.to);
    if (copy.bytes != word || reinterpret_cast<std::uintptr_t>(to) % word != 0) return false;
    const auto behind = pinned_.upper_bound(to);
    return behind != pinned_.begin() && to < std::prev(behind)->first + std::prev(behind)->second;
  }
  /// Before memory is given back.
  void settleQueues() const noexcept {
    for (const StreamQueue* queue : queues_)
      queue->settle();
  }

  [[nodiscard]] cudaStream_t native() const { return stream_.get(); }
  [[nodiscard]] static cudaEvent_t nativeEvent(const Event& event) {
    return dynamic_cast<const CudaEvent&>(event).get();
  }

  /// Every entry passes here: the calling thread gets the device, and a device that was lost fails at once,
  /// without asking a driver that may answer slowly or not at all.
  template <class Work>
  auto guarded(const Work& work) const -> decltype(work()) {
    if (lost_) throw DeviceError(*lost_);
    try {
      LLOYD_CUDA(cudaSetDevice(info_.index));
      return work();
    } catch (const DeviceError& error) {
      if (error.severity() == Severity::lost) lost_ = error;
      throw;
    }
  }

  void describeCard(LaunchContext& context) const {
    context.multiprocessors = info_.multiprocessors;
    context.sharedBytesPerBlock = info_.sharedBytesPerBlock;
    context.launchOwn = cuda::launchOwnKernel;
  }

  void launchAs(std::string_view what, const auto& work) { launchIn(native(), lender_, what, work); }

  void launchIn(cudaStream_t stream, Lender& lender, std::string_view what, const auto& work) {
    guarded([&] {
      LaunchContext context(stream, cancel());
      describeCard(context);
      context.lender = &lender;
      if (context.cancelled()) throw Cancelled();
      lastLaunch_ = what;
      work(context);
      checkCuda(cudaGetLastError(), what);
    });
  }

  void waitForAll() {
    LLOYD_CUDA(cudaEventRecord(finished_->get(), native()));
    lloyd::waitFor(finished_->get(), lastLaunch_);
  }

  DeviceInfo info_;
  CudaMemory memory_;
  StreamHandle stream_;
  std::shared_ptr<EventPool> events_ = std::make_shared<EventPool>();
  std::optional<Staging> staging_;
  std::optional<CudaEvent> finished_;
  std::vector<StreamQueue*> queues_; ///< those that live
  std::map<const std::byte*, std::size_t, std::less<>>
      pinned_; ///< host memory that was given out, with its bytes
  std::string lastLaunch_ =
      "a copy"; ///< blamed when a wait reports a fault, since a kernel's fault is known only then
  mutable std::optional<DeviceError> lost_;
  Buffer<unsigned long long> probe_; ///< made when first asked for
  /// What points are sorted in, and sums of blocks wait in. Much of it is kept until something is copied to
  /// the host or more memory is asked for: the host waits then anyway, and points that are ordered again
  /// before that find it there.
  Lender lender_{*this};
};

} // namespace

std::unique_ptr<Device> createCudaDevice(int index) {
  CudaDevices list = listCudaDevices();
  if (list.devices.empty()) throw DeviceError(0, Severity::absent, "createCudaDevice", list.why);
  if (index < 0 || static_cast<std::size_t>(index) >= list.devices.size())
    throw DeviceError(0, Severity::absent, "createCudaDevice",
                      "there is no CUDA device " + std::to_string(index) + ", only 0 to " +
                          std::to_string(list.devices.size() - 1));
  DeviceInfo& info = list.devices[static_cast<std::size_t>(index)];
  if (!info.usable) throw DeviceError(0, Severity::absent, "createCudaDevice", info.name + ": " + info.why);
  return std::make_unique<NativeCudaDevice>(std::move(info));
}

namespace {

/// The first CUDA version whose graphs have nodes that repeat others for as long as those say.
constexpr int firstWithLoops = 12040;

/// The CUDA version that the driver supports; 0 when there is no driver.
int driverCudaVersion() {
  int version = 0;
  return cleared(cudaDriverGetVersion(&version)) == cudaSuccess ? version : 0;
}

int runtimeVersion() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : CUDART_VERSION;
}

/// "580.82.07 (CUDA 13.0)", or the CUDA version alone where the system does not tell the driver's own.
std::string driverText() {
  const std::string cuda = "CUDA " + cuda::versionText(driverCudaVersion());
  std::ifstream file("/sys/module/nvidia/version");
  std::string own;
  return file >> own ? own + " (" + cuda + ")" : cuda;
}

std::string whyNoDevices(cudaError_t code) {
  return cuda::whyNoDevices(
      {.code = static_cast<int>(code),
       .meaning = cudaGetErrorString(code),
       .driver = driverCudaVersion(),
       .runtime = runtimeVersion(),
       .chosen = std::getenv("CUDA_VISIBLE_DEVICES") != nullptr}); // NOLINT(concurrency-mt-unsafe)
}

/// Single-precision lanes of a multiprocessor: the datacentre chips before Hopper have half as many as the
/// others.
int lanesOf(int capability) { return capability == 75 || capability == 80 ? 64 : 128; }

/// Operations a second at the highest clock, a multiply-add counted as two; 0 when the driver does not tell
/// the clock.
double peakOperations(int index, int capability, int multiprocessors) {
  int kilohertz = 0;
  if (cleared(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index)) != cudaSuccess) return 0;
  return 2.0 * lanesOf(capability) * multiprocessors * kilohertz * 1e3;
}

DeviceInfo describe(int index) {
  DeviceInfo info;
  info.backend = Backend::cuda;
  info.index = index;
  info.name = "CUDA device " + std::to_string(index);
  info.driver = driverText();
  info.runtime = cuda::versionText(runtimeVersion());
  cudaDeviceProp properties{};
  const cudaError_t code = cleared(cudaGetDeviceProperties(&properties, index));
  if (code != cudaSuccess) {
    info.why = std::string("its properties cannot be read: ") + cudaGetErrorString(code);
    return info;
  }
  info.name = properties.name;
  std::array<char, 32> bus{};
  if (cleared(cudaDeviceGetPCIBusId(bus.data(), bus.size(), index)) == cudaSuccess) info.busId = bus.data();
  info.computeCapability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  info.memoryBytes = properties.totalGlobalMem;
  info.threadsPerBlock = properties.maxThreadsPerBlock;
  info.sharedBytesPerBlock = properties.sharedMemPerBlockOptin;
  info.multiprocessors = properties.multiProcessorCount;
  info.l2Bytes = static_cast<std::size_t>(properties.l2CacheSize);

  int computeMode = cudaComputeModeDefault;
  cleared(cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, index));
  const int capability = properties.major * 10 + properties.minor;
  info.repeats = driverCudaVersion() >= firstWithLoops;
  info.peakFlops = peakOperations(index, capability, info.multiprocessors);
  info.why = cuda::whyUnusable({.capability = capability,
                                .oldest = LLOYD_CUDA_OLDEST,
                                .prohibited = computeMode == cudaComputeModeProhibited});
  info.usable = info.why.empty();
  return info;
}

} // namespace

CudaDevices listCudaDevices() {
  CudaDevices list;
  int count = 0;
  const cudaError_t code = cleared(cudaGetDeviceCount(&count));
  if (code != cudaSuccess || count == 0) {
    list.why = whyNoDevices(code);
    return list;
  }
  bool anyUsable = false;
  for (int index = 0; index < count; ++index) {
    list.devices.push_back(describe(index));
    anyUsable = anyUsable || list.devices.back().usable;
  }
  if (!anyUsable) list.why = list.devices.front().name + ": " + list.devices.front().why;
  return list;
}

} // namespace lloyd
